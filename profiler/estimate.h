// How long a kernel would take on a GPU, estimated from what its launches counted. Never a measurement.
//
// A kernel takes the longest of three times, as others hide behind it (docs/devices.md has the sources):
//   memory    bytes of its transactions, by what the memory gives in copies of the guide: so much of its peak, less for those of 32
//             bytes; with partition camping, where it was traced, as many times longer
//   issue     4 cycles an instruction of a warp on 8 processors, 2 for each pass of a half-warp that a bank conflict adds; every other
//             load of local memory is an operand of an arithmetic instruction, as 1.x has it
//   latency   of each access of global memory, shared by the warps that are resident
// From 2.0 on, the same three by that capability's rates, and caches by what bounds them: what repeats comes from the second level, nothing
// from the first. So memory is the longer of two:
//   device memory   bytes of its transactions, but no more of loads and of stores than its buffers hold
//   second level    all of them, a sector a cycle for each multiprocessor
// and a step of local memory has units of its own, beside those of instructions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "device/counters/counts.h"
#include "device/counters/gpus.h"
#include "profiler/kernel_use.h"

namespace weft::profiler {

enum class EstimatedBound { memory, issue, latency };

/// How that came about, in a sentence for those who read it.
const char* assumptions(device::counters::Capability capability);

struct Estimate {
  double memory_ns = 0, issue_ns = 0, latency_ns = 0;
  double bandwidth_gb_s = 0;  ///< bytes that work-items asked global memory for, by time

  double ns() const;
  EstimatedBound bound() const;
};

/// Of launches that counted `counts` together, all of the sizes and resources given. `memory_bytes`: of the buffers that they were given,
/// added up; 0: not known. Nothing for what does not fit.
std::optional<Estimate> estimate(const device::counters::Gpu& gpu, const device::counters::Counts& counts,
                                 const device::counters::KernelResources& resources, std::uint64_t groups_of_launch, std::uint64_t memory_bytes);

/// Of a kernel's counted launches, by the sizes that took longest here; nothing if the run was modelled on no GPU.
std::optional<Estimate> estimate_of(const Run& run, const KernelUse& use);

const char* spelled(EstimatedBound bound);

}  // namespace weft::profiler
