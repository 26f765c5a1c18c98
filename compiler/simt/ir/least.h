// Primitives that choose what a warp runs next (simt/masks/dispatch.h, simt/memory/lone_lanes.h).
#pragma once

#include <llvm/ADT/StringRef.h>

namespace weft::compiler::simt::primitive {

/// `i32 weft.least(i32)`: the least of the unsigned values of a warp's lanes; uniform.
inline constexpr llvm::StringLiteral kLeast = "weft.least";
/// `i1 weft.few(i1, i32 n)`: whether no more than a constant `n` of 32 lanes hold it, on average over the warps of a body; uniform.
inline constexpr llvm::StringLiteral kFew = "weft.few";

}  // namespace weft::compiler::simt::primitive
