#include "bench/runner.h"

#include <algorithm>
#include <chrono>

namespace weft::bench {
namespace {

using namespace conformance;
using Clock = std::chrono::steady_clock;

/// Time that a platform may use in one round of a case.
constexpr double kRoundMs = 40;

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
  std::vector<Mem> buffers, images;
  std::vector<double> kernel_times;
  std::vector<double> wall_times;
  std::vector<double> round_times;  ///< of the kernel, a round each
};

Mem make_image(const conformance::ReferenceImage& image, const Session& session) {
  using conformance::Kind;
  constexpr cl_mem_object_type kTypes[] = {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D,
                                           CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D};
  cl_image_desc desc{};
  desc.image_type = kTypes[static_cast<int>(image.kind)];
  desc.image_width = static_cast<std::size_t>(image.size[0]);
  desc.image_height = static_cast<std::size_t>(image.size[1]);
  desc.image_depth = static_cast<std::size_t>(image.size[2]);
  desc.image_array_size = static_cast<std::size_t>(image.layers);
  const bool filled = !image.bytes.empty();
  cl_int error = CL_SUCCESS;
  const cl_mem made = clCreateImage(session.context(), filled ? CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR : CL_MEM_WRITE_ONLY,
                                    &image.format, &desc, filled ? const_cast<std::uint8_t*>(image.bytes.data()) : nullptr, &error);
  check(error, "clCreateImage");
  return Mem(made);
}

std::vector<std::byte> output_of(const Prepared& p, const Case& c, const Session& session) {
  if (!c.image_output) return session.download<std::byte>(p.buffers[c.output], c.buffers[c.output].size());
  const auto& image = c.images[c.output];
  const std::size_t origin[3] = {}, region[3] = {static_cast<std::size_t>(image.size[0]), static_cast<std::size_t>(image.size[1]), 1};
  std::vector<std::byte> bytes(region[0] * region[1] * static_cast<std::size_t>(image.texel_bytes()));
  check(clEnqueueReadImage(session.queue(), p.images[c.output], CL_TRUE, origin, region, 0, 0, bytes.data(), 0, nullptr, nullptr),
        "clEnqueueReadImage");
  return bytes;
}

Prepared prepare(const Case& c, const Session& session) {
  Prepared p;
  p.program = session.build(read_text(std::string(WEFT_BENCH_KERNELS "/") + c.file), c.options);
  p.kernel = session.kernel(p.program, c.kernel);
  for (const Bytes& bytes : c.buffers) p.buffers.push_back(session.upload(bytes));
  for (const auto& image : c.images) p.images.push_back(make_image(image, session));
  cl_uint index = 0;
  for (const Arg& arg : c.args) {
    if (const auto* buffer = std::get_if<BufferArg>(&arg)) {
      set_arg(p.kernel, index, p.buffers[buffer->index]);
    } else if (const auto* image = std::get_if<ImageArg>(&arg)) {
      set_arg(p.kernel, index, p.images[image->index]);
    } else if (const auto* bytes = std::get_if<Bytes>(&arg)) {
      check(clSetKernelArg(p.kernel, index, bytes->size(), bytes->data()), "clSetKernelArg");
    } else {
      set_arg(p.kernel, index, std::get<LocalBytes>(arg));
    }
    ++index;
  }
  return p;
}

void measure(Prepared& p, const Case& c, const Session& session, bool best) {
  const auto earlier = static_cast<std::ptrdiff_t>(p.kernel_times.size());
  const auto round = Clock::now();
  do {
    const auto start = Clock::now();
    const Event event = session.enqueue(p.kernel, c.range);
    check(clFinish(session.queue()), "clFinish");
    p.wall_times.push_back(ms_since(start));
    p.kernel_times.push_back(kernel_ms(event));
  } while (ms_since(round) < kRoundMs);
  p.round_times.push_back(summary({p.kernel_times.begin() + earlier, p.kernel_times.end()}, best));
}

double median_ratio(const Prepared& peer, const Prepared& first) {
  if (peer.round_times.size() != first.round_times.size()) return 0;
  std::vector<double> ratios;
  for (std::size_t i = 0; i < peer.round_times.size(); ++i)
    if (first.round_times[i] > 0) ratios.push_back(peer.round_times[i] / first.round_times[i]);
  return summary(std::move(ratios), false);
}

}  // namespace

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

std::vector<Peer> find_peers(const std::string& only) {
  std::vector<Peer> peers;
  for (cl_platform_id platform : all_platforms()) {
    const std::string platform_name = platform_string(platform, CL_PLATFORM_NAME);
    const auto devices = all_devices(platform);
    if (devices.empty()) continue;
    const bool pocl = platform_name == "Portable Computing Language";
    const std::string name =
        (pocl ? "PoCL" : platform_name) + " " + device_string(devices[0], CL_DRIVER_VERSION);
    if (platform_name.find(only) == std::string::npos && name.find(only) == std::string::npos) continue;
    peers.push_back({name, devices[0], std::make_unique<Session>(devices[0])});
  }
  std::stable_partition(peers.begin(), peers.end(),
                        [](const Peer& p) { return p.name.rfind("Weft", 0) == 0; });
  return peers;
}

Row run_case(const Case& c, std::vector<Peer>& peers, int rounds, bool best) {
  Row row{c.name, c.work, c.unit, std::vector<Times>(peers.size()), c.needs_warps};
  std::vector<Prepared> prepared(peers.size());
  const auto guarded = [&](std::size_t i, auto work) {
    if (!row.times[i].problem.empty()) return;
    try {
      work(*peers[i].session);
    } catch (const std::exception& error) {
      // Of a build log the first line says enough.
      const std::string what = error.what();
      row.times[i].problem = what.substr(0, what.find('\n'));
    }
  };
  for (std::size_t i = 0; i < peers.size(); ++i) {
    guarded(i, [&](const Session& session) {
      prepared[i] = prepare(c, session);
      session.finish(session.enqueue(prepared[i].kernel, c.range));
      row.times[i].problem = c.check(output_of(prepared[i], c, session));
    });
  }
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < peers.size(); ++i) {
      guarded(i, [&](const Session& session) { measure(prepared[i], c, session, best); });
    }
  }
  for (std::size_t i = 0; i < peers.size(); ++i) {
    row.times[i].kernel_ms = summary(prepared[i].kernel_times, best);
    row.times[i].wall_ms = summary(prepared[i].wall_times, best);
    row.times[i].ratio = median_ratio(prepared[i], prepared[0]);
  }
  return row;
}

}  // namespace weft::bench
