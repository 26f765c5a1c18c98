// What all lanes add alike to pointers of their own.
//
// `for (...) { sum += in[x] * weights[x]; in += width; }`: each lane's pointer is a vector of addresses that every iteration adds to, of which nothing is
// known but that it was one of the kernel's arguments once. What it began with and what has been added since are told apart: the one does not change,
// and the other is a scalar.
#pragma once

#include <cstdint>

#include <llvm/ADT/STLFunctionalExtras.h>

#include "compiler/compiler_api.h"

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Analyses;

/// Of the loops of `region`, which is linearized, the pointers that differ from lane to lane in no known way, and to which an iteration adds what is the
/// same in all lanes: in their place there is a counter of bytes, and what the loop accesses is as far behind the argument or array, of which the lanes'
/// indices are those from in front of the loop. `private_stride` is as in Shapes. Returns whether anything changed; `analyses` are invalid for `region` then.
bool share_steps(llvm::Function& region, const Specialization& specialization, unsigned lanes, llvm::function_ref<std::uint32_t(unsigned)> private_stride,
                 Analyses& analyses);

}  // namespace weft::compiler::simt
