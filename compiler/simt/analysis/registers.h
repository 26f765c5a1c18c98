// The registers that a GPU's compiler would give a work-item.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

/// Registers of 32 bits, an estimate: the most that values take which are live at once in one work-item's code, and a few that any
/// kernel has. Conditions are predicates; arguments and constants are operands of the instructions that use them; pointers to
/// global memory take two. At most kMostRegisters, as a GPU's compiler spills the rest.
unsigned estimate_registers(const llvm::Function& kernel);

inline constexpr unsigned kMostRegisters = 255;

}  // namespace weft::compiler::simt
