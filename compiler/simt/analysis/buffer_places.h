// Indices of places in buffers.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <cstdint>

namespace llvm {
class Argument;
class Function;
class Instruction;
class Value;
}

namespace weft::compiler::simt {

/// On a kernel's arguments of which launches say that they are the start of a buffer.
inline constexpr llvm::StringLiteral kStartAttribute = "weft-start";
/// On those whose buffers are small, besides (ArgumentFormats::kMostSmall).
inline constexpr llvm::StringLiteral kSmallAttribute = "weft-small";

/// Says of `item`, and so of the regions made of it, that the argument at `offset` of the launch's is such a start. Metadata on its loads would not
/// last: LLVM drops what it does not know where it makes one load of two, as in copies of code.
void add_buffer_start(llvm::Function& item, std::uint64_t offset, bool is_small);
/// Whether `value` is the load of such an argument.
bool is_buffer_start(const llvm::Value& value);

/// Whether `index`, a number that is extended, is what places in one buffer follow from and nothing else: the buffer's start, the
/// index by a factor, and constants; a loop may go on from such a place that it accesses first, at once or where it asks whether it goes on at all. Work-items
/// that access such a place have an index that is not negative, but for these constants, which are small: nothing of a buffer lies in front of its start.
bool is_place_in_buffer(const llvm::Instruction& index);
/// The same of a small buffer. Extended by zeros, such an index is what it is extended by its sign, in all work-items that access the place.
bool is_place_in_small_buffer(const llvm::Instruction& index);

/// Whether there are such indices behind `argument`, a pointer that a kernel is given: it helps to know that it is a start.
bool has_places(const llvm::Argument& argument);
/// Whether some are extended by zeros: it helps to know that the buffer is small.
bool has_unsigned_places(const llvm::Argument& argument);

}  // namespace weft::compiler::simt
