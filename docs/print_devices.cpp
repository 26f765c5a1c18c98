// Prints the table of docs/devices.md, from the list that the code uses: `cmake --build . --target docs-devices`.
#include <cstdio>
#include <string>

#include "device/counters/gpus.h"

int main(int count, char** words) {
  using namespace weft::device::counters;
  // The page's text stands in a file beside; the table goes in place of its line "@devices@".
  std::FILE* const text = count == 2 ? std::fopen(words[1], "r") : nullptr;
  if (!text) return 2;
  char line[4096];
  while (std::fgets(line, sizeof line, text)) {
    if (std::string(line) != "@devices@\n") {
      std::fputs(line, stdout);
      continue;
    }
    std::printf("| `WEFT_DEVICE` | capability | multiprocessors | clock | memory | work-items a group | local memory | registers |\n|---|---|---:|---:|---:|---:|---:|---:|\n");
    for (const Gpu& gpu : known_gpus()) {
      const LaunchLimits limits = launch_limits(gpu.capability);
      std::printf("| %s | %u.%u | %u | %.0f MHz | %.1f GB/s | %u | %llu KiB | %u |\n", gpu.name, gpu.capability.major, gpu.capability.minor,
                  gpu.multiprocessors, gpu.clock_mhz, gpu.bandwidth_gb_s, limits.group_items,
                  static_cast<unsigned long long>(limits.local_bytes / 1024), multiprocessor_limits(gpu.capability).registers);
    }
  }
  std::fclose(text);
}
