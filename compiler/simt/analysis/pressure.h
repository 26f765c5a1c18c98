// What warp coarsening costs: the vector registers that one warp's values take.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/STLFunctionalExtras.h>

#include "compiler/target/vectors.h"

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
}  // namespace llvm

namespace weft::compiler::simt {

class Shapes;

/// The most vector registers that one warp's values occupy at once, anywhere in the function. Values for which
/// `is_constant` holds take none.
unsigned vector_pressure(llvm::Function& function, const Shapes& shapes, const VectorTraits& vectors,
                         llvm::function_ref<bool(const llvm::Instruction&)> is_constant = {});

/// The same, anywhere in `blocks`, which are of one function.
unsigned vector_pressure(llvm::ArrayRef<const llvm::BasicBlock*> blocks, const Shapes& shapes, const VectorTraits& vectors);

/// True if `block`, or a block of `function`, has work that runs lane by lane, which gains nothing from more lanes in one body.
bool has_serial_work(const llvm::BasicBlock& block);
bool has_serial_work(const llvm::Function& function);

}  // namespace weft::compiler::simt
