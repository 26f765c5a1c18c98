// Local memory in registers, where one body runs the whole group.
//
// An object of local memory (a `local` argument, or the kernel's own local variables taken together) whose every access
// has an address that is known in every lane needs no memory: each load is a shuffle of what was stored before. Loads become
//
//   T weft.lanes.<T>(<W x i32> table, T v0, T v1, ...)
//
// which is in lane l what v[table[l] / W] is in lane table[l] % W, or anything where table[l] is -1; and the stores go.
// Scans, trees, transposes and Fourier transforms are such kernels once their loops around barriers are unrolled. Their
// scatters cost more than shuffles do, and a load that takes several stores apart has to wait for them.
#pragma once

#include "compiler/compiler_api.h"

namespace llvm {
class Function;
}  // namespace llvm

namespace weft::compiler::simt {

/// `function` is linearized; its `lanes` are the whole group. `register_bits`: the widest register's. Votes whose outcome
/// is known are folded, too.
void promote_local(llvm::Function& function, const Specialization& specialization, unsigned lanes, unsigned register_bits);

}  // namespace weft::compiler::simt
