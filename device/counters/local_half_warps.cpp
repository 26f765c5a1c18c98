// Compute capability 1.x: 16 banks of successive 32-bit words; each half-warp is a request of its own, and an
// 8- or 16-byte word is two or four 32-bit requests (Programming Guide §3.1.2.5).
//
// A load is served in steps. A step has one broadcast word, served to all lanes that point into it, and
// serves one lane's address of each other bank. Stores and atomics have no broadcast: a step serves one lane
// of each bank.
#include <algorithm>

#include "device/counters/local_memory.h"

namespace weft::device::counters {

namespace {

constexpr unsigned kServed = 16, kOldBanks = 16, kBankBytes = 4;

/// The words that a half-warp's lanes point into, and how many lanes of each are left to serve.
struct Words {
  std::array<std::uint64_t, kServed> word;
  std::array<unsigned, kServed> lanes;
  std::array<unsigned, kOldBanks> in_bank{};  ///< lanes left, by bank
  unsigned count = 0;

  void add(std::uint64_t added) {
    const unsigned i =
        static_cast<unsigned>(std::find(word.begin(), word.begin() + count, added) - word.begin());
    if (i == count) {
      word[count] = added;
      lanes[count++] = 0;
    }
    ++lanes[i];
    ++in_bank[added % kOldBanks];
  }
  unsigned bank(unsigned i) const { return word[i] % kOldBanks; }
  unsigned fullest_bank() const { return *std::max_element(in_bank.begin(), in_bank.end()); }
};

/// Best: the word with most lanes left in the fullest bank. Worst: the word with fewest lanes left, in the
/// bank with fewest.
unsigned broadcast_word(const Words& words, Broadcast broadcast) {
  unsigned chosen = kServed;
  for (unsigned i = 0; i < words.count; ++i) {
    if (words.lanes[i] == 0) continue;
    if (chosen == kServed) {
      chosen = i;
      continue;
    }
    const unsigned here = words.in_bank[words.bank(i)], there = words.in_bank[words.bank(chosen)];
    const bool more = here != there ? here > there : words.lanes[i] > words.lanes[chosen];
    if (more == (broadcast == Broadcast::best)) chosen = i;
  }
  return chosen;
}

unsigned steps_of_load(Words words, Broadcast broadcast) {
  unsigned steps = 0;
  for (; words.fullest_bank() > 0; ++steps) {
    const unsigned chosen = broadcast_word(words, broadcast);
    words.in_bank[words.bank(chosen)] -= words.lanes[chosen];
    words.lanes[chosen] = 0;
    std::uint32_t served = 1u << words.bank(chosen);
    for (unsigned i = 0; i < words.count; ++i) {
      if (words.lanes[i] == 0 || served >> words.bank(i) & 1) continue;
      served |= 1u << words.bank(i);
      --words.lanes[i];
      --words.in_bank[words.bank(i)];
    }
  }
  return steps;
}

}  // namespace

LocalCost local_half_warps(const WarpAccess& access, Broadcast broadcast) {
  LocalCost cost;
  cost.requests = 1;
  for (unsigned offset = 0; offset < access.width; offset += kBankBytes) {
    for (unsigned first = 0; first < kWarpSize; first += kServed) {
      const std::uint32_t half = access.mask & lanes_of(first, kServed);
      if (half == 0) continue;
      Words words;
      for_each_lane(half, [&](unsigned lane) { words.add((access.address[lane] + offset) / kBankBytes); });
      const unsigned steps =
          access.kind == Kind::load ? steps_of_load(words, broadcast) : words.fullest_bank();
      cost.wavefronts += steps;
      cost.conflicts += steps - 1;
    }
  }
  return cost;
}

}  // namespace weft::device::counters
