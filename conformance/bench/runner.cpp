#include "bench/runner.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <stdexcept>

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
  std::unique_ptr<NativeCase> native;  ///< in place of all that
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

std::vector<std::byte> output_of(const Prepared& p, const Case& c, const Peer& peer) {
  if (p.native) return p.native->output(c);
  const Session& session = *peer.session;
  if (!c.image_output) return session.download<std::byte>(p.buffers[c.output], c.buffers[c.output].size());
  const auto& image = c.images[c.output];
  const std::size_t origin[3] = {}, region[3] = {static_cast<std::size_t>(image.size[0]), static_cast<std::size_t>(image.size[1]), 1};
  std::vector<std::byte> bytes(region[0] * region[1] * static_cast<std::size_t>(image.texel_bytes()));
  check(clEnqueueReadImage(session.queue(), p.images[c.output], CL_TRUE, origin, region, 0, 0, bytes.data(), 0, nullptr, nullptr),
        "clEnqueueReadImage");
  return bytes;
}

/// What the shell command writes. Throws if it fails.
std::string output_of_command(const std::string& command) {
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (!pipe) throw std::runtime_error("no shell for " + command);
  std::string text;
  char part[4096];
  for (std::size_t size; (size = std::fread(part, 1, sizeof part, pipe)) > 0;) text.append(part, size);
  if (const int status = pclose(pipe)) throw std::runtime_error(command + " ends with " + std::to_string(status));
  return text;
}

std::string program_text(const Case& c, const Peer& peer) {
  const std::string file = std::string(WEFT_BENCH_KERNELS "/") + c.file;
  return peer.spirv.empty() ? read_text(file) : output_of_command(peer.spirv + " " + c.options + " " + file);
}

Prepared prepare(const Case& c, const Peer& peer) {
  Prepared p;
  if (peer.native) {
    p.native = std::make_unique<NativeCase>(c, *peer.native);
    return p;
  }
  const Session& session = *peer.session;
  p.program = session.build(program_text(c, peer), c.options);
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

/// Runs the case once; its wall time and the kernel's.
std::pair<double, double> run_once(const Prepared& p, const Case& c, const Peer& peer) {
  const auto start = Clock::now();
  if (p.native) {
    p.native->run();
    const double time = ms_since(start);
    return {time, time};
  }
  const Event event = peer.session->enqueue(p.kernel, c.range);
  check(clFinish(peer.session->queue()), "clFinish");
  const double time = ms_since(start);
  return {time, kernel_ms(event)};
}

void measure(Prepared& p, const Case& c, const Peer& peer, bool best) {
  const auto earlier = static_cast<std::ptrdiff_t>(p.kernel_times.size());
  if (p.native) peer.native->begin_round();
  const auto round = Clock::now();
  do {
    const auto [wall, kernel] = run_once(p, c, peer);
    p.wall_times.push_back(wall);
    p.kernel_times.push_back(kernel);
  } while (ms_since(round) < kRoundMs);
  if (p.native) peer.native->end_round();
  p.round_times.push_back(summary({p.kernel_times.begin() + earlier, p.kernel_times.end()}, best));
}

bool named(const std::string& name, const std::vector<std::string>& only) {
  return only.empty() || std::any_of(only.begin(), only.end(), [&](const auto& part) { return name.find(part) != std::string::npos; });
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

std::vector<Peer> find_peers(const std::vector<std::string>& only) {
  std::vector<Peer> peers;
  for (cl_platform_id platform : all_platforms()) {
    const std::string platform_name = platform_string(platform, CL_PLATFORM_NAME);
    const auto devices = all_devices(platform);
    if (devices.empty()) continue;
    const bool pocl = platform_name == "Portable Computing Language";
    const std::string name =
        (pocl ? "PoCL" : platform_name) + " " + device_string(devices[0], CL_DRIVER_VERSION);
    if (!named(platform_name, only) && !named(name, only)) continue;
    peers.push_back({name, devices[0], std::make_unique<Session>(devices[0]), nullptr});
  }
  std::stable_partition(peers.begin(), peers.end(),
                        [](const Peer& p) { return p.name.rfind("Weft", 0) == 0; });
  return peers;
}

void add_spirv_peers(std::vector<Peer>& peers, const std::string& command) {
  for (std::size_t i = 0, count = peers.size(); i < count; ++i) {
    if (!peers[i].session || peers[i].name.rfind("Weft", 0) != 0) continue;
    peers.push_back({peers[i].name + ", SPIR-V", peers[i].device, std::make_unique<Session>(peers[i].device), nullptr, command});
  }
}

void add_native_peer(std::vector<Peer>& peers, const std::string& processor, const std::vector<std::string>& only) {
  const std::string name = "C++ (clang 19, OpenMP" + (processor == "native" ? ")" : ", " + processor + ")");
  if (!named(name, only)) return;
  if (auto module = NativeModule::load(processor)) peers.push_back({name, nullptr, nullptr, std::move(module)});
}

Row run_case(const Case& c, std::vector<Peer>& peers, int rounds, bool best) {
  Row row{c.name, c.work, c.unit, std::vector<Times>(peers.size()), c.needs_warps};
  std::vector<Prepared> prepared(peers.size());
  const auto guarded = [&](std::size_t i, auto work) {
    if (row.times[i].absent || !row.times[i].problem.empty()) return;
    try {
      work(peers[i]);
    } catch (const std::exception& error) {
      // Of a build log the first line says enough.
      const std::string what = error.what();
      row.times[i].problem = what.substr(0, what.find('\n'));
    }
  };
  for (std::size_t i = 0; i < peers.size(); ++i) {
    row.times[i].absent = peers[i].native && !peers[i].native->function_of(c);
    guarded(i, [&](const Peer& peer) {
      prepared[i] = prepare(c, peer);
      run_once(prepared[i], c, peer);
      row.times[i].problem = c.check(output_of(prepared[i], c, peer));
    });
  }
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < peers.size(); ++i) {
      guarded(i, [&](const Peer& peer) { measure(prepared[i], c, peer, best); });
    }
  }
  for (std::size_t i = 0; i < peers.size(); ++i) {
    row.times[i].kernel_ms = summary(prepared[i].kernel_times, best);
    row.times[i].wall_ms = summary(prepared[i].wall_times, best);
    if (!best) row.times[i].ratio = median_ratio(prepared[i], prepared[0]);
  }
  return row;
}

}  // namespace weft::bench
