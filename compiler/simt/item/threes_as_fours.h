// Arithmetic on OpenCL vectors of three components, as arithmetic on those of four.
//
// Memory has a float3 as 16 bytes, which Clang loads as four components and stores so, the fourth undefined. Between them stands arithmetic on
// three, for which all would be taken apart and put together again; on four it stays as memory has it (widen/packed_values.h).
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

/// Widens the operations of `function` on three components whose operands are the first three of four, numbers that components share, constants, or
/// such operations, and whose results are such operands or become four components of which the fourth is undefined: so may be whatever the fourth
/// of what is loaded gives. No division of integers, which could trap. Others stay. Returns whether there were any.
bool widen_threes(llvm::Function& function);

}  // namespace weft::compiler::simt
