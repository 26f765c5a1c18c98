// Whether an instruction's place among accesses to memory can be seen.
#pragma once

#include <llvm/IR/Instruction.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/simt/ir/primitives.h"

namespace llvm {
class AtomicRMWInst;
}

namespace weft::compiler::simt {

/// The program says `volatile` of a load or store. That `pin` marks all of global and local memory so is no wish of the program's.
inline bool asked_volatile(const llvm::Instruction& access) {
  return access.isVolatile() && !access.hasMetadata(primitive::kNonVolatileMetadata);
}

/// Neither atomic nor `volatile` by the program.
inline bool is_plain_access(const llvm::Instruction& access) { return !access.isAtomic() && !asked_volatile(access); }

/// Whether the integer that `update` finds stays what it is.
bool leaves_what_it_finds(const llvm::AtomicRMWInst& update);

/// Whether others could see when `instruction`, neither a load nor a store, is done, or it could see what they do.
inline bool keeps_order(const llvm::Instruction& instruction) {
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(call);
    if (intrinsic && intrinsic->isAssumeLikeIntrinsic()) return false;
    return call->isConvergent() || !call->doesNotAccessMemory();
  }
  return instruction.mayReadOrWriteMemory();
}

/// Whether two accesses of memory, of whichever lanes, may access one byte: by address spaces and scopes alone, since what LLVM knows of addresses, it knows
/// of one lane.
bool may_meet(const llvm::Instruction& access, const llvm::Instruction& other);

}  // namespace weft::compiler::simt
