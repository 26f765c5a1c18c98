#include "compiler/wide/launch_loads.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Metadata.h>

namespace weft::compiler::wide {
namespace {

using llvm::Value;

/// Bytes from `pointer` on that may be read wherever it is known.
std::uint64_t readable_bytes(const Value& pointer) {
  if (const auto* argument = llvm::dyn_cast<llvm::Argument>(&pointer)) return argument->getDereferenceableBytes();
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&pointer);
  const llvm::MDNode* bytes = load ? load->getMetadata(llvm::LLVMContext::MD_dereferenceable) : nullptr;
  return bytes ? llvm::mdconst::extract<llvm::ConstantInt>(bytes->getOperand(0))->getZExtValue() : 0;
}

bool is_at_entry(const Value& value) {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  return !instruction || instruction->getParent()->isEntryBlock();
}

/// Whether `load` gives the same, without a fault, at the end of the entry block.
bool may_be_early(const llvm::LoadInst& load, const llvm::DataLayout& layout) {
  if (!load.isSimple() || !load.hasMetadata(llvm::LLVMContext::MD_invariant_load)) return false;
  llvm::APInt offset(layout.getIndexTypeSizeInBits(load.getPointerOperandType()), 0);
  const Value* base = load.getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  if (!is_at_entry(*base) || offset.isNegative()) return false;
  const std::uint64_t end = offset.getZExtValue() + layout.getTypeStoreSize(load.getType()).getFixedValue();
  return end <= readable_bytes(*base);
}

/// Moves `value` and what it is made of to the end of the entry block.
void move_to_entry(Value& value, llvm::Instruction& end) {
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction || instruction->getParent() == end.getParent()) return;
  for (Value* operand : instruction->operands()) move_to_entry(*operand, end);
  instruction->moveBefore(&end);
  // They speak of a place in the code: one call that was inlined, one iteration.
  instruction->setMetadata(llvm::LLVMContext::MD_alias_scope, nullptr);
  instruction->setMetadata(llvm::LLVMContext::MD_noalias, nullptr);
}

}  // namespace

void load_once(llvm::Function& group) {
  const llvm::DataLayout& layout = group.getDataLayout();
  llvm::Instruction& end = *group.getEntryBlock().getTerminator();
  // In an order in which pointers come before what is loaded through them.
  const llvm::ReversePostOrderTraversal<llvm::Function*> order(&group);
  for (llvm::BasicBlock* block : order) {
    if (block->isEntryBlock()) continue;
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(*block))
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && may_be_early(*load, layout)) move_to_entry(*load, end);
  }
}

}  // namespace weft::compiler::wide
