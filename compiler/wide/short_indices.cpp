#include "compiler/wide/short_indices.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>

namespace weft::compiler::wide {
namespace {

using llvm::Instruction;
using llvm::Value;

constexpr unsigned kShort = 32, kLong = 64;

/// The operand of a gather or a scatter that is its addresses; null of anything else.
llvm::Use* addresses_of(Instruction& instruction) {
  auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!call) return nullptr;
  if (call->getIntrinsicID() == llvm::Intrinsic::masked_gather) return &call->getArgOperandUse(0);
  return call->getIntrinsicID() == llvm::Intrinsic::masked_scatter ? &call->getArgOperandUse(1) : nullptr;
}

/// `index`, which 32 bits hold, in 32 bits, made where it is made; null where that is not known.
Value* in_short(Instruction& index, const llvm::DataLayout& layout) {
  if (auto* extended = llvm::dyn_cast<llvm::SExtInst>(&index); extended && extended->getSrcTy()->isIntOrIntVectorTy(kShort)) return extended->getOperand(0);
  if (llvm::ComputeNumSignBits(&index, layout) <= kLong - kShort) return nullptr;
  const auto place = index.getInsertionPointAfterDef();
  if (!place) return nullptr;
  llvm::IRBuilder<> builder(&**place);
  return builder.CreateTrunc(&index, index.getType()->getWithNewBitWidth(kShort), index.getName() + ".short");
}

void shorten(Instruction& access, llvm::Use& addresses) {
  auto* made = llvm::dyn_cast<llvm::GetElementPtrInst>(addresses.get());
  if (!made || made->getNumIndices() != 1 || made->getPointerOperandType()->isVectorTy()) return;
  auto* index = llvm::dyn_cast<Instruction>(made->getOperand(1));
  if (!index || index->getParent() == access.getParent() || !index->getType()->isVectorTy() || !index->getType()->isIntOrIntVectorTy(kLong)) return;
  Value* own = in_short(*index, access.getModule()->getDataLayout());
  if (!own) return;
  llvm::IRBuilder<> builder(&access);
  auto* copy = llvm::cast<llvm::GetElementPtrInst>(made->clone());
  copy->setOperand(1, builder.CreateSExt(own, index->getType(), index->getName()));
  addresses.set(builder.Insert(copy, made->getName()));
  llvm::RecursivelyDeleteTriviallyDeadInstructions(made);
}

}  // namespace

void shorten_indices(llvm::Function& function) {
  llvm::SmallVector<Instruction*, 32> accesses;
  for (Instruction& instruction : llvm::instructions(function))
    if (addresses_of(instruction)) accesses.push_back(&instruction);
  for (Instruction* access : accesses) shorten(*access, *addresses_of(*access));
}

}  // namespace weft::compiler::wide
