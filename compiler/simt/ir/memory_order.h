// Whether an instruction's place among accesses to memory can be seen.
#pragma once

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/MemoryLocation.h>
#include <llvm/Analysis/ScopedNoAliasAA.h>
#include <llvm/IR/Instruction.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/primitives.h"

namespace weft::compiler::simt {

/// The program says `volatile` of a load or store. That `pin` marks all of global and local memory so is no wish of the program's.
inline bool asked_volatile(const llvm::Instruction& access) {
  return access.isVolatile() && !access.hasMetadata(primitive::kNonVolatileMetadata);
}

/// Whether others could see when `instruction`, neither a load nor a store, is done, or it could see what they do.
inline bool keeps_order(const llvm::Instruction& instruction) {
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(call);
    if (intrinsic && intrinsic->isAssumeLikeIntrinsic()) return false;
    return call->isConvergent() || !call->doesNotAccessMemory();
  }
  return instruction.mayReadOrWriteMemory();
}

/// Whether two loads or stores, of whichever lanes, may access one byte: by address spaces and scopes alone, since what LLVM knows of addresses, it knows of one
/// lane.
inline bool may_meet(const llvm::Instruction& access, const llvm::Instruction& other, llvm::ScopedNoAliasAAResult& scopes, llvm::AAQueryInfo& query) {
  const unsigned space = llvm::getLoadStorePointerOperand(&access)->getType()->getPointerAddressSpace();
  const unsigned other_space = llvm::getLoadStorePointerOperand(&other)->getType()->getPointerAddressSpace();
  if (space != other_space && space != kGenericSpace && other_space != kGenericSpace) return false;
  return scopes.alias(llvm::MemoryLocation::get(&access), llvm::MemoryLocation::get(&other), query, nullptr) != llvm::AliasResult::NoAlias;
}

}  // namespace weft::compiler::simt
