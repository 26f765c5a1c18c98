// Rows that lanes walk along, read by pieces of 16 bytes.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>

#include <cstdint>
#include <optional>

#include "compiler/compiler_api.h"

namespace llvm {
class Function;
class LoadInst;
class Loop;
class ScalarEvolution;
class Value;
}  // namespace llvm

namespace weft::compiler::simt {

class Analyses;

/// In `for (k = 0; k < n; ++k) sum += a[row * n + k]` each work-item walks along a row of its own: in any one iteration the lanes read
/// elements that lie far apart, one gather for each register, while each lane's next elements are its neighbours. So innermost loops
/// that all lanes leave together and that write no shared memory are unrolled, as far as a row's elements fill a piece, and the piece is
/// one load of an OpenCL vector for each lane. On the processors of target/costs.h 16 such loads and the shuffles behind
/// them take 8 cycles, the four gathers in their place 42 to 51.
///
/// Nothing is read that the program does not read: pieces end where the unrolled loop does, the loop behind it runs what is left. So the
/// number of iterations has to be known before the first: unrolled otherwise, a loop may end between the elements of a piece.
/// Short rows, of a known number of elements, that are the same for each iteration of a loop around leave no loop: their pieces do not change in the loop
/// around, and are read in front of it.
/// `private_stride` is as in Shapes. True if `region` changed; `analyses` are invalid for it then. Sets `leaves_out` if lines (walked_pieces.h) are left out, as
/// they are of first code (Specialization::soon) where a line is several registers.
bool read_walked_rows(llvm::Function& region, const Specialization& specialization, unsigned lanes,
                      llvm::function_ref<std::uint32_t(unsigned)> private_stride, Analyses& analyses, bool& leaves_out);

/// Bytes by which `pointer` advances in each iteration of `loop`; none where it is not known, or not the same in all.
std::optional<std::int64_t> step_of_address(const llvm::Value& pointer, const llvm::Loop& loop, llvm::ScalarEvolution& evolution);

/// Whether `load` in `loop` reads the neighbour of what it read in the iteration before, of a type that pieces are made for.
bool walks_along(const llvm::LoadInst& load, const llvm::Loop& loop, llvm::ScalarEvolution& evolution);

/// Whether the iterations of `loop` may read together: innermost, with one way out, at its end, their number known before the first,
/// and nothing in it that others could see.
bool may_read_ahead(const llvm::Loop& loop, llvm::ScalarEvolution& evolution);

}  // namespace weft::compiler::simt
