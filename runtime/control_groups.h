// Limits that the process's control groups set, of both versions (the kernel's Documentation/admin-guide/cgroup-v1 and -v2): containers,
// batch systems and systemd's slices hold programs by them.
#pragma once

#include <cstdint>
#include <filesystem>

namespace weft::runtime {

struct ControlGroupLimits {
  std::uint64_t memory_bytes = UINT64_MAX;  ///< UINT64_MAX: none
  double processors = 0;                    ///< CPU time by time, as 2.5; 0: no limit
};

/// The lowest of the process's groups and of those that hold them. `root` has proc/self/cgroup and sys/fs/cgroup.
ControlGroupLimits control_group_limits(const std::filesystem::path& root = "/");

}  // namespace weft::runtime
