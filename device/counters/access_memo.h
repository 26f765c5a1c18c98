// Costs of access patterns that a kernel has met, so that a model runs once a pattern.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "device/counters/access_cost.h"

namespace weft::device::counters {

/// Direct-mapped; a pattern is a mask and the live lanes' distances from an address that costs repeat after (cost_bits). For
/// one thread at a time. Hits are exact: patterns are compared, not hashes.
class AccessMemo {
 public:
  /// Throws std::bad_alloc.
  explicit AccessMemo(Capability capability);

  /// A number of the caller's for each different AccessKind, and the bits that matter to it.
  struct Class {
    AccessKind kind;
    std::uint64_t bits = 0;
  };

  /// Where a caller's last pattern was, 0 at first: that is looked at before anything is hashed.
  using Hint = std::uint32_t;

  /// The cost, if the pattern is the hint's; else null.
  const AccessCost* find(std::uint32_t class_number, const Class& of, std::uint32_t mask, const std::uint64_t* address,
                         Hint hint) const;

  /// access_cost of the class's kind. The reference holds until the next call.
  const AccessCost& cost(std::uint32_t class_number, const Class& of, std::uint32_t mask, const std::uint64_t* address,
                         Hint& hint);

 private:
  static constexpr unsigned kEntries = 512;
  struct alignas(64) Entry {
    std::array<std::uint64_t, kWarpSize> distance{};
    std::uint32_t mask = 0;  ///< 0: no entry, as no access without live lanes is looked up
    std::uint32_t class_number = 0;
    AccessCost cost;
  };
  static bool matches(const Entry& entry, std::uint32_t class_number, std::uint32_t mask, const std::uint64_t* address,
                      std::uint64_t base);

  Capability capability_;
  std::unique_ptr<Entry[]> entries_;
};

}  // namespace weft::device::counters
