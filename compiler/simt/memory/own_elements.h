// Stores of each lane to an element of its own.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>

#include <cstdint>

#include "compiler/compiler_api.h"

namespace llvm {
class Function;
class Loop;
}  // namespace llvm

namespace weft::compiler::simt {

class Analyses;

/// Whether all that `loop` stores to memory that others see lies in an element that its lane has for itself, as `p->state` in what begins
/// with `p = paths + get_global_id(0)`: lanes are as far apart as the fields that the loop accesses span, and nothing else in the loop may
/// access them (what does is of another address space, or of another `restrict` argument or buffer). In whichever order lanes run then,
/// each finds what it left itself. `private_stride` is as in Shapes.
bool stores_own_elements(const llvm::Loop& loop, llvm::Function& region, const Specialization& specialization, unsigned lanes,
                         llvm::function_ref<std::uint32_t(unsigned)> private_stride);

}  // namespace weft::compiler::simt
