#include "bench/runner.h"

#include <algorithm>
#include <chrono>

namespace weft::bench {
namespace {

using namespace conformance;
using Clock = std::chrono::steady_clock;

/// Time that a platform may use in one round of a case.
constexpr double kRoundMs = 40;

double ms_since(Clock::time_point from) {
  return std::chrono::duration<double, std::milli>(Clock::now() - from).count();
}

double summary(std::vector<double> values, bool best) {
  if (values.empty()) return 0;
  if (best) return *std::min_element(values.begin(), values.end());
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

double kernel_ms(const Event& event) {
  cl_ulong start = 0;
  cl_ulong end = 0;
  check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, nullptr),
        "profiling");
  check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr), "profiling");
  return 1e-6 * static_cast<double>(end - start);
}

/// One case made ready on one peer.
struct Prepared {
  Program program;
  Kernel kernel;
  std::vector<Mem> buffers;
  std::vector<double> kernel_times;
  std::vector<double> wall_times;
};

Prepared prepare(const Case& c, const Session& session) {
  Prepared p;
  p.program = session.build(read_text(std::string(WEFT_BENCH_KERNELS "/") + c.file));
  p.kernel = session.kernel(p.program, c.kernel);
  for (const Bytes& bytes : c.buffers) p.buffers.push_back(session.upload(bytes));
  cl_uint index = 0;
  for (const Arg& arg : c.args) {
    if (const auto* buffer = std::get_if<BufferArg>(&arg)) {
      set_arg(p.kernel, index, p.buffers[buffer->index]);
    } else if (const auto* bytes = std::get_if<Bytes>(&arg)) {
      check(clSetKernelArg(p.kernel, index, bytes->size(), bytes->data()), "clSetKernelArg");
    } else {
      set_arg(p.kernel, index, std::get<LocalBytes>(arg));
    }
    ++index;
  }
  return p;
}

void measure(Prepared& p, const Case& c, const Session& session) {
  const auto round = Clock::now();
  do {
    const auto start = Clock::now();
    const Event event = session.enqueue(p.kernel, c.range);
    check(clFinish(session.queue()), "clFinish");
    p.wall_times.push_back(ms_since(start));
    p.kernel_times.push_back(kernel_ms(event));
  } while (ms_since(round) < kRoundMs);
}

constexpr const char* kEmpty = "kernel void empty(global int* a) { if (a) a[get_global_id(0)] = 1; }";

std::string unique_source() {
  static int number = 0;
  // No cache of any platform has seen this text.
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  return "// " + std::to_string(now) + "." + std::to_string(number++) + "\n" +
         read_text(WEFT_BENCH_KERNELS "/matmul.cl");
}

}  // namespace

std::vector<Peer> find_peers(const std::string& only) {
  std::vector<Peer> peers;
  for (cl_platform_id platform : all_platforms()) {
    const std::string name = platform_string(platform, CL_PLATFORM_NAME);
    if (name.find(only) == std::string::npos) continue;
    const auto devices = all_devices(platform);
    if (devices.empty()) continue;
    std::string version = device_string(devices[0], CL_DRIVER_VERSION);
    const bool pocl = name == "Portable Computing Language";
    peers.push_back(
        {(pocl ? "PoCL" : name) + " " + version, devices[0], std::make_unique<Session>(devices[0])});
  }
  std::stable_partition(peers.begin(), peers.end(),
                        [](const Peer& p) { return p.name.rfind("Weft", 0) == 0; });
  return peers;
}

Row run_case(const Case& c, std::vector<Peer>& peers, int rounds, bool best) {
  Row row{c.name, c.work, c.unit, std::vector<Times>(peers.size())};
  std::vector<Prepared> prepared(peers.size());
  const auto guarded = [&](std::size_t i, auto work) {
    if (!row.times[i].problem.empty()) return;
    try {
      work(*peers[i].session);
    } catch (const std::exception& error) {
      row.times[i].problem = error.what();
    }
  };
  for (std::size_t i = 0; i < peers.size(); ++i) {
    guarded(i, [&](const Session& session) {
      prepared[i] = prepare(c, session);
      session.finish(session.enqueue(prepared[i].kernel, c.range));
      const auto bytes =
          session.download<std::byte>(prepared[i].buffers[c.output], c.buffers[c.output].size());
      row.times[i].problem = c.check(bytes);
    });
  }
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < peers.size(); ++i) {
      guarded(i, [&](const Session& session) { measure(prepared[i], c, session); });
    }
  }
  for (std::size_t i = 0; i < peers.size(); ++i) {
    row.times[i].kernel_ms = summary(prepared[i].kernel_times, best);
    row.times[i].wall_ms = summary(prepared[i].wall_times, best);
  }
  return row;
}

std::vector<Row> run_latencies(std::vector<Peer>& peers, int rounds, bool best) {
  constexpr int kLaunches = 1000;
  const std::size_t n = peers.size();
  std::vector<Row> rows = {{"empty launch, back to back", 0, "us", std::vector<Times>(n)},
                           {"empty launch and finish", 0, "us", std::vector<Times>(n)},
                           {"cold build of matmul.cl", 0, "ms", std::vector<Times>(n)},
                           {"cold build and first launch", 0, "ms", std::vector<Times>(n)}};
  std::vector<std::vector<std::vector<double>>> times(rows.size(), std::vector<std::vector<double>>(n));
  std::vector<Program> programs(n);
  std::vector<Kernel> kernels(n);
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < n; ++i) {
      if (!rows[0].times[i].problem.empty()) continue;
      try {
        const Session& session = *peers[i].session;
        const Queue queue = session.queue(0);
        const std::size_t global = 32;
        const auto launch = [&] {
          check(clEnqueueNDRangeKernel(queue, kernels[i], 1, nullptr, &global, &global, 0, nullptr, nullptr),
                "launch");
        };
        if (!kernels[i]) {
          programs[i] = session.build(kEmpty);
          kernels[i] = session.kernel(programs[i], "empty");
          check(clSetKernelArg(kernels[i], 0, sizeof(cl_mem), nullptr), "argument");
          launch();
          clFinish(queue);
        }
        auto start = Clock::now();
        for (int j = 0; j < kLaunches; ++j) launch();
        clFinish(queue);
        times[0][i].push_back(1000 * ms_since(start) / kLaunches);
        for (int j = 0; j < 50; ++j) {
          start = Clock::now();
          launch();
          clFinish(queue);
          times[1][i].push_back(1000 * ms_since(start));
        }
        const std::string source = unique_source();
        const Mem buffer = session.buffer(4 * 64 * 64);
        start = Clock::now();
        const Program program = session.build(source);
        times[2][i].push_back(ms_since(start));
        const Kernel kernel = session.kernel(program, "matmul_tiled");
        session.launch(kernel, {{64, 64}, {16, 16}, {}}, buffer, buffer, buffer, cl_int{64});
        times[3][i].push_back(ms_since(start));
      } catch (const std::exception& error) {
        for (Row& row : rows) row.times[i].problem = error.what();
      }
    }
  }
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t i = 0; i < n; ++i)
      rows[r].times[i].wall_ms = rows[r].times[i].kernel_ms = summary(times[r][i], best);
  return rows;
}

}  // namespace weft::bench
