#include "compiler/simt/item/single_elements.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>

namespace weft::compiler::simt {
namespace {

using llvm::Value;

/// Whether the elements of `operand`, of the instruction `user`, are at hand.
bool is_taken_apart(const Value* operand, const llvm::Instruction& user) {
  if (llvm::isa<llvm::Constant, llvm::ShuffleVectorInst, llvm::InsertElementInst>(operand)) return true;
  return llvm::any_of(operand->users(), [&](const llvm::User* other) {
    return other != &user && llvm::isa<llvm::ExtractElementInst>(other);
  });
}

/// The arithmetic whose one element `extract` takes, for no other use; null if that is not so.
llvm::BinaryOperator* single_use(llvm::ExtractElementInst& extract) {
  auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(extract.getVectorOperand());
  if (!binary || !binary->hasOneUse() || !llvm::isa<llvm::ConstantInt>(extract.getIndexOperand())) return nullptr;
  const bool worth = llvm::all_of(binary->operands(), [&](const llvm::Use& operand) { return is_taken_apart(operand, *binary); });
  return worth ? binary : nullptr;
}

}  // namespace

llvm::PreservedAnalyses SingleElementsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  llvm::SmallVector<llvm::ExtractElementInst*, 8> found;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(&instruction); extract && single_use(*extract)) found.push_back(extract);
  if (found.empty()) return llvm::PreservedAnalyses::all();
  for (llvm::ExtractElementInst* extract : found) {
    auto* binary = llvm::cast<llvm::BinaryOperator>(extract->getVectorOperand());
    llvm::IRBuilder<> builder(binary);
    Value* left = builder.CreateExtractElement(binary->getOperand(0), extract->getIndexOperand());
    Value* right = builder.CreateExtractElement(binary->getOperand(1), extract->getIndexOperand());
    Value* made = builder.CreateBinOp(binary->getOpcode(), left, right);
    if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(made)) {
      instruction->copyIRFlags(binary);
      instruction->takeName(extract);
    }
    extract->replaceAllUsesWith(made);
    extract->eraseFromParent();
    llvm::RecursivelyDeleteTriviallyDeadInstructions(binary);
  }
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

}  // namespace weft::compiler::simt
