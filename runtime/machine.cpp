#include "runtime/machine.h"

#include <cpuid.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string_view>

#include "runtime/control_groups.h"

namespace weft::runtime::machine {
namespace {

/// The number that a file of the kernel's holds, or `fallback` ("max", no such file).
std::uint64_t number_in(const std::string& path, std::uint64_t fallback) {
  std::uint64_t value = 0;
  std::ifstream file(path);
  return file >> value ? value : fallback;
}

/// Of the process's affinity mask.
std::uint32_t allowed_processors() {
  // More processors than cpu_set_t holds: EINVAL; ask again with a larger set.
  for (int count = CPU_SETSIZE; count <= 1 << 20; count *= 4) {
    cpu_set_t* set = CPU_ALLOC(count);
    if (!set) break;
    const int result = sched_getaffinity(0, CPU_ALLOC_SIZE(count), set);
    const int allowed = result == 0 ? CPU_COUNT_S(CPU_ALLOC_SIZE(count), set) : 0;
    CPU_FREE(set);
    if (allowed > 0) return static_cast<std::uint32_t>(allowed);
  }
  return static_cast<std::uint32_t>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
}

/// As they were when they were first asked for: a dozen files are read for them, in a tenth of the time of a build from the cache.
const ControlGroupLimits& limits() {
  static const ControlGroupLimits once = control_group_limits();
  return once;
}

}  // namespace

std::uint32_t processors() {
  const std::uint32_t allowed = allowed_processors();
  const double quota = limits().processors;
  // The last worker has a part of a processor.
  return quota > 0 ? std::min(allowed, static_cast<std::uint32_t>(std::ceil(std::clamp(quota, 1.0, 1e6)))) : allowed;
}

std::uint64_t memory() {
  const auto pages = static_cast<std::uint64_t>(std::max(0L, sysconf(_SC_PHYS_PAGES)));
  const auto page = static_cast<std::uint64_t>(std::max(0L, sysconf(_SC_PAGESIZE)));
  return std::min(pages * page, limits().memory_bytes);
}

std::string processor_name() {
  std::array<unsigned, 12> words{};
  unsigned highest = __get_cpuid_max(0x80000000, nullptr);
  if (highest < 0x80000004) return "x86-64 processor";
  for (unsigned i = 0; i < 3; ++i) {
    __get_cpuid(0x80000002 + i, &words[4 * i], &words[4 * i + 1], &words[4 * i + 2], &words[4 * i + 3]);
  }
  char text[49] = {};
  std::memcpy(text, words.data(), 48);
  std::string_view name = text;
  while (!name.empty() && name.front() == ' ') name.remove_prefix(1);
  while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
  return std::string(name);
}

std::uint32_t max_clock() {
  const std::uint64_t khz = number_in("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", 0);
  if (khz) return static_cast<std::uint32_t>(khz / 1000);
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    double mhz = 0;
    if (std::sscanf(line.c_str(), "cpu MHz : %lf", &mhz) == 1)
      return static_cast<std::uint32_t>(std::lround(mhz));
  }
  return 0;
}

std::uint64_t last_level_cache() {
  // The kernel's own word first: the C library counts the caches of a package's other processors, too, also where a virtual machine has none
  // of them.
  const std::string folder = "/sys/devices/system/cpu/cpu" + std::to_string(std::max(0, sched_getcpu())) + "/cache/index";
  for (const char* index : {"3", "2"})
    if (const std::uint64_t kilobytes = number_in(folder + index + "/size", 0)) return kilobytes << 10;
  for (int level : {_SC_LEVEL3_CACHE_SIZE, _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL1_DCACHE_SIZE}) {
    if (const long bytes = sysconf(level); bytes > 0) return static_cast<std::uint64_t>(bytes);
  }
  return 1 << 20;
}

std::uint32_t cache_line() {
  const long bytes = sysconf(_SC_LEVEL1_DCACHE_LINESIZE);
  return bytes > 0 ? static_cast<std::uint32_t>(bytes) : 64;
}

}  // namespace weft::runtime::machine
