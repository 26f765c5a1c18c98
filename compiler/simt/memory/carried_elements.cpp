#include "compiler/simt/memory/carried_elements.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/simt/item/scalar_elements.h"

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::Value;

bool has_known_element(const Instruction& instruction, unsigned operand) {
  const auto* index = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(operand));
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(instruction.getOperand(0)->getType());
  return index && type && index->getValue().ult(type->getNumElements());
}

/// Whether `vector` is made of other vectors and scalars without arithmetic.
bool is_put_together(const Instruction& vector) {
  if (llvm::isa<llvm::InsertElementInst>(vector)) return has_known_element(vector, 2);
  return llvm::isa<llvm::PHINode, llvm::ShuffleVectorInst>(vector) && llvm::isa<llvm::FixedVectorType>(vector.getType());
}

/// The vectors that `phi` is made of within its function; none where one of them is more than put together, or something else is done with one than
/// taking it apart and giving it back behind all loops.
llvm::SmallSetVector<Instruction*, 16> vectors_around(llvm::PHINode& phi) {
  llvm::SmallSetVector<Instruction*, 16> vectors;
  vectors.insert(&phi);
  const llvm::BasicBlock* entry = &phi.getFunction()->getEntryBlock();
  for (unsigned i = 0; i < vectors.size(); ++i) {
    for (Value* operand : vectors[i]->operands()) {
      auto* vector = llvm::dyn_cast<Instruction>(operand);
      if (!vector || !vector->getType()->isVectorTy() || vector->getParent() == entry) continue;
      if (!is_put_together(*vector)) return {};
      vectors.insert(vector);
    }
    for (llvm::User* user : vectors[i]->users()) {
      auto* instruction = llvm::cast<Instruction>(user);
      const bool takes_apart = llvm::isa<llvm::ExtractElementInst>(instruction) && has_known_element(*instruction, 1);
      if (takes_apart || llvm::isa<llvm::ReturnInst, llvm::InsertValueInst>(instruction)) continue;
      if (!is_put_together(*instruction)) return {};
      vectors.insert(instruction);
    }
  }
  return vectors;
}

}  // namespace

void carry_elements(llvm::Function& function) {
  llvm::SmallVector<llvm::WeakTrackingVH, 8> phis;
  for (llvm::BasicBlock& block : function)
    for (llvm::PHINode& phi : block.phis())
      if (llvm::isa<llvm::FixedVectorType>(phi.getType())) phis.emplace_back(&phi);
  ScalarElements scalars;
  llvm::SmallSetVector<Instruction*, 16> taken;
  for (Value* phi : phis) {
    if (taken.contains(llvm::cast<Instruction>(phi))) continue;
    const auto vectors = vectors_around(llvm::cast<llvm::PHINode>(*phi));
    taken.insert(vectors.begin(), vectors.end());
  }
  for (Instruction* vector : taken)
    for (llvm::User* user : llvm::make_early_inc_range(vector->users())) {
      auto* instruction = llvm::cast<Instruction>(user);
      if (auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(instruction)) {
        const auto index = llvm::cast<llvm::ConstantInt>(extract->getIndexOperand())->getZExtValue();
        Value* element = scalars.element(*vector, static_cast<unsigned>(index));
        if (element == extract) continue;
        extract->replaceAllUsesWith(element);
        extract->eraseFromParent();
      } else if (llvm::isa<llvm::ReturnInst, llvm::InsertValueInst>(instruction))
        instruction->replaceUsesOfWith(vector, scalars.rebuild(*vector, *instruction));
    }
  for (const llvm::WeakTrackingVH& phi : phis)
    if (auto* left = llvm::dyn_cast_or_null<llvm::PHINode>(phi)) llvm::RecursivelyDeleteDeadPHINode(left);
}

}  // namespace weft::compiler::simt
