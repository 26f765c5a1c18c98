// A compute capability: which GPU's rules a model follows.
#pragma once

#include <compare>
#include <optional>
#include <span>
#include <string_view>

namespace weft::device::counters {

struct Capability {
  unsigned major = 9;
  unsigned minor = 0;
  friend constexpr auto operator<=>(const Capability&, const Capability&) = default;
};

inline constexpr Capability kCc10{1, 0}, kCc11{1, 1}, kCc12{1, 2}, kCc13{1, 3}, kCc20{2, 0}, kCc21{2, 1},
    kCc30{3, 0}, kCc35{3, 5}, kCc37{3, 7}, kCc50{5, 0}, kCc52{5, 2}, kCc90{9, 0};

/// Those that the models know, in ascending order.
std::span<const Capability> known_capabilities();

/// "1.3" → {1, 3}; nothing for text of another form or a capability that the models do not know.
std::optional<Capability> parse_capability(std::string_view text);

}  // namespace weft::device::counters
