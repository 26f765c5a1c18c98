// Atomics on local memory, compute capability 2.x and higher: a bank serves one lane a wavefront, whether
// lanes share a word or not (9.0: silicon/h200-2.tsv, rows atomic_shared_modulo; h200-3.tsv, rows atomic1).
// No guide gives a rule for 2.x to 5.x; they take this one. An 8-byte word occupies two banks.
#include <algorithm>

#include "device/counters/local_memory.h"

namespace weft::device::counters {

LocalCost local_atomics(const WarpAccess& access) {
  std::array<unsigned, 32> lanes_of_bank{};
  unsigned most = 0;
  for_each_lane(access.mask, [&](unsigned lane) {
    for (unsigned offset = 0; offset < access.width; offset += 4) {
      most = std::max(most, ++lanes_of_bank[(access.address[lane] + offset) / 4 % 32]);
    }
  });
  return {.requests = 1, .wavefronts = most, .conflicts = most - 1};
}

}  // namespace weft::device::counters
