#include "compiler/simt/barriers/region_induction.h"

#include <algorithm>
#include <optional>

#include "compiler/simt/barriers/region_values.h"
#include "compiler/simt/analysis/uniformity.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/Utils/Local.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::Value;

/// An instruction that advances `from` by a uniform amount: `amount`, or if that is null the gep's own offset.
struct Step {
  Instruction* instruction;
  Value* from;
  Value* amount;
};

/// One iteration: the steps from the loop variable to its next value, in order.
using Chain = llvm::SmallVector<Step, 4>;

std::optional<Step> as_step(Instruction& instruction, const llvm::UniformityInfo& uniformity) {
  const auto uniform = [&](const Value* value) { return uniformity.isUniform(value); };
  if (auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
    if (gep->getType()->isVectorTy() || !llvm::all_of(gep->indices(), uniform)) return {};
    return Step{gep, gep->getPointerOperand(), nullptr};
  }
  const bool add = instruction.getOpcode() == Instruction::Add;
  if (!add && instruction.getOpcode() != Instruction::Sub) return {};
  Value* left = instruction.getOperand(0);
  Value* right = instruction.getOperand(1);
  if (uniform(right)) return Step{&instruction, left, right};
  if (add && uniform(left)) return Step{&instruction, right, left};
  return {};
}

std::optional<Chain> find_chain(const llvm::PHINode& phi, Value* next,
                                const llvm::UniformityInfo& uniformity) {
  constexpr unsigned kMaxSteps = 8;
  Chain chain;
  while (next != &phi) {
    auto* instruction = llvm::dyn_cast<Instruction>(next);
    if (!instruction || chain.size() == kMaxSteps) return {};
    const std::optional<Step> step = as_step(*instruction, uniformity);
    if (!step) return {};
    chain.push_back(*step);
    next = step->from;
  }
  std::reverse(chain.begin(), chain.end());
  return chain;
}

/// Whether the steps, added to a start that is not negative, never leave the signed range.
bool only_grows(const Chain& chain, const llvm::DataLayout& layout) {
  return llvm::all_of(chain, [&](const Step& step) {
    return step.instruction->getOpcode() == Instruction::Add && step.instruction->hasNoSignedWrap() &&
           llvm::isKnownNonNegative(step.amount, layout);
  });
}

/// `start` plus `offset`, in bytes if it is a pointer.
Value* sum_of(llvm::IRBuilder<>& builder, Value* start, Value* offset, bool no_wrap) {
  return start->getType()->isPointerTy()
             ? builder.CreateGEP(builder.getInt8Ty(), start, offset)
             : builder.CreateAdd(start, offset, "", /*HasNUW=*/no_wrap, /*HasNSW=*/no_wrap);
}

/// Adds the steps to `offset`, each right behind its own instruction; returns the offset after the last one. What
/// uses the variable between two steps gets a sum of start and offset too, which can be recomputed as cheaply.
Value* follow(const Chain& chain, Value* start, Value* offset, bool no_wrap, const llvm::DataLayout& layout) {
  const bool keeps_shape = start->getType()->isPointerTy() || no_wrap;
  for (const Step& step : chain) {
    llvm::IRBuilder<> builder(step.instruction->getNextNode());
    if (auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(step.instruction))
      offset = builder.CreateAdd(offset, llvm::emitGEPOffset(&builder, layout, gep), "offset");
    else if (step.instruction->getOpcode() == Instruction::Add)
      offset = builder.CreateAdd(offset, step.amount, "offset", /*HasNUW=*/no_wrap, /*HasNSW=*/no_wrap);
    else
      offset = builder.CreateSub(offset, step.amount, "offset");
    if (!keeps_shape || step.instruction->hasOneUse()) continue;
    Value* sum = sum_of(builder, start, offset, no_wrap);
    sum->takeName(step.instruction);
    step.instruction->replaceAllUsesWith(sum);
  }
  return offset;
}

bool has_barrier_inside(const llvm::Loop& loop) {
  return llvm::any_of(loop.blocks(), [](const llvm::BasicBlock* block) {
    return llvm::any_of(*block, [](const Instruction& i) { return is_barrier(i); });
  });
}

/// Splits `phi`, which is in the header of `loop`; false if that is not possible.
bool split(llvm::PHINode& phi, const llvm::Loop& loop, const llvm::UniformityInfo& uniformity) {
  if (phi.getNumIncomingValues() != 2 || uniformity.isUniform(&phi)) return false;
  if (!phi.getType()->isIntegerTy() && !phi.getType()->isPointerTy()) return false;
  const unsigned back = loop.contains(phi.getIncomingBlock(0)) ? 0 : 1;
  if (!loop.contains(phi.getIncomingBlock(back)) || loop.contains(phi.getIncomingBlock(1 - back)))
    return false;
  Value* start = phi.getIncomingValue(1 - back);
  if (!cheap_to_recompute(*start, uniformity)) return false;
  const std::optional<Chain> chain = find_chain(phi, phi.getIncomingValue(back), uniformity);
  if (!chain || chain->empty()) return false;

  const llvm::DataLayout& layout = phi.getModule()->getDataLayout();
  const bool pointer = phi.getType()->isPointerTy();
  const bool no_wrap = !pointer && llvm::isKnownNonNegative(start, layout) && only_grows(*chain, layout);
  llvm::Type* type = pointer ? layout.getIndexType(phi.getType()) : phi.getType();
  llvm::IRBuilder<> builder(&phi);
  llvm::PHINode* offset = builder.CreatePHI(type, 2, phi.getName() + ".offset");
  Value* next = follow(*chain, start, offset, no_wrap, layout);
  offset->addIncoming(llvm::ConstantInt::get(type, 0), phi.getIncomingBlock(1 - back));
  offset->addIncoming(next, phi.getIncomingBlock(back));
  builder.SetInsertPoint(phi.getParent(), phi.getParent()->getFirstInsertionPt());
  Value* sum = sum_of(builder, start, offset, no_wrap);
  sum->takeName(&phi);
  phi.replaceAllUsesWith(sum);
  phi.eraseFromParent();
  return true;
}

}  // namespace

bool split_inductions(const llvm::Loop& loop, const llvm::UniformityInfo& uniformity) {
  bool changed = false;
  for (llvm::PHINode& phi : llvm::make_early_inc_range(loop.getHeader()->phis()))
    changed |= split(phi, loop, uniformity);
  return changed;
}

void split_inductions(llvm::Function& item, Analyses& analyses) {
  const llvm::UniformityInfo& uniformity = analyses.uniformity(item);
  llvm::LoopInfo& loops = analyses.functions().getResult<llvm::LoopAnalysis>(item);
  bool changed = false;
  for (const llvm::Loop* loop : loops.getLoopsInPreorder())
    if (has_barrier_inside(*loop)) changed |= split_inductions(*loop, uniformity);
  if (changed) analyses.invalidate(item);
}

}  // namespace weft::compiler::simt
