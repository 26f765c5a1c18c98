// Loads on sides of branches that all lanes run, under a mask (analysis/short_sides.h).
//
// Of `a == 3 || (a == 2 && in[i])` one lane in many needs the load, and nearly every warp has such a lane. The load of neighbours under a
// mask is one instruction where the processor has masks for elements of its size.
#pragma once

#include <cstdint>

#include <llvm/ADT/STLFunctionalExtras.h>

#include "compiler/compiler_api.h"
#include "compiler/target/vectors.h"

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Analyses;

/// Marks the loads of short sides of divergent branches of `region` (canonical) whose lanes load from beside each other, elements that the
/// processor masks. `private_stride` is as in Shapes. Nothing else is changed.
void mark_masked_loads(llvm::Function& region, const Specialization& specialization, unsigned lanes,
                       llvm::function_ref<std::uint32_t(unsigned)> private_stride, const VectorTraits& vectors, Analyses& analyses);

}  // namespace weft::compiler::simt
