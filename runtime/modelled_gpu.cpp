#include "runtime/modelled_gpu.h"

#include <cstdio>
#include <string>

#include "runtime/context.h"
#include "runtime/error.h"
#include "runtime/options.h"

namespace weft::runtime {

using device::counters::Gpu;

namespace {

const Gpu* read_gpu() {
  const std::string& name = options().device;
  if (name.empty()) return nullptr;
  if (const Gpu* const gpu = device::counters::find_gpu(name)) return gpu;
  std::string known;
  for (const Gpu& gpu : device::counters::known_gpus()) known += (known.empty() ? "" : ", ") + std::string(gpu.name);
  std::fprintf(stderr, "weft: WEFT_DEVICE: no model of \"%s\"; the device is as without it. Known: %s\n", name.c_str(), known.c_str());
  return nullptr;
}

}  // namespace

const Gpu* modelled_gpu() {
  static const Gpu* const gpu = read_gpu();
  return gpu;
}

void require_fits_gpu(const Kernel& kernel, const NDRange& range, std::uint64_t local_bytes) {
  const Gpu* const gpu = modelled_gpu();
  if (!gpu) return;
  const compiler::KernelInfo& info = kernel.description();
  device::counters::KernelResources resources;
  resources.group_items = static_cast<unsigned>(range.local[0] * range.local[1] * range.local[2]);
  resources.item_registers = info.registers;
  resources.local_bytes = static_cast<unsigned>(local_bytes);
  resources.argument_bytes = info.argument_bytes;
  std::uint64_t local[3], groups[3];
  for (unsigned d = 0; d < 3; ++d) {
    local[d] = range.local[d];
    groups[d] = range.global[d] / range.local[d];
  }
  const auto reason = device::counters::refusal(*gpu, resources, local, groups);
  if (!reason) return;
  const std::string message = "weft: kernel " + info.name + ": " + *reason;
  std::fprintf(stderr, "%s\n", message.c_str());
  kernel.context().report(message.c_str());
  throw Error(resources.group_items > device::counters::launch_limits(gpu->capability).group_items ? CL_INVALID_WORK_GROUP_SIZE : CL_OUT_OF_RESOURCES);
}

}  // namespace weft::runtime
