// Random kernels as programs write them: loops over rows and columns of arrays, products by blocks, taps of filters, running sums, tiles
// in local memory. The generator of generator.h hardly ever makes what the passes look for that make such loops fast; this one makes
// little else. Its kernels are well defined in the same way, and are run and judged alike.
#pragma once

#include <cstdint>

#include "compiler/fuzz/tree.h"

namespace weft::fuzz {

/// Of buffers and values whose names begin so, the contents are: small whole numbers of that type; 1, 1, 1 and 0 in turn, of bytes; and of a
/// value an integer below kSmallValues. A pointer whose name begins with kSameAs is the buffer of the rest of its name, which stands before it.
inline constexpr const char* kSmallFloats = "floats_";
inline constexpr const char* kSmallDoubles = "doubles_";
inline constexpr const char* kEveryFourthZero = "ends_";
inline constexpr const char* kSmallValue = "small_";
inline constexpr const char* kSameAs = "same_as_";
inline constexpr unsigned kSmallValues = 20;

/// A whole program with one kernel, `k`.
NodePtr array_program(std::uint64_t seed);

}  // namespace weft::fuzz
