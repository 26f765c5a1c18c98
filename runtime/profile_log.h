// The log of NVIDIA's command-line profiler, for scripts and viewers that read it: OPENCL_PROFILE and COMPUTE_PROFILE.
#pragma once

#include <optional>

#include "runtime/profile_file.h"

namespace weft::runtime {

struct ProfileLog {
  std::string name;
  ProfileFormat format;
  bool wants_traces;  ///< has counters of traced launches
};

/// The log that the environment asks for, if it does. A line of the configuration that is neither an option nor a counter of the
/// compute capability is left out; stderr says so.
std::optional<ProfileLog> profile_log(const device::counters::Capability& capability);

}  // namespace weft::runtime
