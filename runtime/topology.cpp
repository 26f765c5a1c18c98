#include "runtime/topology.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <system_error>

namespace weft::runtime::topology {
namespace {

namespace fs = std::filesystem;

std::string line_of(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

bool is_numbered(const std::string& name, const std::string& prefix) {
  return name.size() > prefix.size() && name.starts_with(prefix) && name.find_first_not_of("0123456789", prefix.size()) == name.npos;
}

/// The level of a cache that the domain is of; 0: it is nodes.
unsigned level_of(cl_device_affinity_domain domain) {
  switch (domain) {
    case CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE: return 4;
    case CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE: return 3;
    case CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE: return 2;
    case CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE: return 1;
    default: return 0;
  }
}

/// What names the node or cache of a processor: equal for those that share it. Empty: there is none.
std::string name_of(int processor, unsigned level) {
  const fs::path folder = fs::path("/sys/devices/system/cpu") / ("cpu" + std::to_string(processor));
  std::error_code error;
  if (level == 0) {
    // A link to the node lies among the processor's own files.
    for (fs::directory_iterator each(folder, error), end; !error && each != end; each.increment(error)) {
      const std::string name = each->path().filename();
      if (is_numbered(name, "node")) return name;
    }
    return {};
  }
  for (fs::directory_iterator each(folder / "cache", error), end; !error && each != end; each.increment(error)) {
    const fs::path& cache = each->path();
    if (!is_numbered(cache.filename(), "index")) continue;
    if (line_of(cache / "level") == std::to_string(level) && line_of(cache / "type") != "Instruction")
      return line_of(cache / "shared_cpu_list");
  }
  return {};
}

}  // namespace

std::vector<std::vector<int>> split(const std::vector<int>& processors, cl_device_affinity_domain domain) {
  std::vector<std::vector<int>> parts;
  std::map<std::string, std::size_t> known;  // a part by its name
  for (const int processor : processors) {
    const std::string name = name_of(processor, level_of(domain));
    if (name.empty()) return {};
    const auto [place, is_new] = known.try_emplace(name, parts.size());
    if (is_new) parts.emplace_back();
    parts[place->second].push_back(processor);
  }
  return parts;
}

}  // namespace weft::runtime::topology
