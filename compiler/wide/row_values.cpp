#include "compiler/wide/row_values.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/BlockFrequencyInfo.h>
#include <llvm/Analysis/BranchProbabilityInfo.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>

#include <algorithm>

namespace weft::compiler::wide {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Loop;
using llvm::Value;

/// Iterations: of fewer, vectors save little, and of more, they are long.
constexpr unsigned kFewestRows = 4, kMostRows = 64;
/// Cycles from the counter to a value that is worth a place on the stack: a load takes about 5.
constexpr unsigned kLongChain = 12;
constexpr std::uint64_t kRowsAlign = 32;  ///< bytes

/// Cycles of `instruction` until its result is there, on processors of today.
unsigned latency(const Instruction& instruction) {
  if (instruction.getOpcode() == Instruction::FDiv) return 11;
  if (llvm::isa<llvm::SIToFPInst, llvm::UIToFPInst, llvm::FPToSIInst, llvm::FPToUIInst>(instruction)) return 7;
  if (instruction.getType()->isFloatingPointTy() || llvm::isa<llvm::FCmpInst>(instruction)) return 4;
  return instruction.getOpcode() == Instruction::Mul ? 3 : 1;
}

/// Intrinsics whose vectors are instructions.
bool is_vector_intrinsic(const llvm::IntrinsicInst& call) {
  switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::fma:
    case llvm::Intrinsic::floor:
    case llvm::Intrinsic::ceil:
    case llvm::Intrinsic::trunc:
    case llvm::Intrinsic::rint:
    case llvm::Intrinsic::nearbyint:
    case llvm::Intrinsic::roundeven:
    case llvm::Intrinsic::fabs:
    case llvm::Intrinsic::sqrt:
    case llvm::Intrinsic::copysign:
    case llvm::Intrinsic::minnum:
    case llvm::Intrinsic::maxnum:
    case llvm::Intrinsic::smin:
    case llvm::Intrinsic::smax:
    case llvm::Intrinsic::umin:
    case llvm::Intrinsic::umax:
      return true;
    default:
      return false;
  }
}

bool is_number(const llvm::Type& type) { return type.isFloatTy() || type.isDoubleTy() || type.isIntegerTy(32) || type.isIntegerTy(64); }

/// Whether vectors compute what `instruction` does, wherever its operands are known.
bool has_vector(const Instruction& instruction) {
  if (!is_number(*instruction.getType()) && !instruction.getType()->isIntegerTy(1)) return false;
  if (!llvm::all_of(instruction.operand_values(), [](const Value* value) {
        return llvm::isa<llvm::Function>(value) || is_number(*value->getType()) || value->getType()->isIntegerTy(1);
      }))
    return false;
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) return is_vector_intrinsic(*call);
  if (!llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::CastInst, llvm::CmpInst, llvm::SelectInst>(instruction)) return false;
  // No vectors divide integers.
  return !instruction.isIntDivRem() && llvm::isSafeToSpeculativelyExecute(&instruction);
}

/// The values of a loop that follow from its counter.
class Rows {
 public:
  Rows(Loop& loop, llvm::PHINode& counter, unsigned count, const llvm::BlockFrequencyInfo& frequency)
      : loop_(loop), counter_(counter), count_(count), frequency_(frequency), builder_(loop.getLoopPreheader()->getTerminator()) {
    for (BasicBlock* block : loop.blocks())
      for (Instruction& instruction : *block) find(instruction);
  }

  bool replace() {
    llvm::SmallVector<Instruction*, 8> wanted;
    for (BasicBlock* block : loop_.blocks())
      if (is_usual(*block))
        for (Instruction& instruction : *block)
          if (is_long(instruction) && llvm::any_of(instruction.users(), [&](const auto* user) { return stays(*llvm::cast<Instruction>(user)); }))
            wanted.push_back(&instruction);
    llvm::SmallVector<llvm::WeakTrackingVH, 8> replaced;
    // All vectors first: they follow from values that are replaced here.
    for (Instruction* value : wanted) vector_of(*static_cast<Value*>(value));
    for (Instruction* value : wanted) {
      Value* place = place_of(vectors_.lookup(value), *value->getType());
      llvm::IRBuilder<> at(value);
      Value* element = at.CreateInBoundsGEP(value->getType(), place, &counter_);
      value->replaceAllUsesWith(at.CreateAlignedLoad(value->getType(), element, llvm::Align(value->getType()->getPrimitiveSizeInBits() / 8), "row"));
      replaced.emplace_back(value);
    }
    llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(replaced);
    return !wanted.empty();
  }

 private:
  bool is_usual(const BasicBlock& block) const {
    return frequency_.getBlockFreq(&block).getFrequency() >= frequency_.getBlockFreq(loop_.getHeader()).getFrequency() / 2;
  }

  /// Cycles from the counter to `value`, if it follows from that and does not stay the same.
  unsigned find(Instruction& value) {
    if (const auto known = cycles_.find(&value); known != cycles_.end()) return known->second;
    cycles_[&value] = 0;
    if (!loop_.contains(&value) || !has_vector(value)) return 0;
    unsigned longest = 0;
    for (Value* operand : value.operand_values()) {
      if (operand == &counter_ || loop_.isLoopInvariant(operand)) {
        longest = std::max(longest, operand == &counter_ ? 1u : 0u);
        continue;
      }
      const unsigned to_operand = find(*llvm::cast<Instruction>(operand));
      if (!to_operand) return 0;
      longest = std::max(longest, to_operand);
    }
    if (!longest) return 0;
    return cycles_[&value] = longest + latency(value);
  }

  unsigned cycles(const Instruction& value) const { return cycles_.lookup(&value); }
  bool is_long(const Instruction& value) const { return cycles(value) >= kLongChain && is_number(*value.getType()) && is_usual(*value.getParent()); }

  /// Whether `user` is there still when the long ones are loads.
  bool stays(const Instruction& user) const {
    if (!cycles(user)) return true;
    return !is_long(user) && llvm::any_of(user.users(), [&](const auto* next) { return stays(*llvm::cast<Instruction>(next)); });
  }

  llvm::Type* vector_type(llvm::Type* type) const { return llvm::FixedVectorType::get(type, count_); }

  Value* vector_of(Value& value) {
    Value*& known = vectors_[&value];
    if (known) return known;
    Value* made = nullptr;
    if (&value == &counter_) {
      llvm::SmallVector<llvm::Constant*, 64> numbers;
      for (unsigned i = 0; i < count_; ++i) numbers.push_back(llvm::ConstantInt::get(counter_.getType(), i));
      made = llvm::ConstantVector::get(numbers);
    } else if (loop_.isLoopInvariant(&value)) {
      made = builder_.CreateVectorSplat(count_, &value);
    } else {
      made = vector_of(llvm::cast<Instruction>(value));
    }
    return vectors_[&value] = made;
  }

  Value* vector_of(Instruction& value) {
    llvm::SmallVector<Value*, 3> operands;
    const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&value);
    for (Value* operand : call ? llvm::SmallVector<Value*, 3>(call->args()) : llvm::SmallVector<Value*, 3>(value.operand_values()))
      operands.push_back(vector_of(*operand));
    Instruction* made = nullptr;
    if (call) {
      made = builder_.CreateIntrinsic(call->getIntrinsicID(), {vector_type(value.getType())}, operands, llvm::isa<llvm::FPMathOperator>(call) ? &value : nullptr);
    } else {
      made = value.clone();
      made->dropUnknownNonDebugMetadata();
      made->mutateType(vector_type(value.getType()));
      for (unsigned i = 0; i < operands.size(); ++i) made->setOperand(i, operands[i]);
      builder_.Insert(made);
    }
    // The copy of the code for warps at an edge computes the same.
    for (Instruction* other : made_)
      if (other->isIdenticalTo(made)) {
        made->eraseFromParent();
        return other;
      }
    made_.push_back(made);
    return made;
  }

  /// Where the elements of `vector`, which are of `type`, lie.
  Value* place_of(Value* vector, llvm::Type& type) {
    Value*& place = places_[vector];
    if (place) return place;
    llvm::IRBuilder<> entry(&*counter_.getFunction()->getEntryBlock().getFirstInsertionPt());
    auto* rows = entry.CreateAlloca(&type, entry.getInt32(count_), "rows");
    rows->setAlignment(llvm::Align(kRowsAlign));
    builder_.CreateAlignedStore(vector, rows, llvm::Align(kRowsAlign));
    return place = rows;
  }

  Loop& loop_;
  llvm::PHINode& counter_;
  const unsigned count_;
  const llvm::BlockFrequencyInfo& frequency_;
  llvm::IRBuilder<> builder_;  ///< in front of the loop
  llvm::DenseMap<const Instruction*, unsigned> cycles_;
  llvm::DenseMap<const Value*, Value*> vectors_, places_;
  llvm::SmallVector<Instruction*, 32> made_;
};

/// The counter of `loop` from 0 on, if there is one.
llvm::PHINode* counter_of(const Loop& loop) {
  for (llvm::PHINode& phi : loop.getHeader()->phis()) {
    const auto* first = llvm::dyn_cast<llvm::ConstantInt>(phi.getIncomingValueForBlock(loop.getLoopPreheader()));
    const auto* next = llvm::dyn_cast<llvm::BinaryOperator>(phi.getIncomingValueForBlock(loop.getLoopLatch()));
    if (!first || !first->isZero() || !is_number(*phi.getType()) || !next || next->getOpcode() != Instruction::Add) continue;
    const auto* step = llvm::dyn_cast<llvm::ConstantInt>(next->getOperand(1));
    if (next->getOperand(0) == &phi && step && step->isOne()) return &phi;
  }
  return nullptr;
}

}  // namespace

void compute_rows_at_once(llvm::Function& function) {
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  if (loops.empty()) return;
  llvm::AssumptionCache assumptions(function);
  const llvm::TargetLibraryInfoImpl library(llvm::Triple(function.getParent()->getTargetTriple()));
  llvm::TargetLibraryInfo functions(library);
  llvm::ScalarEvolution evolution(function, functions, assumptions, dominators, loops);
  const llvm::BranchProbabilityInfo probabilities(function, loops, &functions);
  const llvm::BlockFrequencyInfo frequency(function, probabilities, loops);
  for (Loop* loop : loops.getLoopsInPreorder()) {
    if (!loop->getLoopPreheader() || !loop->getLoopLatch()) continue;
    const unsigned count = evolution.getSmallConstantMaxTripCount(loop);
    llvm::PHINode* counter = counter_of(*loop);
    if (!counter || count < kFewestRows || count > kMostRows) continue;
    if (Rows(*loop, *counter, count, frequency).replace()) evolution.forgetLoop(loop);
  }
}

void add_lanes_alone(llvm::Function& function) {
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  if (loops.empty()) return;
  // Lanes of a register that a block wants: of more, their sums are one operation.
  constexpr unsigned kLanesEach = 8;
  llvm::SmallVector<Instruction*, 16> sums;
  for (BasicBlock& block : function)
    for (Instruction& instruction : block)
      if (instruction.getOpcode() == Instruction::Add && instruction.getType()->isVectorTy() && loops.getLoopFor(&block)) sums.push_back(&instruction);
  for (Instruction* sum : sums) {
    Loop* loop = loops.getLoopFor(sum->getParent());
    const unsigned same = llvm::getSplatValue(sum->getOperand(0)) ? 0 : 1;
    Value *scalar = llvm::getSplatValue(sum->getOperand(same)), *rest = sum->getOperand(1 - same);
    if (!scalar || llvm::isa<llvm::Constant>(rest) || !loop->isLoopInvariant(rest)) continue;
    const auto lanes = llvm::cast<llvm::FixedVectorType>(sum->getType())->getNumElements();
    llvm::DenseMap<const BasicBlock*, llvm::SmallVector<llvm::ExtractElementInst*, 4>> wanted;
    for (llvm::User* user : sum->users())
      if (auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(user); extract && llvm::isa<llvm::ConstantInt>(extract->getIndexOperand()))
        wanted[extract->getParent()].push_back(extract);
    while (loop->getParentLoop() && loop->getParentLoop()->isLoopInvariant(rest)) loop = loop->getParentLoop();
    BasicBlock* before = loop->getLoopPreheader();
    if (!before) continue;
    llvm::DenseMap<std::uint64_t, Value*> taken;
    for (const auto& [block, extracts] : wanted) {
      if (extracts.size() * kLanesEach > lanes) continue;
      for (llvm::ExtractElementInst* extract : extracts) {
        const std::uint64_t lane = llvm::cast<llvm::ConstantInt>(extract->getIndexOperand())->getZExtValue();
        Value*& part = taken[lane];
        if (!part) part = llvm::IRBuilder<>(before->getTerminator()).CreateExtractElement(rest, lane, "lane");
        llvm::IRBuilder<> at(extract);
        auto* added = llvm::BinaryOperator::CreateAdd(part, scalar);
        added->copyIRFlags(sum);
        extract->replaceAllUsesWith(at.Insert(added));
        extract->eraseFromParent();
      }
    }
    if (taken.empty()) continue;
    if (sum->use_empty()) {
      llvm::RecursivelyDeleteTriviallyDeadInstructions(sum);
      continue;
    }
    BasicBlock* common = nullptr;
    for (const llvm::Use& use : sum->uses()) {
      const auto* user = llvm::cast<Instruction>(use.getUser());
      const auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
      BasicBlock* at = phi ? phi->getIncomingBlock(use) : const_cast<BasicBlock*>(user->getParent());
      common = common ? dominators.findNearestCommonDominator(common, at) : at;
    }
    if (common != sum->getParent() && loops.getLoopFor(common) == loops.getLoopFor(sum->getParent()))
      sum->moveBefore(*common, common->getFirstInsertionPt());
  }
}

}  // namespace weft::compiler::wide
