// Stretches of pure arithmetic whose values outgrow the vector registers, run for a part of the lanes at a time.
#pragma once

namespace llvm {
class Function;
class TargetMachine;
}

namespace weft::compiler::wide {

/// A warp's float16 is 512 floats, 32 registers of AVX-512: two of them and everything is spilled between any two
/// operations. Where instructions follow each other that neither write memory nor exchange components, each register's
/// worth of a value is computed from the same register's worth of the operands, so the stretch falls into pieces that
/// have nothing to do with each other. They are made strip by strip, each strip of as many pieces as fit the registers:
/// within a block one strip's instructions after the other's, and a whole loop of one block, whose end no wide value
/// decides, once a strip. To be run last: LLVM's InstCombine would undo it.
///
/// Between two memory instructions nobody can tell in which order lanes compute, so this keeps lockstep.
void block_registers(llvm::Function& function, const llvm::TargetMachine& machine);

}  // namespace weft::compiler::wide
