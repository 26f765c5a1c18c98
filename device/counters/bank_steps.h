// A short way to what loads and stores of 4 bytes in local memory cost, where a warp's pattern may differ each time, as in the stores
// of a sorting network: nothing is worth remembering (access_memo.h) then.
#pragma once

#include <cstdint>

#include "device/counters/access_cost.h"

namespace weft::device::counters {

/// Steps that 32 banks need for the words of the live lanes, 1 or 2. 0: not known, as two words are the same modulo 64.
struct BankSteps {
  unsigned steps, lanes;
};
using CountBankSteps = BankSteps (*)(const std::uint64_t* address, std::uint32_t mask);
/// For this processor.
CountBankSteps count_bank_steps();

/// Whether accesses of a kind may be counted so.
bool have_bank_steps(Capability capability, const AccessKind& kind);

/// Accesses of one site whose steps were known.
struct BankSums {
  std::uint64_t times[2] = {0, 0};  ///< by steps, less one
  std::uint64_t lanes = 0;

  void add(const BankSteps& one) {
    ++times[one.steps - 1];
    lanes += one.lanes;
  }
  CostSums cost() const {
    const std::uint64_t all = times[0] + times[1];
    return {.requests = all, .passes = all + times[1], .conflicts = times[1], .requested_bytes = 4 * lanes, .fewest = all};
  }
};

}  // namespace weft::device::counters
