// Atomic updates.
#pragma once

#include "compiler/simt/widen/emitter.h"

namespace llvm {
class AtomicRMWInst;
class Instruction;
}  // namespace llvm

namespace weft::compiler::simt {

class Widening;

/// Lanes take their turns in order, the lowest first. Where all of a warp's lanes meet at one address, one update of the memory
/// does for all of them.
Parts widen_atomic(Widening& w, llvm::AtomicRMWInst& update);

/// Whether `atomic` is of memory that only its thread uses: a group runs on one, so nobody else uses its local memory, or its worker's own copy of a buffer.
bool is_private_atomic(const llvm::Instruction& atomic);

/// `atomic` becomes plain accesses where nobody but the lanes of a group gets at what `scalar`, whose widened form it is, accesses.
void relax_private_atomic(llvm::Instruction& atomic, const llvm::Instruction& scalar);

}  // namespace weft::compiler::simt
