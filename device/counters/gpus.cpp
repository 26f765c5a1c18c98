#include "device/counters/gpus.h"

#include <algorithm>
#include <cctype>

namespace weft::device::counters {
namespace {

constexpr Gpu kGpus[] = {
#define WEFT_GPU(name, major, minor, multiprocessors, clock, bandwidth) {name, {major, minor}, multiprocessors, clock, bandwidth},
#include "device/counters/gpus.def"
#undef WEFT_GPU
};

/// "GeForce GTX 280" → "gtx280".
std::string plain(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '+') text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  for (const std::string_view brand : {"nvidia", "geforce", "tesla", "quadro"}) {
    if (text.starts_with(brand)) text.erase(0, brand.size());
  }
  return text;
}

}  // namespace

std::span<const Gpu> known_gpus() { return kGpus; }

const Gpu* find_gpu(std::string_view name) {
  const std::string wanted = plain(name);
  const Gpu* const found = std::find_if(std::begin(kGpus), std::end(kGpus), [&](const Gpu& gpu) { return plain(gpu.name) == wanted; });
  return found == std::end(kGpus) ? nullptr : found;
}

LaunchLimits launch_limits(Capability capability) {
  const MultiprocessorLimits& limits = multiprocessor_limits(capability);
  LaunchLimits result{limits.group_items, {512, 512, 64}, {65535, 65535, 65535}, 64 * 1024, limits.group_local_bytes, limits.item_registers};
  if (capability >= kCc20) result.group_size[0] = result.group_size[1] = 1024;
  if (capability >= kCc30) result.groups[0] = (std::uint64_t{1} << 31) - 1;
  return result;
}

std::optional<std::string> refusal(const Gpu& gpu, const KernelResources& kernel, const std::uint64_t (&local_size)[3],
                                   const std::uint64_t (&groups)[3]) {
  const LaunchLimits limits = launch_limits(gpu.capability);
  const auto text = [](std::uint64_t value) { return std::to_string(value); };
  const std::string there = std::string(" on a ") + gpu.name;
  if (kernel.group_items > limits.group_items) {
    return "work-groups of " + text(kernel.group_items) + " work-items; at most " + text(limits.group_items) + there;
  }
  for (int d = 0; d < 3; ++d) {
    if (local_size[d] > limits.group_size[d]) {
      return "work-groups of " + text(local_size[d]) + " work-items along dimension " + text(d) + "; at most " + text(limits.group_size[d]) + there;
    }
    if (groups[d] > limits.groups[d]) {
      return text(groups[d]) + " work-groups along dimension " + text(d) + "; at most " + text(limits.groups[d]) + there;
    }
  }
  // On 1.x arguments lie there, too.
  const std::uint64_t local = group_local_bytes(gpu.capability, kernel) - multiprocessor_limits(gpu.capability).reserved_local_bytes;
  if (local > limits.local_bytes) {
    return text(local) + " bytes of local memory" + (gpu.capability < kCc20 ? ", arguments among them" : "") + "; at most " +
           text(limits.local_bytes) + there;
  }
  if (kernel.item_registers > limits.item_registers) return std::nullopt;  // the compiler there would keep some in memory
  if (occupancy(gpu.capability, kernel).groups == 0) {
    return text(kernel.item_registers) + " registers a work-item, by estimate, and " + text(kernel.group_items) +
           " work-items a work-group; a multiprocessor has " + text(multiprocessor_limits(gpu.capability).registers) + " registers" + there;
  }
  return std::nullopt;
}

}  // namespace weft::device::counters
