// GPUs by name: what a model of one needs beside its capability. The list is gpus.def.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "device/counters/capability.h"
#include "device/counters/occupancy.h"

namespace weft::device::counters {

struct Gpu {
  const char* name;
  Capability capability;
  unsigned multiprocessors;
  double clock_mhz;        ///< of the multiprocessors' processors
  double bandwidth_gb_s;   ///< the memory's peak, 10^9 bytes a second
};

std::span<const Gpu> known_gpus();

/// By its name, in upper or lower case, with or without "GeForce", "Tesla", "Quadro" and "NVIDIA"; null for another.
const Gpu* find_gpu(std::string_view name);

/// What a work-group may have there. Programming Guide Appendix A.1 (1.x); CUDA C Programming Guide, "Features and Technical Specifications".
struct LaunchLimits {
  unsigned group_items;
  unsigned group_size[3];
  std::uint64_t groups[3];  ///< along each dimension; 1.x has two-dimensional grids, and OpenCL's third is made by its driver
  std::uint64_t constant_bytes;
  std::uint64_t local_bytes;
  unsigned item_registers;
};
LaunchLimits launch_limits(Capability capability);

/// Why a launch cannot run there, in one sentence without a stop; nothing if it can.
std::optional<std::string> refusal(const Gpu& gpu, const KernelResources& kernel, const std::uint64_t (&local_size)[3],
                                   const std::uint64_t (&groups)[3]);

}  // namespace weft::device::counters
