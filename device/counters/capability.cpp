#include "device/counters/capability.h"

namespace weft::device::counters {

namespace {
constexpr Capability kKnown[] = {kCc10, kCc11, kCc12, kCc13, kCc20, kCc21,
                                 kCc30, kCc35, kCc37, kCc50, kCc52, kCc90};
}

std::span<const Capability> known_capabilities() { return kKnown; }

std::optional<Capability> parse_capability(std::string_view text) {
  for (const Capability& known : kKnown) {
    const char spelled[] = {static_cast<char>('0' + known.major), '.', static_cast<char>('0' + known.minor)};
    if (text == std::string_view(spelled, sizeof spelled)) return known;
  }
  return std::nullopt;
}

}  // namespace weft::device::counters
