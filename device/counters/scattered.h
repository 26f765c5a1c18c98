// Short ways to what loads and stores cost that differ each time: gathers, private arrays with indices of the lanes' own,
// progressions under ever different masks. Patterns like these are not worth remembering (access_memo.h).
#pragma once

#include <cstdint>

#include "device/counters/access_cost.h"

namespace weft::device::counters {

/// How many sectors of 32 bytes the live lanes touch; 0: not known.
using CountSectors = unsigned (*)(const std::uint64_t* address, std::uint32_t mask);

/// For accesses of a kind, on this processor; null if there is no short way. Global memory since 3.0: known if no two lanes touch one
/// sector. Private memory since 3.0, of words of up to 4 bytes: always known.
CountSectors count_sectors(Capability capability, const AccessKind& kind);

/// The same of global memory since 3.0 where lane l is at start + (l << shift), so that no byte is accessed twice.
unsigned progression_sectors(std::uint64_t start, unsigned shift, std::uint32_t mask);
/// The shift of a record of that form; kNoShift if it has another, or its accesses cost by another rule.
inline constexpr unsigned kNoShift = ~0u;
unsigned progression_shift(Capability capability, const AccessKind& kind, const abi::CountedRecord& record);

/// Accesses of one site whose sectors were known.
struct ScatteredSums {
  std::uint64_t times = 0, sectors = 0, requested_bytes = 0, fewest = 0;

  void add(unsigned touched, unsigned bytes) {
    ++times;
    sectors += touched;
    requested_bytes += bytes;
    fewest += (bytes + kSectorBytes - 1) / kSectorBytes;  // each lane's bytes are its own
  }
  ScatteredSums& operator+=(const ScatteredSums& other) {
    times += other.times;
    sectors += other.sectors;
    requested_bytes += other.requested_bytes;
    fewest += other.fewest;
    return *this;
  }
  CostSums cost() const {
    return {.requests = times,
            .transactions = sectors,
            .transactions_32 = sectors,
            .sectors = sectors,
            .passes = times,
            .requested_bytes = requested_bytes,
            .transferred_bytes = sectors * kSectorBytes,
            .fewest = fewest};
  }

 private:
  static constexpr unsigned kSectorBytes = 32;
};

}  // namespace weft::device::counters
