#include "compiler/simt/item/half_texels.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

namespace weft::compiler::simt {
namespace {

/// Whether `shuffle` takes the first `count` elements of its first operand, in their order.
bool takes_first(const llvm::ShuffleVectorInst& shuffle, unsigned count) {
  const auto mask = shuffle.getShuffleMask();
  return mask.size() >= count && llvm::all_of(llvm::seq(0u, count), [&](unsigned i) { return mask[i] == static_cast<int>(i); });
}

/// The two words of which `shuffle` is the halves, or null.
llvm::Value* words_of(const llvm::ShuffleVectorInst& shuffle) {
  const auto* halves = llvm::dyn_cast<llvm::FixedVectorType>(shuffle.getType());
  if (!halves || !halves->getElementType()->isHalfTy() || halves->getNumElements() != 4 || !takes_first(shuffle, 4)) return nullptr;
  const auto* cast = llvm::dyn_cast<llvm::BitCastInst>(shuffle.getOperand(0));
  const auto* four = cast ? llvm::dyn_cast<llvm::ShuffleVectorInst>(cast->getOperand(0)) : nullptr;
  if (!four || !takes_first(*four, 2)) return nullptr;
  llvm::Value* words = four->getOperand(0);
  const auto* type = llvm::cast<llvm::FixedVectorType>(words->getType());
  return type->getElementType()->isIntegerTy(32) && type->getNumElements() == 2 ? words : nullptr;
}

}  // namespace

void cast_half_texels(llvm::Function& item) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(item))) {
    auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction);
    llvm::Value* words = shuffle ? words_of(*shuffle) : nullptr;
    if (!words) continue;
    shuffle->replaceAllUsesWith(llvm::IRBuilder<>(shuffle).CreateBitCast(words, shuffle->getType()));
    llvm::RecursivelyDeleteTriviallyDeadInstructions(shuffle);
  }
}

}  // namespace weft::compiler::simt
