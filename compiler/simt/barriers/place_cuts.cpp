#include "compiler/simt/barriers/place_cuts.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/primitives.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

/// What lives across a cut goes through memory.
constexpr unsigned kMostToCut = 300;

bool is_of_all(const llvm::AtomicRMWInst& update) {
  if (update.use_empty() || update.getPointerAddressSpace() != kGlobalSpace) return false;
  llvm::APInt offset(64, 0);
  const Value* base = update.getPointerOperand()->stripAndAccumulateConstantOffsets(update.getDataLayout(), offset, /*AllowNonInbounds=*/true);
  const auto* argument = llvm::dyn_cast<llvm::LoadInst>(base);
  return argument && argument->hasMetadata(llvm::LLVMContext::MD_invariant_load);
}

/// The only update of `item` that takes places, null if there is none, or if anything in `item` may not be cut.
llvm::AtomicRMWInst* find_update(llvm::Function& item) {
  if (item.getInstructionCount() > kMostToCut) return nullptr;
  llvm::AtomicRMWInst* found = nullptr;
  for (Instruction& instruction : llvm::instructions(item)) {
    if (llvm::isa<llvm::AllocaInst>(instruction) || is_barrier(instruction)) return nullptr;
    auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
    if (!update || !is_of_all(*update)) continue;
    if (found || !llvm::is_contained({llvm::AtomicRMWInst::Add, llvm::AtomicRMWInst::Sub}, update->getOperation())) return nullptr;
    found = update;
  }
  return found;
}

/// The way to the update: conditions, all of which lead to one block if they do not hold.
struct Way {
  llvm::SmallVector<BasicBlock*, 4> conditions;  ///< the last one first
  BasicBlock* past = nullptr;                    ///< where they lead else; null if there is none
};

/// Nothing where the way begins at a block that not every work-item passes.
bool find_way(llvm::Function& item, BasicBlock* from, Way& way) {
  llvm::CycleInfo cycles;
  cycles.compute(item);
  const llvm::PostDominatorTree post_dominators(item);
  BasicBlock* block = from;
  while (!post_dominators.dominates(block, &item.getEntryBlock())) {
    if (cycles.getCycle(block)) return false;
    BasicBlock* before = block->getSinglePredecessor();
    if (!before) return false;
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(before->getTerminator());
    if (!branch) return false;
    if (branch->isConditional()) {
      BasicBlock* other = branch->getSuccessor(branch->getSuccessor(0) == block ? 1 : 0);
      if (other == block || (way.past && way.past != other)) return false;
      way.past = other;
      way.conditions.push_back(before);
    }
    block = before;
  }
  if (cycles.getCycle(block)) return false;
  // What follows from the update leads there, too, and nowhere else does anything come from.
  return !way.past || (post_dominators.dominates(way.past, block) && !cycles.getCycle(way.past));
}

/// Uses of `value` in front of which `merge` stands become those of a phi: `value` from where it is computed, anything from elsewhere.
void merge_value(Instruction& value, BasicBlock& merge, BasicBlock& computed, llvm::function_ref<bool(const llvm::Use&)> is_behind) {
  if (llvm::none_of(value.uses(), is_behind)) return;
  llvm::PHINode* phi = llvm::PHINode::Create(value.getType(), 2, value.getName(), merge.begin());
  for (BasicBlock* before : llvm::predecessors(&merge))
    phi->addIncoming(before == &computed ? static_cast<Value*>(&value) : llvm::PoisonValue::get(value.getType()), before);
  value.replaceUsesWithIf(phi, [&](llvm::Use& use) { return use.getUser() != phi && is_behind(use); });
}

void put_barrier(BasicBlock& block) {
  llvm::IRBuilder<> builder(&block, block.getFirstInsertionPt());
  llvm::FunctionCallee barrier = block.getModule()->getOrInsertFunction(primitive::kBarrier, llvm::FunctionType::get(builder.getVoidTy(), {builder.getInt32Ty()}, false));
  auto* function = llvm::cast<llvm::Function>(barrier.getCallee());
  for (const llvm::Attribute::AttrKind kind : {llvm::Attribute::Convergent, llvm::Attribute::NoDuplicate, llvm::Attribute::NoUnwind, llvm::Attribute::WillReturn})
    function->addFnAttr(kind);
  builder.CreateCall(barrier, builder.getInt32(0))->setAttributes(function->getAttributes());
}

}  // namespace

bool cut_around_places(llvm::Function& item) {
  llvm::AtomicRMWInst* update = find_update(item);
  Way way;
  if (!update || !find_way(item, update->getParent(), way)) return false;
  llvm::LLVMContext& context = item.getContext();
  BasicBlock* front = update->getParent();
  BasicBlock* middle = llvm::SplitBlock(front, update);
  BasicBlock* back = llvm::SplitBlock(middle, update->getNextNode());
  if (!way.past) {
    put_barrier(*middle);
    put_barrier(*back);
    return true;
  }
  // All come together, take their way through the update, and again through what is behind it.
  auto* first = BasicBlock::Create(context, "before_places", &item, middle);
  auto* second = BasicBlock::Create(context, "behind_places", &item, back);
  llvm::IRBuilder<> builder(first);
  llvm::SmallVector<llvm::PHINode*, 8> merged;
  for (llvm::PHINode& phi : way.past->phis()) merged.push_back(&phi);
  front->getTerminator()->replaceSuccessorWith(middle, first);
  llvm::PHINode* takes = builder.CreatePHI(builder.getInt1Ty(), 2, "takes");
  llvm::SmallVector<llvm::PHINode*, 8> past;
  for (llvm::PHINode* phi : merged) past.push_back(builder.CreatePHI(phi->getType(), 2));
  takes->addIncoming(builder.getTrue(), front);
  for (auto [phi, own] : llvm::zip(merged, past)) own->addIncoming(llvm::PoisonValue::get(phi->getType()), front);
  for (BasicBlock* condition : way.conditions) {
    condition->getTerminator()->replaceSuccessorWith(way.past, first);
    takes->addIncoming(builder.getFalse(), condition);
    for (auto [phi, own] : llvm::zip(merged, past)) own->addIncoming(phi->removeIncomingValue(condition, /*DeletePHIIfEmpty=*/false), condition);
  }
  builder.CreateCondBr(takes, middle, second);
  middle->getTerminator()->replaceSuccessorWith(back, second);
  builder.SetInsertPoint(second);
  builder.CreateCondBr(takes, back, way.past);
  for (auto [phi, own] : llvm::zip(merged, past)) phi->addIncoming(own, second);

  // What is computed on the way, and the update itself, for what is behind. A use in a phi is one at the end of the block that it comes from.
  const auto place_of = [](const llvm::Use& use) -> const BasicBlock* {
    const auto* user = llvm::cast<Instruction>(use.getUser());
    const auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
    return phi ? phi->getIncomingBlock(use) : user->getParent();
  };
  llvm::SmallVector<BasicBlock*, 8> on_the_way = {front};
  for (BasicBlock* block = front; block != way.conditions.back(); on_the_way.push_back(block)) block = block->getSinglePredecessor();
  llvm::SmallVector<Instruction*, 32> values;
  for (BasicBlock* block : on_the_way)
    if (block != way.conditions.back())
      for (Instruction& instruction : *block)
        if (!instruction.getType()->isVoidTy()) values.push_back(&instruction);
  for (Instruction* value : values)
    merge_value(*value, *first, *front, [&](const llvm::Use& use) { return !llvm::is_contained(on_the_way, place_of(use)); });
  merge_value(*update, *second, *middle, [&](const llvm::Use& use) { return place_of(use) != middle; });
  put_barrier(*first);
  put_barrier(*second);
  return true;
}

}  // namespace weft::compiler::simt
