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
  if (instruction.getType()->getScalarType()->isFloatingPointTy() || llvm::isa<llvm::FCmpInst>(instruction)) return 4;
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
bool is_element(const llvm::Type& type) { return is_number(type) || type.isIntegerTy(1); }

/// What a vector has in all lanes that are not poison, or a vector that has it in the first; null: no vector of one number is made here.
Value* repeated(Value& vector) {
  if (!vector.getType()->isVectorTy()) return nullptr;
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(&vector)) return constant->getSplatValue(true);
  const auto inserted = [](Value* value, bool alone) -> Value* {
    const auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(value);
    const auto* lane = insert ? llvm::dyn_cast<llvm::ConstantInt>(insert->getOperand(2)) : nullptr;
    return lane && lane->isZero() && (!alone || llvm::isa<llvm::PoisonValue>(insert->getOperand(0))) ? insert->getOperand(1) : nullptr;
  };
  const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&vector);
  if (!shuffle) return inserted(&vector, true);
  if (!shuffle->isZeroEltSplat()) return nullptr;
  Value* of = inserted(shuffle->getOperand(0), false);
  return of ? of : shuffle->getOperand(0);
}

/// What all lanes of `value` are, itself if it is no vector; null: not the same.
Value* same_in_all(Value* value) {
  while (value && value->getType()->isVectorTy()) value = repeated(*value);
  return value;
}

/// Whether vectors compute what `instruction` does to numbers, or to lanes that are the same, wherever its operands are known.
bool has_vector(const Instruction& instruction) {
  const auto fits = [](const llvm::Type* type) { return is_element(*type->getScalarType()); };
  if (!fits(instruction.getType())) return false;
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
    return is_vector_intrinsic(*call) && llvm::all_of(call->args(), [&](const Value* value) { return fits(value->getType()); });
  if (!llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::CastInst, llvm::CmpInst, llvm::SelectInst>(instruction)) return false;
  for (const Value* operand : instruction.operand_values()) {
    if (!fits(operand->getType())) return false;
    // Elements become elements.
    if (llvm::isa<llvm::CastInst>(instruction) && operand->getType()->isVectorTy() != instruction.getType()->isVectorTy()) return false;
  }
  if (llvm::isa<llvm::BitCastInst>(instruction) &&
      instruction.getType()->getScalarSizeInBits() != instruction.getOperand(0)->getType()->getScalarSizeInBits())
    return false;
  // No vectors divide integers.
  return !instruction.isIntDivRem() && llvm::isSafeToSpeculativelyExecute(&instruction);
}

/// The values of a loop that follow from its counter, numbers or vectors whose lanes are all the same.
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
      llvm::Type* type = value->getType()->getScalarType();
      Value* place = place_of(vectors_.lookup(value), *type);
      llvm::IRBuilder<> at(value);
      Value* element = at.CreateInBoundsGEP(type, place, &counter_);
      Value* loaded = at.CreateAlignedLoad(type, element, llvm::Align(type->getPrimitiveSizeInBits() / 8), "row");
      if (const auto* lanes = llvm::dyn_cast<llvm::FixedVectorType>(value->getType())) loaded = at.CreateVectorSplat(lanes->getNumElements(), loaded);
      value->replaceAllUsesWith(loaded);
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
    if (!loop_.contains(&value)) return 0;
    if (Value* all = repeated(value)) {
      auto* one = llvm::dyn_cast<Instruction>(all);
      const unsigned to_one = one ? find(*one) : 0;
      return cycles_[&value] = to_one ? to_one + 1 : 0;
    }
    if (!has_vector(value)) return 0;
    unsigned longest = 0;
    for (Value* operand : value.operand_values()) {
      if (operand == &counter_ || loop_.isLoopInvariant(operand)) {
        if (!llvm::isa<llvm::Function>(operand) && !same_in_all(operand)) return 0;
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
  bool is_long(const Instruction& value) const {
    return cycles(value) >= kLongChain && is_number(*value.getType()->getScalarType()) && !llvm::isa<llvm::ShuffleVectorInst, llvm::InsertElementInst>(value) &&
           is_usual(*value.getParent());
  }

  /// Whether `user` is there still when the long ones are loads.
  bool stays(const Instruction& user) const {
    if (!cycles(user)) return true;
    return !is_long(user) && llvm::any_of(user.users(), [&](const auto* next) { return stays(*llvm::cast<Instruction>(next)); });
  }

  llvm::Type* vector_type(llvm::Type* type) const { return llvm::FixedVectorType::get(type->getScalarType(), count_); }

  Value* vector_of(Value& value) {
    if (Value* known = vectors_.lookup(&value)) return known;
    Value* made = nullptr;
    if (&value == &counter_) {
      llvm::SmallVector<llvm::Constant*, 64> numbers;
      for (unsigned i = 0; i < count_; ++i) numbers.push_back(llvm::ConstantInt::get(counter_.getType(), i));
      made = llvm::ConstantVector::get(numbers);
    } else if (loop_.isLoopInvariant(&value)) {
      made = builder_.CreateVectorSplat(count_, same_in_all(&value));
    } else if (Value* one = repeated(value)) {
      made = vector_of(*one);
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
      Instruction* const flags = llvm::isa<llvm::FPMathOperator>(call) ? &value : nullptr;
      made = builder_.CreateIntrinsic(call->getIntrinsicID(), {vector_type(value.getType())}, operands, flags);
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

void join_what_stays(llvm::Function& function) {
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  for (Loop* loop : loops.getLoopsInPreorder()) {
    BasicBlock* before = loop->getLoopPreheader();
    if (!before) continue;
    for (BasicBlock* block : loop->blocks())
      for (Instruction& instruction : llvm::make_early_inc_range(*block)) {
        const auto* type = llvm::dyn_cast<llvm::VectorType>(instruction.getType());
        if (!type || !type->getElementType()->isIntegerTy() || !llvm::isa<llvm::BinaryOperator>(instruction)) continue;
        if (!instruction.isAssociative() || !instruction.isCommutative()) continue;
        const unsigned stays = loop->isLoopInvariant(instruction.getOperand(0)) ? 0 : 1;
        auto* inner = llvm::dyn_cast<llvm::BinaryOperator>(instruction.getOperand(1 - stays));
        if (!inner || inner->getOpcode() != instruction.getOpcode() || !inner->hasOneUse() || !loop->contains(inner)) continue;
        if (!loop->isLoopInvariant(instruction.getOperand(stays))) continue;
        const unsigned inner_stays = loop->isLoopInvariant(inner->getOperand(0)) ? 0 : 1;
        if (!loop->isLoopInvariant(inner->getOperand(inner_stays)) || loop->isLoopInvariant(inner->getOperand(1 - inner_stays))) continue;
        auto* both = llvm::BinaryOperator::Create(inner->getOpcode(), inner->getOperand(inner_stays), instruction.getOperand(stays), "",
                                                  before->getTerminator()->getIterator());
        instruction.dropPoisonGeneratingFlags();
        instruction.setOperand(1 - stays, inner->getOperand(1 - inner_stays));
        instruction.setOperand(stays, both);
        inner->eraseFromParent();
      }
  }
}

}  // namespace weft::compiler::wide
