#include "device/counters/occupancy.h"

#include <algorithm>

namespace weft::device::counters {

namespace {

constexpr unsigned kWarp = 32;
constexpr unsigned KiB = 1024;

constexpr unsigned rounded_up(unsigned value, unsigned multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

// Values in the order of the struct's fields.
constexpr MultiprocessorLimits k10 = {512, 8, 24, 8192, 124, 16 * KiB, 16 * KiB, 256, 512, 0, 1};
constexpr MultiprocessorLimits k12 = {512, 8, 32, 16384, 124, 16 * KiB, 16 * KiB, 512, 512, 0, 1};
constexpr MultiprocessorLimits k20 = {1024, 8, 48, 32768, 63, 48 * KiB, 48 * KiB, 64, 128, 0, 2};
constexpr MultiprocessorLimits k30 = {1024, 16, 64, 65536, 63, 48 * KiB, 48 * KiB, 256, 256, 0, 4};
constexpr MultiprocessorLimits k35 = {1024, 16, 64, 65536, 255, 48 * KiB, 48 * KiB, 256, 256, 0, 4};
constexpr MultiprocessorLimits k37 = {1024, 16, 64, 131072, 255, 112 * KiB, 48 * KiB, 256, 256, 0, 4};
constexpr MultiprocessorLimits k50 = {1024, 32, 64, 65536, 255, 64 * KiB, 48 * KiB, 256, 256, 0, 4};
constexpr MultiprocessorLimits k52 = {1024, 32, 64, 65536, 255, 96 * KiB, 48 * KiB, 256, 256, 0, 4};
constexpr MultiprocessorLimits k90 = {1024, 32, 64, 65536, 255, 228 * KiB, 227 * KiB, 256, 128, KiB, 4};

unsigned group_warps(const KernelResources& kernel) { return (kernel.group_items + kWarp - 1) / kWarp; }

/// Work-groups whose registers fit. 1.x gives them to a work-group, later devices to a warp; then they lie in
/// sub-partitions, and each holds whole warps.
unsigned groups_by_registers(Capability capability, const MultiprocessorLimits& limits,
                             const KernelResources& kernel) {
  if (capability < kCc20) return limits.registers / group_registers(capability, kernel);
  const unsigned of_warp = rounded_up(kernel.item_registers * kWarp, limits.register_granularity);
  // A launch is refused as if its warps filled the sub-partitions evenly.
  const unsigned most_of_group = std::min(limits.registers, 65536u);
  if (of_warp * rounded_up(group_warps(kernel), limits.sub_partitions) > most_of_group) return 0;
  const unsigned warps = limits.registers / limits.sub_partitions / of_warp * limits.sub_partitions;
  // 2.x gives registers to pairs of warps.
  const unsigned allocated = capability < kCc30 ? rounded_up(group_warps(kernel), 2) : group_warps(kernel);
  return warps / allocated;
}

}  // namespace

const MultiprocessorLimits& multiprocessor_limits(Capability capability) {
  if (capability < kCc12) return k10;
  if (capability < kCc20) return k12;
  if (capability < kCc30) return k20;
  if (capability < kCc35) return k30;
  if (capability < kCc37) return k35;
  if (capability < kCc50) return k37;
  if (capability < kCc52) return k50;
  if (capability < kCc90) return k52;
  return k90;
}

unsigned group_registers(Capability capability, const KernelResources& kernel) {
  const MultiprocessorLimits& limits = multiprocessor_limits(capability);
  const unsigned registers = std::max(kernel.item_registers, 1u) * kWarp;
  // 1.x: ceil(R × ceil(T, 32), Rmax / 32) (Programming Guide §3.2).
  if (capability < kCc20) return rounded_up(registers * group_warps(kernel), limits.register_granularity);
  return rounded_up(registers, limits.register_granularity) * group_warps(kernel);
}

unsigned group_local_bytes(Capability capability, const KernelResources& kernel) {
  const MultiprocessorLimits& limits = multiprocessor_limits(capability);
  unsigned bytes = kernel.local_bytes + limits.reserved_local_bytes;
  // 1.x keeps the arguments there, and 16 bytes of its own (the occupancy calculator).
  if (capability < kCc20) bytes += kernel.argument_bytes + 16;
  return rounded_up(bytes, limits.local_granularity);
}

Occupancy occupancy(Capability capability, const KernelResources& kernel) {
  const MultiprocessorLimits& limits = multiprocessor_limits(capability);
  Occupancy result{.max_warps = limits.warps};
  KernelResources asked = kernel;
  asked.item_registers = std::max(kernel.item_registers, 1u);
  const unsigned local = group_local_bytes(capability, asked);
  if (asked.group_items == 0 || asked.group_items > limits.group_items ||
      asked.item_registers > limits.item_registers ||
      local - limits.reserved_local_bytes > limits.group_local_bytes) {
    return result;
  }
  const unsigned by_warps = limits.warps / group_warps(asked);
  const unsigned by_registers = groups_by_registers(capability, limits, asked);
  const unsigned by_local = local ? limits.local_bytes / local : limits.groups;
  result.groups = std::min({limits.groups, by_warps, by_registers, by_local});
  if (result.groups == 0) return result;
  result.warps = result.groups * group_warps(asked);
  result.limit = result.groups == by_warps       ? OccupancyLimit::warps
                 : result.groups == by_registers ? OccupancyLimit::registers
                 : result.groups == by_local     ? OccupancyLimit::local_memory
                                                 : OccupancyLimit::groups;
  return result;
}

}  // namespace weft::device::counters
