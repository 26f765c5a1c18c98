// Register blocking: runs arithmetic whose values outgrow the vector registers for a part of the lanes at a time.
#pragma once

#include <llvm/ADT/SmallVector.h>

namespace llvm {
class BasicBlock;
class Function;
class TargetMachine;
}

namespace weft::compiler::wide {

/// A warp's float16 is 512 floats, 32 registers of AVX-512: with two of them, everything is spilled between any two
/// operations. In a range of instructions that neither write memory nor exchange components, each register's worth of a
/// value follows from the same register's worth of the operands, so the range splits into independent pieces. This emits
/// them in register blocks, each of as many pieces as fit the registers: within a basic block one register block after
/// the other, and a whole loop of one basic block, whose end no wide value decides, once for each register block; but a loop
/// stays whole where its pieces in turn, of each iteration, fit well enough: loops of long chains would wait for themselves, as chains of integers
/// do in any block on some processors, which have more pieces in a block. Of blocks
/// that are alike, and more code together than a processor keeps decoded, one's code stands in a loop. Runs after LLVM's
/// InstCombine, which would undo it.
///
/// Between two memory instructions no program can tell in which order lanes compute, so this keeps lockstep. The blocks that are ordered for few
/// registers, and should stay so (codegen/kept_order.h).
llvm::SmallVector<llvm::BasicBlock*, 4> apply_register_blocking(llvm::Function& function, const llvm::TargetMachine& machine);

}  // namespace weft::compiler::wide
