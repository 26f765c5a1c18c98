// One memory instruction of a warp, as every model of this folder takes it.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <utility>

namespace weft::device::counters {

inline constexpr unsigned kWarpSize = 32;

/// An atomic without result is what GPU tools call a reduction.
enum class Kind : std::uint8_t { load, store, atomic, reduction };

/// Addresses and width are in bytes; bit k of the mask stands for lane k. Only active lanes' addresses count.
struct WarpAccess {
  std::array<std::uint64_t, kWarpSize> address{};
  std::uint32_t mask = ~0u;
  std::uint8_t width = 4;
  std::uint8_t align = 16;  ///< what the compiler knows to divide all addresses; words are no wider
  Kind kind = Kind::load;

  bool active(unsigned lane) const { return mask >> lane & 1; }
  unsigned lanes() const { return std::popcount(mask); }
  bool is_atomic() const { return kind == Kind::atomic || kind == Kind::reduction; }
};

/// Calls f(lane) for each set bit of the mask, from the lowest.
template <typename F>
void for_each_lane(std::uint32_t mask, F&& f) {
  for (; mask; mask &= mask - 1) f(static_cast<unsigned>(std::countr_zero(mask)));
}

/// The mask of `count` lanes from lane `first`.
constexpr std::uint32_t lanes_of(unsigned first, unsigned count) {
  return count >= kWarpSize ? ~0u : ((1u << count) - 1) << first;
}

/// The widest word of 1, 2, 4, 8 or 16 bytes that divides the width, the alignment and every active address. A GPU loads and
/// stores words of these sizes alone, each at a multiple of its size (Programming Guide §3.1.2.1), so a wider
/// or an odd access is several instructions.
inline unsigned widest_word(const WarpAccess& access) {
  std::uint64_t bits = access.width | access.align | 16u;
  for_each_lane(access.mask, [&](unsigned lane) { bits |= access.address[lane]; });
  return static_cast<unsigned>(bits & -bits);
}

/// Calls f(access) for each instruction that the access needs; once, without a copy, for an aligned word.
template <typename F>
void for_each_instruction(const WarpAccess& access, F&& f) {
  const unsigned word = widest_word(access);
  if (word == access.width) {
    f(access);
    return;
  }
  WarpAccess piece = access;
  piece.width = static_cast<std::uint8_t>(word);
  for (unsigned offset = 0; offset < access.width; offset += word) {
    for_each_lane(access.mask, [&](unsigned lane) { piece.address[lane] = access.address[lane] + offset; });
    f(std::as_const(piece));
  }
}

/// Bytes that the lanes asked for; a byte counts once for each lane that asks.
inline unsigned requested_bytes(const WarpAccess& access) { return access.lanes() * access.width; }

/// Bytes that the lanes asked for; a byte counts once.
unsigned distinct_bytes(const WarpAccess& access);

/// One lane in place of all. A compiler may issue a reduction whose address and operand are the same in all
/// lanes once a warp, with the sum (silicon: row atomic_same of h200-2.tsv). The caller knows whether both
/// are uniform at compile time: addresses that merely agree at run time are not joined (row atomic_modulo,
/// modulus=1).
inline WarpAccess joined(WarpAccess access) {
  access.mask &= -access.mask;
  return access;
}

}  // namespace weft::device::counters
