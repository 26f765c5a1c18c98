// Keeps local memory in registers where one body runs the whole group.
//
// An object of local memory (a `local` argument, or the kernel's own local variables taken together) needs no memory if
// the address of each access is known in every lane: a load is a shuffle of values stored before. Loads become
//
//   T weft.lanes.<T>(<W x i32> table, T v0, T v1, ...)
//
// whose lane l is lane table[l] % W of v[table[l] / W], or anything if table[l] is -1. The stores are erased.
// Scans, trees, transposes and Fourier transforms are such kernels once their loops around barriers are unrolled. A loop may stay one whose iterations
// each store a tile anew before they read it, where that costs clearly less.
// Shuffles cost less than their scatters, and a load of parts of several stores would have to wait for them.
#pragma once

#include "compiler/compiler_api.h"

namespace llvm {
class Function;
}  // namespace llvm

namespace weft::compiler::simt {

/// `function` is linearized; its `lanes` are the whole group. `register_bits` is the size of the widest register. Also folds
/// votes whose outcome is known.
void promote_local(llvm::Function& function, const Specialization& specialization, unsigned lanes, unsigned register_bits);

}  // namespace weft::compiler::simt
