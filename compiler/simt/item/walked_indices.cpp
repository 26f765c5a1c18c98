#include "compiler/simt/item/walked_indices.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include "compiler/simt/analysis/buffer_places.h"

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::Value;

constexpr unsigned kMostSummands = 4;  ///< one within the other
constexpr std::uint64_t kMostStep = 1 << 20;

/// What `value` becomes for the next iteration of `loop`, if it counts iterations up from 0, by less than what lies between two of its places.
llvm::BinaryOperator* counted_up(const Value& value, const llvm::Loop& loop) {
  const auto* counter = llvm::dyn_cast<llvm::PHINode>(&value);
  const llvm::BasicBlock *latch = loop.getLoopLatch(), *front = loop.getLoopPreheader();
  if (!counter || !latch || !front || counter->getParent() != loop.getHeader()) return nullptr;
  const auto* begin = llvm::dyn_cast<llvm::ConstantInt>(counter->getIncomingValueForBlock(front));
  auto* next = llvm::dyn_cast<llvm::BinaryOperator>(counter->getIncomingValueForBlock(latch));
  if (!begin || !begin->isZero() || !next || next->getOpcode() != Instruction::Add || next->getOperand(0) != counter) return nullptr;
  const auto* step = llvm::dyn_cast<llvm::ConstantInt>(next->getOperand(1));
  return step && step->getValue().isStrictlyPositive() && step->getValue().ult(kMostStep) ? next : nullptr;
}

/// Of an index: what is the same in all iterations, and what the counter becomes.
struct Sum {
  llvm::SmallVector<Value*, 4> row;
  llvm::BinaryOperator* next = nullptr;

  bool add(Value& value, const llvm::Loop& loop, unsigned depth) {
    if (loop.isLoopInvariant(&value)) {
      row.push_back(&value);
      return true;
    }
    if (llvm::BinaryOperator* counted = counted_up(value, loop)) {
      if (next) return false;
      next = counted;
      return true;
    }
    const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(&value);
    return sum && sum->getOpcode() == Instruction::Add && depth && add(*sum->getOperand(0), loop, depth - 1) && add(*sum->getOperand(1), loop, depth - 1);
  }
};

/// Of sums of signed numbers, which do not, more is known than of what they would become.
bool may_wrap(const Value& value) {
  const auto* sum = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(&value);
  return sum && !sum->hasNoSignedWrap();
}

/// Whether each iteration of `loop` accesses what `index` leads to.
bool is_accessed_in_each(const Instruction& index, const llvm::Loop& loop, const llvm::DominatorTree& dominators) {
  return llvm::any_of(index.users(), [&](const llvm::User* place) {
    return llvm::any_of(place->users(), [&](const llvm::User* user) {
      return llvm::getLoadStorePointerOperand(user) == place && dominators.dominates(llvm::cast<Instruction>(user)->getParent(), loop.getLoopLatch());
    });
  });
}

}  // namespace

bool extend_walked_indices(llvm::Function& item) {
  llvm::SmallVector<llvm::SExtInst*, 8> indices;
  for (Instruction& instruction : llvm::instructions(item))
    if (auto* index = llvm::dyn_cast<llvm::SExtInst>(&instruction);
        index && index->getType()->isIntegerTy(64) && index->getSrcTy()->isIntegerTy(32) && may_wrap(*index->getOperand(0)))
      indices.push_back(index);
  if (indices.empty()) return false;
  const llvm::DominatorTree dominators(item);
  const llvm::LoopInfo loops(dominators);
  bool changed = false;
  for (llvm::SExtInst* index : indices) {
    const llvm::Loop* loop = loops.getLoopFor(index->getParent());
    if (!loop || !loop->getLoopPreheader() || !is_place_in_buffer(*index) || !is_accessed_in_each(*index, *loop, dominators)) continue;
    Sum sum;
    if (!sum.add(*index->getOperand(0), *loop, kMostSummands) || !sum.next || sum.row.empty()) continue;
    sum.next->setHasNoUnsignedWrap();  // it is little more than the sum, which is positive
    llvm::IRBuilder<> front(loop->getLoopPreheader()->getTerminator());
    Value* row = sum.row.front();
    for (Value* part : llvm::drop_begin(sum.row)) row = front.CreateAdd(row, part);
    row = front.CreateSExt(row, index->getType());
    llvm::IRBuilder<> builder(index);
    Value* count = builder.CreateZExt(sum.next->getOperand(0), index->getType(), "", /*IsNonNeg=*/true);
    index->replaceAllUsesWith(builder.CreateAdd(row, count, index->getName() + ".walked", /*HasNUW=*/false, /*HasNSW=*/true));
    index->eraseFromParent();
    changed = true;
  }
  return changed;
}

}  // namespace weft::compiler::simt
