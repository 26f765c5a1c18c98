#include "compiler/simt/item/bounded_counters.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <optional>

#include "compiler/simt/item/unit_strides.h"

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::Value;

constexpr unsigned kWide = 64, kNarrow = 32, kBits = 31;

bool is_divided_or_cut(const Value& counter) {
  return llvm::any_of(counter.users(), [](const llvm::User* user) {
    const auto* instruction = llvm::dyn_cast<Instruction>(user);
    return instruction && (instruction->isIntDivRem() || llvm::isa<llvm::TruncInst>(instruction));
  });
}

/// Whether `value` is of kBits and not negative.
bool fits(const Value& value, const llvm::DataLayout& layout) { return llvm::computeKnownBits(&value, layout).countMinLeadingZeros() >= kWide - kBits; }

/// A loop's counter: begins at `start`, and goes on to `next`, `step` more.
struct Counter {
  llvm::PHINode* phi;
  Value* start;
  Instruction* next;
  Value* step;
};

/// Whether `loop` goes on only where `next` is no greater than a number of kBits.
bool is_bounded(const llvm::Loop& loop, const Value& next, const llvm::DataLayout& layout) {
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(loop.getLoopLatch()->getTerminator());
  const auto* compare = branch && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
  if (!compare) return false;
  const bool goes_on = branch->getSuccessor(0) == loop.getHeader();
  auto predicate = goes_on ? compare->getPredicate() : compare->getInversePredicate();
  if (compare->getOperand(1) == &next) predicate = llvm::CmpInst::getSwappedPredicate(predicate);
  else if (compare->getOperand(0) != &next) return false;
  const Value& bound = *compare->getOperand(compare->getOperand(0) == &next ? 1 : 0);
  return (llvm::ICmpInst::isLT(predicate) || llvm::ICmpInst::isLE(predicate)) && fits(bound, layout);
}

std::optional<Counter> counter_of(llvm::PHINode& phi, const llvm::Loop& loop) {
  if (!phi.getType()->isIntegerTy(kWide) || phi.getNumIncomingValues() != 2 || !loop.getLoopPredecessor()) return std::nullopt;
  auto* next = llvm::dyn_cast<Instruction>(phi.getIncomingValueForBlock(loop.getLoopLatch()));
  if (!next || next->getOpcode() != Instruction::Add || !llvm::is_contained(next->operand_values(), &phi)) return std::nullopt;
  Value* step = next->getOperand(next->getOperand(0) == &phi ? 1 : 0);
  if (!loop.isLoopInvariant(step)) return std::nullopt;
  return Counter{&phi, phi.getIncomingValueForBlock(loop.getLoopPredecessor()), next, step};
}

void narrow(const Counter& counter, const llvm::Loop& loop) {
  llvm::IRBuilder<> builder(counter.phi);
  auto* type = builder.getIntNTy(kNarrow);
  llvm::PHINode* narrow = builder.CreatePHI(type, 2, counter.phi->getName());
  builder.SetInsertPoint(loop.getLoopPredecessor()->getTerminator());
  narrow->addIncoming(builder.CreateTrunc(counter.start, type), loop.getLoopPredecessor());
  Value* step = builder.CreateTrunc(counter.step, type);
  // In the last iteration it may be any number, which nothing uses.
  builder.SetInsertPoint(counter.next);
  narrow->addIncoming(builder.CreateAdd(narrow, step, "", /*HasNUW=*/true, /*HasNSW=*/true), loop.getLoopLatch());
  builder.SetInsertPoint(loop.getHeader(), loop.getHeader()->getFirstInsertionPt());
  Value* same = builder.CreateZExt(narrow, counter.phi->getType(), "", /*IsNonNeg=*/true);
  counter.phi->replaceAllUsesWith(same);
  counter.phi->eraseFromParent();
}

}  // namespace

bool is_bound(const llvm::Argument& argument) {
  if (!argument.getType()->isIntegerTy(kWide)) return false;
  return llvm::any_of(argument.users(), [&](const llvm::User* user) {
    const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(user);
    if (!compare || compare->isEquality()) return false;
    const Value* bounded = compare->getOperand(compare->getOperand(0) == &argument ? 1 : 0);
    const auto* next = llvm::dyn_cast<Instruction>(bounded);
    if (!next || next->getOpcode() != Instruction::Add) return false;
    return llvm::any_of(next->operand_values(), [&](const Value* operand) {
      const auto* phi = llvm::dyn_cast<llvm::PHINode>(operand);
      return phi && llvm::is_contained(phi->incoming_values(), next) && is_divided_or_cut(*phi);
    });
  });
}

void mark_bounds(llvm::Function& kernel, const ArgumentFormats& formats) {
  const std::uint32_t bounds = bounds_word(kernel, formats);
  for (llvm::Argument& argument : kernel.args())
    if (argument.getArgNo() < ArgumentFormats::kMostFacts && bounds >> argument.getArgNo() & 1 && argument.getType()->isIntegerTy(kWide))
      argument.addAttr(llvm::Attribute::get(kernel.getContext(), llvm::Attribute::Range,
                                            llvm::ConstantRange(llvm::APInt(kWide, 0), llvm::APInt::getOneBitSet(kWide, kBits))));
}

bool narrow_counters(llvm::Function& item) {
  const llvm::DominatorTree dominators(item);
  const llvm::LoopInfo loops(dominators);
  const llvm::DataLayout& layout = item.getDataLayout();
  bool changed = false;
  for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (!loop->getLoopLatch()) continue;
    for (llvm::PHINode& phi : llvm::make_early_inc_range(loop->getHeader()->phis())) {
      const std::optional<Counter> counter = counter_of(phi, *loop);
      if (!counter || !fits(*counter->start, layout) || !fits(*counter->step, layout) || !is_bounded(*loop, *counter->next, layout)) continue;
      narrow(*counter, *loop);
      changed = true;
    }
  }
  return changed;
}

}  // namespace weft::compiler::simt
