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

/// `atomic` becomes plain accesses where `address_space` is local memory's.
void relax_local_atomic(llvm::Instruction& atomic, unsigned address_space);

}  // namespace weft::compiler::simt
