#include "compiler/simt/ir/memory_order.h"

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/MemoryLocation.h>
#include <llvm/Analysis/ScopedNoAliasAA.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include "compiler/simt/ir/address_spaces.h"

namespace weft::compiler::simt {

bool leaves_what_it_finds(const llvm::AtomicRMWInst& update) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(update.getValOperand());
  if (!constant) return false;
  switch (update.getOperation()) {
    case llvm::AtomicRMWInst::Add:
    case llvm::AtomicRMWInst::Sub:
    case llvm::AtomicRMWInst::Or:
    case llvm::AtomicRMWInst::Xor:
    case llvm::AtomicRMWInst::UMax: return constant->isZero();
    case llvm::AtomicRMWInst::And:
    case llvm::AtomicRMWInst::UMin: return constant->isMinusOne();
    case llvm::AtomicRMWInst::Max: return constant->isMinValue(/*IsSigned=*/true);
    case llvm::AtomicRMWInst::Min: return constant->isMaxValue(/*IsSigned=*/true);
    default: return false;
  }
}

bool may_meet(const llvm::Instruction& access, const llvm::Instruction& other) {
  const auto here = llvm::MemoryLocation::getOrNone(&access), there = llvm::MemoryLocation::getOrNone(&other);
  if (!here || !there) return true;
  const unsigned space = here->Ptr->getType()->getPointerAddressSpace(), other_space = there->Ptr->getType()->getPointerAddressSpace();
  if (space != other_space && space != kGenericSpace && other_space != kGenericSpace) return false;
  // A query of scopes needs what asks other analyses, too: one that has none.
  static const llvm::TargetLibraryInfoImpl library;
  static const llvm::TargetLibraryInfo library_info(library);
  static llvm::AAResults none(library_info);
  llvm::SimpleAAQueryInfo query(none);
  return llvm::ScopedNoAliasAAResult().alias(*here, *there, query, nullptr) != llvm::AliasResult::NoAlias;
}

}  // namespace weft::compiler::simt
