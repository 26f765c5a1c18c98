// Atomic updates.
#pragma once

#include "compiler/simt/widen/emitter.h"

namespace llvm {
class AtomicRMWInst;
class Instruction;
class Value;
}  // namespace llvm

namespace weft::compiler::simt {

class Widening;

/// Lanes take their turns in order, the lowest first. Where all of a warp's lanes meet at one address, one update of the memory
/// does for all of them.
Parts widen_atomic(Widening& w, llvm::AtomicRMWInst& update);

/// Inserts `update`, one lane's of `scalar`; returns the old value. The lesser or greater number, where nothing else is ordered, is exchanged only where
/// that changes what is there: to have read it is all of the update else. No processor has these as one instruction, and the exchange takes the line from
/// all others; in relaxations of graphs most distances stay.
llvm::Value* insert_update(Widening& w, llvm::AtomicRMWInst& update, const llvm::Instruction& scalar);

/// `atomic` becomes plain accesses where nobody but the lanes of a group gets at what `scalar`, whose widened form it is, accesses.
void relax_private_atomic(llvm::Instruction& atomic, const llvm::Instruction& scalar);

}  // namespace weft::compiler::simt
