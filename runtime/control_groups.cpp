#include "runtime/control_groups.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

namespace weft::runtime {
namespace {

namespace fs = std::filesystem;

/// The number that a file of the kernel's holds, or `fallback` ("max", -1, no such file).
double number_in(std::istream& in, double fallback) {
  double value = 0;
  return in >> value && value >= 0 ? value : fallback;
}

/// Calls `visit` with the folder of a control group and with those of the groups that hold it: a limit binds all below it. In a
/// container the group's own folder may not be there, and the mount is that of the container.
template <class Visit>
void visit_along(const fs::path& mount, std::string group, Visit visit) {
  for (;;) {
    visit(mount.string() + group);
    const std::size_t slash = group.rfind('/');
    if (group.empty() || slash == std::string::npos) return;
    group.resize(slash);
  }
}

/// A quota of `period`; v2 has both in one file, "250000 100000" or "max 100000".
void lower_processors(ControlGroupLimits& limits, double quota, double period) {
  if (quota <= 0 || period <= 0) return;
  limits.processors = limits.processors > 0 ? std::min(limits.processors, quota / period) : quota / period;
}

bool names(const std::string& controllers, const char* name) {
  std::istringstream list(controllers);
  for (std::string one; std::getline(list, one, ',');) {
    if (one == name) return true;
  }
  return false;
}

}  // namespace

ControlGroupLimits control_group_limits(const fs::path& root) {
  ControlGroupLimits limits;
  const auto lower_memory = [&](const std::string& file) {
    std::ifstream in(file);
    std::uint64_t bytes = 0;
    if (in >> bytes) limits.memory_bytes = std::min(limits.memory_bytes, bytes);
  };
  const fs::path mounts = root / "sys/fs/cgroup";
  std::ifstream groups(root / "proc/self/cgroup");  // lines "hierarchy:controllers:path"
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1), path = line.substr(second + 1);
    if (controllers.empty()) {
      // Beside version 1 systemd mounts version 2 at "unified".
      for (const fs::path& mount : {mounts, mounts / "unified"}) {
        visit_along(mount, path, [&](const std::string& folder) {
          lower_memory(folder + "/memory.max");
          std::ifstream in(folder + "/cpu.max");
          const double quota = number_in(in, 0);
          lower_processors(limits, quota, number_in(in, 0));
        });
      }
    }
    if (names(controllers, "memory")) {
      visit_along(mounts / "memory", path, [&](const std::string& folder) { lower_memory(folder + "/memory.limit_in_bytes"); });
    }
    if (names(controllers, "cpu")) {
      // Mounted together the folder has both names, and a link for each.
      visit_along(mounts / "cpu", path, [&](const std::string& folder) {
        std::ifstream quota(folder + "/cpu.cfs_quota_us"), period(folder + "/cpu.cfs_period_us");
        lower_processors(limits, number_in(quota, 0), number_in(period, 0));
      });
    }
  }
  return limits;
}

}  // namespace weft::runtime
