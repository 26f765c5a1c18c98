// Atomic updates that keep the lesser or the greater number.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <optional>

namespace weft::compiler::simt {

/// How what is found compares with the operand where `operation`, which keeps one of the two, keeps what is found; nothing for others.
inline std::optional<llvm::CmpInst::Predicate> keeping(llvm::AtomicRMWInst::BinOp operation) {
  switch (operation) {
    case llvm::AtomicRMWInst::Min: return llvm::CmpInst::ICMP_SLE;
    case llvm::AtomicRMWInst::Max: return llvm::CmpInst::ICMP_SGE;
    case llvm::AtomicRMWInst::UMin: return llvm::CmpInst::ICMP_ULE;
    case llvm::AtomicRMWInst::UMax: return llvm::CmpInst::ICMP_UGE;
    default: return std::nullopt;
  }
}

/// Such an update exchanges only where that changes what is there, which is looked at first: what is found, and whether `predicate` holds of it and the
/// operand.
struct LookedAt {
  llvm::LoadInst* found = nullptr;
  llvm::Value* holds = nullptr;
};
inline LookedAt look_first(llvm::AtomicRMWInst& update, llvm::CmpInst::Predicate predicate, llvm::IRBuilderBase& builder) {
  llvm::Value* operand = update.getValOperand();
  llvm::LoadInst* found = builder.CreateAlignedLoad(operand->getType(), update.getPointerOperand(), update.getAlign());
  found->setAtomic(llvm::AtomicOrdering::Monotonic, update.getSyncScopeID());
  return {found, builder.CreateICmp(predicate, found, operand)};
}

}  // namespace weft::compiler::simt
