// Indices of places in buffers.
#pragma once

#include <llvm/ADT/StringRef.h>

namespace llvm {
class Argument;
class Instruction;
}

namespace weft::compiler::simt {

/// On a kernel's arguments of which launches say that they are the start of a buffer, and on the loads of such arguments.
inline constexpr llvm::StringLiteral kStartAttribute = "weft-start", kStartMetadata = "weft.start";

/// Whether `index`, a number that is extended by its sign, is what places in one buffer follow from and nothing else: the buffer's start (kStartMetadata), the
/// index by a factor, and constants. Work-items that access such a place have an index that is not negative, but for these constants, which are small:
/// nothing of a buffer lies in front of its start.
bool is_place_in_buffer(const llvm::Instruction& index);

/// Whether there are such indices behind `argument`, a pointer that a kernel is given: it helps to know that it is a start.
bool has_places(const llvm::Argument& argument);

}  // namespace weft::compiler::simt
