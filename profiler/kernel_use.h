// What a run did with each kernel: its launches together.
#pragma once

#include <string>
#include <vector>

#include "device/counters/launch_report.h"
#include "profiler/run.h"

namespace weft::profiler {

/// Launches of one kernel with the same sizes.
struct Configuration {
  std::vector<std::uint64_t> global_size, local_size;
  std::size_t launches = 0, counted = 0;
  std::uint64_t time_ns = 0;
  device::counters::KernelResources resources;  ///< of the last that was counted
  std::uint64_t groups() const;
};

struct KernelUse {
  std::size_t kernel = 0;
  std::vector<std::size_t> launches;  ///< commands
  std::size_t counted = 0;            ///< of them
  std::uint64_t time_ns = 0;
  std::uint64_t memory_bytes = 0;  ///< the most that a launch had among its arguments
  std::vector<Configuration> configurations;  ///< by time
  device::counters::LaunchReport report;  ///< what all launches have in common, as far as counter_list.h asks; no counts
  device::counters::Counts total;         ///< over counted launches; what a GPU's tools would say of it follows by counter_list.h
  std::vector<device::counters::LineCounts> lines;  ///< those that did anything, by file and line
  std::vector<Access> accesses;  ///< by line; of equal ones the worst
};

/// What reports call each: its name, and where programs were built several ways with that name the options that tell it apart.
std::vector<std::string> labels_of(const Run& run, const std::vector<KernelUse>& uses);

/// By time, the longest first.
std::vector<KernelUse> uses_of(const Run& run);

/// Steps lost: transactions and passes beyond those that would have done, and a step for each 32 lanes that an instruction was
/// issued to in vain. A rank, no time.
double wasted_steps(const device::counters::Counts& counts);

/// Issued instructions' lanes that did nothing, in warps.
double idle_steps(const device::counters::Counts& counts);

/// Of these, those of instructions that others of their warp's lanes ran.
double parted_steps(const device::counters::Counts& counts);

}  // namespace weft::profiler
