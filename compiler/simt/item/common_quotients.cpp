#include "compiler/simt/item/common_quotients.h"

#include <cstdlib>

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/block_copies.h"
#include "compiler/simt/ir/divisions.h"
#include "compiler/simt/ir/least.h"
#include "compiler/simt/ir/sub_groups.h"
#include "compiler/simt/item/narrow_phis.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

/// Behind the division, of which there would be as many again; and in first code.
constexpr unsigned kMostInstructions = 1000, kMostInFirstCode = 400;
/// By the question whether a loop goes on.
constexpr unsigned kMostAsked = 8;
/// Shorter rows, where they are known, leave too few warps within one.
constexpr unsigned kRowsOfWarps = 2;

bool is_division(const Instruction& instruction) {
  return as_division(instruction) && (instruction.getType()->isIntegerTy(32) || instruction.getType()->isIntegerTy(64));
}

/// Of one number by another, as `division` is: its quotient and remainder.
bool is_same(const Instruction& division, const Instruction& other) {
  return is_division(other) && is_signed_division(division) == is_signed_division(other) && division.getOperand(0) == other.getOperand(0) &&
         division.getOperand(1) == other.getOperand(1);
}

/// Of the same number by a multiple of the divisor, a product: in one row of `division` that is a row's number by the factor.
bool is_by_multiple(const Instruction& division, const Instruction& other) {
  if (!is_division(other) || is_signed_division(division) != is_signed_division(other) || division.getOperand(0) != other.getOperand(0)) return false;
  const auto* product = llvm::dyn_cast<llvm::BinaryOperator>(other.getOperand(1));
  return product && product->getOpcode() == Instruction::Mul && llvm::is_contained(product->operands(), division.getOperand(1));
}

bool may_copy(const BasicBlock& block) {
  return llvm::none_of(block, [](const Instruction& instruction) {
    return is_barrier(instruction) || sub_group_call(instruction) || llvm::isa<llvm::AllocaInst>(instruction);
  });
}

class Division {
 public:
  Division(llvm::Function& item, const Specialization& specialization, unsigned lanes)
      : item_(item), shapes_(item, specialization, lanes, [](unsigned) { return 0u; }), lanes_(lanes) {}

  /// The first that lanes count through; null if there is none.
  Instruction* find() const {
    for (Instruction& instruction : llvm::instructions(item_))
      if (is_division(instruction) && counts(instruction)) return &instruction;
    return nullptr;
  }

  /// Whether the address of some access that lanes make at places of their own follows from `division`.
  bool parts_addresses(const Instruction& division) const {
    llvm::SmallSetVector<const Value*, 32> follows;
    for (const Instruction& instruction : llvm::instructions(item_))
      if (is_same(division, instruction) || is_by_multiple(division, instruction)) follows.insert(&instruction);
    for (unsigned i = 0; i < follows.size(); ++i)
      for (const llvm::User* user : follows[i]->users()) {
        const Value* pointer = llvm::getLoadStorePointerOperand(user);
        if (pointer == follows[i] && pointer->getType()->getPointerAddressSpace() != kPrivateSpace && !shapes_[*pointer].is_affine()) return true;
        if (!pointer) follows.insert(user);
      }
    return false;
  }

 private:
  bool counts(const Instruction& division) const {
    const Shape shape = shapes_[*division.getOperand(0)];
    if (!shape.is_affine() || shape.stride != 1 || shape.checked || !shapes_.is_uniform(*division.getOperand(1)))
      return false;
    const auto* width = llvm::dyn_cast<llvm::ConstantInt>(division.getOperand(1));
    return !width || (!width->isNegative() && width->getValue().ugt(kRowsOfWarps * lanes_));
  }

  llvm::Function& item_;
  const Shapes shapes_;
  const unsigned lanes_;
};

/// `rest` and all that follows it, in the same iteration of `loop` if it is in one, and in front of `end` if that is not null.
llvm::SmallVector<BasicBlock*, 16> reachable(BasicBlock& rest, const llvm::Loop* loop, const BasicBlock* end) {
  llvm::SmallSetVector<BasicBlock*, 16> blocks;
  blocks.insert(&rest);
  for (unsigned i = 0; i < blocks.size(); ++i)
    for (BasicBlock* next : llvm::successors(blocks[i]))
      if (!loop || (loop->contains(next) && next != loop->getHeader() && next != end)) blocks.insert(next);
  return {blocks.begin(), blocks.end()};
}

/// The end of `loop`'s iterations in a block of its own, so that the loop has one end still where its code stands twice; lanes reach it
/// together. Null where iterations do not all come to it from `division`, or where what it asks is not known in front of that.
BasicBlock* part_end(const llvm::Loop& loop, Instruction& division, llvm::DominatorTree& dominators, llvm::LoopInfo& loops) {
  BasicBlock* latch = loop.getLoopLatch();
  auto* branch = latch ? llvm::dyn_cast<llvm::BranchInst>(latch->getTerminator()) : nullptr;
  if (!branch || !branch->isConditional() || !loop.isLoopExiting(latch) || !dominators.dominates(division.getParent(), latch))
    return nullptr;
  llvm::SmallVector<Instruction*, kMostAsked> asked;  // in the order in which they use each other
  const auto ask = [&](auto& self, Value* value) -> bool {
    auto* instruction = llvm::dyn_cast<Instruction>(value);
    if (!instruction || dominators.dominates(instruction, &division) || llvm::is_contained(asked, instruction)) return true;
    if (instruction == &division || llvm::isa<llvm::PHINode>(instruction) || instruction->mayReadOrWriteMemory() ||
        !llvm::isSafeToSpeculativelyExecute(instruction) || asked.size() == kMostAsked)
      return false;
    if (!llvm::all_of(instruction->operands(), [&](Value* operand) { return self(self, operand); })) return false;
    asked.push_back(instruction);
    return true;
  };
  if (!ask(ask, branch->getCondition())) return nullptr;
  for (Instruction* instruction : asked) instruction->moveBefore(&division);
  return llvm::SplitBlock(latch, branch, &dominators, &loops);
}

class Copy {
 public:
  Copy(llvm::Function& item, Instruction& division)
      : item_(item), division_(division), number_(division.getOperand(0)), width_(division.getOperand(1)) {}

  void make(BasicBlock& front, llvm::ArrayRef<BasicBlock*> blocks) {
    llvm::ValueToValueMapTy copies;
    const auto made = clone_blocks(blocks, ".row", nullptr, copies);
    // What comes from elsewhere than the copies comes to the blocks that were.
    const llvm::SmallPtrSet<BasicBlock*, 16> own(made.begin(), made.end());
    for (BasicBlock* block : made)
      for (llvm::PHINode& phi : llvm::make_early_inc_range(block->phis()))
        for (unsigned i = phi.getNumIncomingValues(); i-- > 0;)
          if (!own.contains(phi.getIncomingBlock(i))) phi.removeIncomingValue(i, /*DeletePHIIfEmpty=*/false);

    join_copies(blocks, copies);

    Instruction* jump = front.getTerminator();
    llvm::IRBuilder<> builder(jump);
    Value* quotient = common_quotient(builder);
    Value* holds = builder.CreateICmpULT(builder.CreateSub(number_, builder.CreateMul(quotient, width_)), width_, "in.row");
    const llvm::FunctionCallee all = item_.getParent()->getOrInsertFunction(primitive::kAll, builder.getInt1Ty(), builder.getInt1Ty());
    Value* in_row = builder.CreateCall(all, holds);
    const auto multiples = divisions_by_multiples(blocks, copies);
    for (const Multiple& multiple : multiples)
      if (Value* fits = product_fits(multiple, builder)) in_row = builder.CreateAnd(in_row, fits);
    if (is_signed_division(division_)) {
      // Truncation is what the comparison says where nothing is negative.
      Value* zero = llvm::Constant::getNullValue(width_->getType());
      in_row = builder.CreateAnd(in_row, builder.CreateAnd(builder.CreateICmpSGT(width_, zero), builder.CreateICmpSGE(quotient, zero)));
    }
    auto* first = llvm::cast<BasicBlock>(copies[blocks.front()]);
    builder.CreateCondBr(in_row, first, blocks.front(), llvm::MDBuilder(item_.getContext()).createLikelyBranchWeights());
    jump->eraseFromParent();

    builder.SetInsertPoint(first, first->getFirstInsertionPt());
    Value* begin = builder.CreateMul(quotient, width_, "row.begin", /*HasNUW=*/true, is_signed_division(division_));
    Value* remainder = builder.CreateSub(number_, begin, "in.row", /*HasNUW=*/true, is_signed_division(division_));
    for (BasicBlock* block : made)
      for (Instruction& instruction : llvm::make_early_inc_range(*block)) {
        if (!is_same(division_, instruction)) continue;
        instruction.replaceAllUsesWith(is_quotient(instruction) ? quotient : remainder);
        instruction.eraseFromParent();
      }
    for (const Multiple& multiple : multiples) divide_quotient(multiple, *quotient);
  }

 private:
  /// In the copy, a division of the number by the width times `factor`: of the row's number by that, then.
  struct Multiple {
    Instruction* division;
    Instruction* product;
    Value* factor;
  };

  /// Those whose factor is known in front of the copies.
  llvm::SmallVector<Multiple, 4> divisions_by_multiples(llvm::ArrayRef<BasicBlock*> blocks, llvm::ValueToValueMapTy& copies) const {
    llvm::SmallVector<Multiple, 4> multiples;
    const auto is_outside = [&](const Value& value) {
      const auto* instruction = llvm::dyn_cast<Instruction>(&value);
      return !instruction || !llvm::is_contained(blocks, instruction->getParent());
    };
    for (BasicBlock* block : blocks)
      for (Instruction& instruction : *block) {
        if (!is_by_multiple(division_, instruction)) continue;
        auto* product = llvm::cast<Instruction>(instruction.getOperand(1));
        const unsigned other = product->getOperand(0) == width_ ? 1 : 0;
        if (!is_outside(*product->getOperand(other))) continue;
        multiples.push_back({llvm::cast<Instruction>(copies[&instruction]), product, product->getOperand(other)});
      }
    return multiples;
  }

  /// Whether the product does not wrap around; null: the program says so.
  Value* product_fits(const Multiple& multiple, llvm::IRBuilder<>& builder) const {
    const bool is_signed = is_signed_division(division_);
    if (is_signed ? multiple.product->hasNoSignedWrap() : multiple.product->hasNoUnsignedWrap()) return nullptr;
    Value* product = builder.CreateBinaryIntrinsic(is_signed ? llvm::Intrinsic::smul_with_overflow : llvm::Intrinsic::umul_with_overflow,
                                                   multiple.product->getOperand(0), multiple.product->getOperand(1));
    return builder.CreateNot(builder.CreateExtractValue(product, 1));
  }

  void divide_quotient(const Multiple& multiple, Value& quotient) const {
    llvm::IRBuilder<> builder(multiple.division);
    const bool is_signed = is_signed_division(division_);
    Value* row = is_signed ? builder.CreateSDiv(&quotient, multiple.factor) : builder.CreateUDiv(&quotient, multiple.factor);
    if (!is_quotient(*multiple.division)) row = builder.CreateSub(number_, builder.CreateMul(row, multiple.division->getOperand(1)));
    multiple.division->replaceAllUsesWith(row);
    multiple.division->eraseFromParent();
  }

  /// That of the least number, which is the only one where all lanes are in one row.
  Value* common_quotient(llvm::IRBuilder<>& builder) {
    const llvm::FunctionCallee least = item_.getParent()->getOrInsertFunction(primitive::kLeast, builder.getInt32Ty(), builder.getInt32Ty());
    Value* number = builder.CreateCall(least, builder.CreateZExtOrTrunc(number_, builder.getInt32Ty()), "least");
    number = builder.CreateZExt(number, number_->getType());
    return is_signed_division(division_) ? builder.CreateSDiv(number, width_, "row") : builder.CreateUDiv(number, width_, "row");
  }

  llvm::Function& item_;
  Instruction& division_;
  Value* number_;
  Value* width_;
};

}  // namespace

bool share_quotients(llvm::Function& item, const Specialization& specialization, unsigned lanes, Analyses& analyses, bool& leaves_out) {
  if (!specialization.local_size[0] || llvm::none_of(llvm::instructions(item), is_division)) return false;
  narrow_phis(item);  // counters of 64 bits are none
  const Division divisions(item, specialization, lanes);
  Instruction* const division = divisions.find();
  if (!division || !divisions.parts_addresses(*division)) return false;
  BasicBlock* front = division->getParent();
  llvm::DominatorTree dominators(item);
  llvm::LoopInfo loops(dominators);
  unsigned instructions = 0;
  const llvm::Loop* loop = loops.getLoopFor(front);
  for (const BasicBlock* block : reachable(*front, loop, nullptr)) {
    // A circle that is no loop, as `goto` makes it, would go from the copy back to what is in front of it.
    if ((!loop || loop->getHeader() != front) && llvm::is_contained(llvm::successors(block), front)) return false;
    if (!may_copy(*block)) return false;
    instructions += static_cast<unsigned>(block->sizeWithoutDebug());
  }
  if (instructions > kMostInstructions) return false;
  if (specialization.soon && instructions > kMostInFirstCode) {
    leaves_out = true;
    return false;
  }
  const BasicBlock* end = loop ? part_end(*loop, *division, dominators, loops) : nullptr;
  BasicBlock* rest = llvm::SplitBlock(front, division, &dominators, &loops);
  Copy(item, *division).make(*front, reachable(*rest, loops.getLoopFor(rest), end));
  analyses.invalidate(item);
  return true;
}

}  // namespace weft::compiler::simt
