#include "compiler/simt/item/made_again.h"

#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/item/specialize_images.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace weft::compiler::simt {
namespace {

/// Longer chains are work.
constexpr unsigned kMostMade = 64;

bool is_pure(const llvm::Instruction& instruction) {
  if (llvm::isa<llvm::PHINode, llvm::AllocaInst, llvm::FreezeInst>(instruction) || instruction.isTerminator()) return false;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return load->isSimple() && load->hasMetadata(llvm::LLVMContext::MD_invariant_load) && !load->hasMetadata(kTexelMetadata);
  if (llvm::isa<llvm::CallBase>(instruction) && !llvm::isa<llvm::IntrinsicInst>(instruction)) {
    const llvm::StringRef name = called_name(instruction);
    return name.starts_with(primitive::kGlobalId) || name.starts_with(primitive::kLocalId) || is_arithmetic_primitive(instruction);
  }
  return !instruction.mayReadOrWriteMemory() && !instruction.mayHaveSideEffects();
}

}  // namespace

bool can_make_again(const llvm::Value& value) {
  llvm::SmallPtrSet<const llvm::Value*, 32> seen;
  llvm::SmallVector<const llvm::Value*, 32> left{&value};
  while (!left.empty()) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(left.pop_back_val());
    if (!instruction || !seen.insert(instruction).second) continue;
    if (!is_pure(*instruction) || seen.size() > kMostMade) return false;
    left.append(instruction->value_op_begin(), instruction->value_op_end());
  }
  return true;
}

llvm::Value* make_again(llvm::Value& value, llvm::IRBuilder<>& builder, llvm::ValueToValueMapTy& made) {
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction) return &value;
  if (const auto known = made.find(instruction); known != made.end()) return known->second;
  llvm::SmallVector<llvm::Value*, 4> operands;
  for (llvm::Value* operand : instruction->operands()) operands.push_back(make_again(*operand, builder, made));
  llvm::Instruction* copy = instruction->clone();
  for (unsigned i = 0; i < operands.size(); ++i) copy->setOperand(i, operands[i]);
  builder.Insert(copy, instruction->getName());
  made[instruction] = copy;
  return copy;
}

}  // namespace weft::compiler::simt
