// What jamming warps costs: the vector registers that a warp's values take.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>

namespace llvm {
class Function;
class Instruction;
}  // namespace llvm

namespace weft::compiler::simt {

class Shapes;

/// The vector registers of the processor.
struct VectorRegisters {
  unsigned bits = 256;
  unsigned count = 16;
};

/// Registers left for broadcasts and for operands on their way from memory.
inline constexpr unsigned kTemporaryRegisters = 4;

/// The most vector registers that one warp's values occupy at once, anywhere in the function. What `is_constant` is no
/// register's.
unsigned vector_pressure(llvm::Function& function, const Shapes& shapes, const VectorRegisters& registers,
                         llvm::function_ref<bool(const llvm::Instruction&)> is_constant = {});

/// Work that goes lane by lane gains nothing from more lanes in one body.
bool has_lane_loop(const llvm::Function& function);

}  // namespace weft::compiler::simt
