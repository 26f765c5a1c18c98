// Strides that a kernel is told, as `x[get_global_id(0) * increment]` of libraries of vectors and arrays: nearly all launches say 1, and
// only code that knows it can load lanes' elements as neighbours; or a lane's, where a loop goes through them, as `a[i * row_stride + k * column_stride]`
// of matrices that may be transposed, or `p += step`.
#pragma once

#include <cstdint>
#include <optional>

#include "compiler/argument_formats.h"

namespace llvm {
class Argument;
class Function;
}  // namespace llvm

namespace weft::compiler::simt {

/// An integer in an argument: all of it, or a field of a struct that is handed over by value, as arrays' shapes and strides are. In bytes.
struct ArgumentField {
  std::uint32_t offset = 0, size = 0;
};

/// The first integer of `argument`, of a linked and scalar-optimized kernel, that a work-item's place along x is multiplied by, or its place in a row that
/// a division cuts out, or, where lanes have rows of their own, a loop's counter, or by which a loop goes on there; or that says how many rows each work-item
/// has: `first = get_global_id(1) * rows_of_item`, up to `first + rows_of_item`. Of one row there is no loop (single_iterations.h). One that is no stride
/// after all costs code of its own where it is 1, nothing else. Of structs that the kernel writes to there is none.
std::optional<ArgumentField> stride_in(const llvm::Argument& argument);

/// What `formats` says of arguments that are neither images nor samplers: the word behind those.
std::uint32_t facts_word(const llvm::Function& kernel, const ArgumentFormats& formats);

/// The same of the word behind that: which are bounds of 31 bits.
std::uint32_t bounds_word(const llvm::Function& kernel, const ArgumentFormats& formats);

/// Makes 1 of the arguments, and of the fields of structs, that `formats` says it of. Whether there are any. Of structs of a kernel whose ids are `turned`
/// (turned_ids.h) nothing is known: which field is meant follows from the ids.
bool set_unit_strides(llvm::Function& kernel, const ArgumentFormats& formats, bool turned);

}  // namespace weft::compiler::simt
