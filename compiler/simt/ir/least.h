// The primitive that chooses what a warp runs next (simt/masks/dispatch.h).
#pragma once

#include <llvm/ADT/StringRef.h>

namespace weft::compiler::simt::primitive {

/// `i32 weft.least(i32)`: the least of the unsigned values of a warp's lanes; uniform.
inline constexpr llvm::StringLiteral kLeast = "weft.least";

}  // namespace weft::compiler::simt::primitive
