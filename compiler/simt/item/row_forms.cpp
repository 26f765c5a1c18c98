#include "compiler/simt/item/row_forms.h"

#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/kept_forms.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/item/inside_bounds.h"
#include "compiler/simt/item/item_copies.h"
#include "device/kernel_abi.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <cstddef>
#include <vector>

namespace weft::compiler::simt {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

bool is_id_of_row(const Instruction& instruction) {
  const llvm::StringRef name = called_name(instruction);
  return name == (primitive::kGlobalId + "y").str() || name == (primitive::kLocalId + "y").str();
}

bool only_returns(const BasicBlock& block) { return llvm::isa<llvm::ReturnInst>(block.front()); }

namespace {

/// Whether `block`, which `front` alone leads to, is the last one that does anything.
bool is_last(const BasicBlock& block, const BasicBlock& front) {
  if (block.getSinglePredecessor() != &front || llvm::isa<llvm::PHINode>(block.front()) || only_returns(block)) return false;
  const BasicBlock* next = block.getSingleSuccessor();
  return llvm::isa<llvm::ReturnInst>(block.getTerminator()) || (next && only_returns(*next));
}

/// The one of two blocks behind `front`'s condition that is_last, and whether the condition holds there; null if there is none, or it is not alone.
std::pair<const BasicBlock*, bool> only_last(const BasicBlock& front) {
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(front.getTerminator());
  if (!branch || !branch->isConditional()) return {};
  for (const unsigned side : {0u, 1u})
    if (is_last(*branch->getSuccessor(side), front) && only_returns(*branch->getSuccessor(1 - side))) return {branch->getSuccessor(side), side == 0};
  return {};
}

}  // namespace

Path Path::of(const llvm::Function& item) {
  const BasicBlock& front = item.getEntryBlock();
  if (llvm::isa<llvm::ReturnInst>(front.getTerminator())) return {&front};
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(front.getTerminator());
  if (!branch || !branch->isConditional()) return {};
  const BasicBlock *first = branch->getSuccessor(0), *second = branch->getSuccessor(1);
  if (branch->hasMetadata(kInsideMetadata)) {
    if (!is_last(*first, front)) return {};
    if (is_last(*second, front)) return {first, true, second};
    if (second->getSinglePredecessor() != &front || llvm::isa<llvm::PHINode>(second->front())) return {first, true};
    const auto [rim, when] = only_last(*second);
    return {first, true, rim, rim ? second : nullptr, when};
  }
  if (is_last(*first, front)) return {first, true};
  if (is_last(*second, front)) return {second, false};
  return {};
}

namespace {

/// Makes the function's form from its blocks.
class Stack {
 public:
  Stack(llvm::Function& item, unsigned rows, bool ids_fit_31_bits)
      : item_(item), context_(item.getContext()), rows_(rows), fit_(ids_fit_31_bits), builder_(context_), front_(&item.getEntryBlock()) {
    entry_ = BasicBlock::Create(context_, "rows", &item_, front_);
    done_ = BasicBlock::Create(context_, "rows.done", &item_);
    llvm::ReturnInst::Create(context_, llvm::ConstantInt::getSigned(item_.getReturnType(), -1), done_);
    builder_.SetInsertPoint(entry_);
    find_first_row();
  }

  /// One row after the other.
  void build_loop() {
    builder_.CreateBr(front_);
    loop_over_rows();
  }

  /// At once, as run_rows_at_once has it.
  RowBlocks build(const Path& path, llvm::Function* shorter, Analyses& analyses) {
    maps_ = std::vector<llvm::ValueToValueMapTy>(rows_);
    copy_rows(*front_);
    if (path.block == front_) {
      bound_first_row(*entry_);
      builder_.CreateBr(done_);
      erase_blocks({front_});
      if (shorter) erase_function(*shorter, analyses);
      return {entry_};
    }
    Value* condition = all_rows_condition(*front_, path.when);
    llvm::BranchInst* parts = builder_.CreateCondBr(condition, front_, front_, llvm::MDBuilder(context_).createLikelyBranchWeights());
    const llvm::SmallVector<BasicBlock*, 8> blocks_before = all_but({entry_, done_});
    RowBlocks made{make_rows("rows.all", *path.block)};
    builder_.CreateBr(done_);
    parts->setSuccessor(0, made.path);
    if (!shorter && path.rim) {
      auto* asks = path.rim_front ? make_rows("rows.asked", *path.rim_front) : nullptr;
      Value* holds = asks ? all_rows_condition(*path.rim_front, path.rim_when) : nullptr;
      made.rim = make_rows("rows.rim", *path.rim);
      builder_.CreateBr(done_);
      parts->setSuccessor(1, asks ? asks : made.rim);
      if (asks) {
        llvm::BranchInst::Create(made.rim, front_, holds, asks);
      } else {
        erase_blocks(blocks_before);
        return made;
      }
    }
    if (shorter) {
      front_ = splice_copy(item_, *shorter, analyses);
      parts->setSuccessor(1, front_);
      erase_blocks(blocks_before);
    }
    loop_over_rows();
    return made;
  }

 private:
  /// The first row's ids, of all lanes: `rows` times those in a block of so many times fewer rows.
  void find_first_row() {
    for (Instruction& instruction : llvm::instructions(item_)) {
      if (!is_id_of_row(instruction) || first_.contains(called_name(instruction))) continue;
      auto& call = llvm::cast<llvm::CallInst>(instruction);
      llvm::Type* type = call.getType();
      const bool is_global = called_name(call).starts_with(primitive::kGlobalId);
      auto* id = builder_.CreateCall(call.getFunctionType(), call.getCalledOperand());
      id->setAttributes(call.getAttributes());
      Value* first = builder_.CreateMul(id, llvm::ConstantInt::get(type, rows_), "row", fit_ || !is_global, fit_ || !is_global);
      if (is_global) {
        // offset + rows * (id - offset)
        const auto field = offsetof(abi::LaunchInfo, global_offset) + 8;
        auto* offset = builder_.CreateAlignedLoad(type, builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), item_.getArg(0), field), llvm::Align(8));
        offset->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context_, {}));
        first = builder_.CreateSub(first, builder_.CreateMul(offset, llvm::ConstantInt::get(type, rows_ - 1), "", fit_, fit_), "row", fit_, fit_);
      }
      first_[called_name(call)] = first;
    }
  }

  /// What a use of an id becomes, `row` rows below the first.
  Value* id_below(const Instruction& call, Value* row) {
    Value* first = first_.lookup(called_name(call));
    return builder_.CreateAdd(first, builder_.CreateZExt(row, first->getType()), "", fit_, fit_);
  }

  /// Numbers of 32 bits that are ids: the row is added behind the cast, where it meets what the program adds.
  Value* narrow_id_below(llvm::TruncInst& cast, Value* row) {
    Value*& narrow = narrow_[{called_name(*cast.getOperand(0)), cast.getType()}];
    if (!narrow) {
      // In front of all blocks that use it.
      auto* first = llvm::cast<Instruction>(first_.lookup(called_name(*cast.getOperand(0))));
      narrow = llvm::IRBuilder<>(first->getNextNode()).CreateTrunc(first, cast.getType(), "", fit_, fit_);
    }
    return builder_.CreateAdd(narrow, builder_.CreateZExtOrTrunc(row, cast.getType()), "", fit_, fit_ && cast.getType()->getIntegerBitWidth() >= 32);
  }

  BasicBlock* make_rows(const char* name, const BasicBlock& block) {
    auto* all = BasicBlock::Create(context_, name, &item_, done_);
    builder_.SetInsertPoint(all);
    copy_rows(const_cast<BasicBlock&>(block));
    bound_first_row(*all);
    return all;
  }

  /// Each row's number comes behind the constants that bound it, where it meets what the program adds: max(row + 1, 2) - 2 is max(row, 1) - 1, as
  /// the row above has it. InstCombine leaves it inside where it has other uses, and does not know that ids are not negative.
  void bound_first_row(BasicBlock& rows) {
    using namespace llvm::PatternMatch;
    for (Instruction& instruction : llvm::make_early_inc_range(rows)) {
      auto* bound = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&instruction);
      const llvm::APInt *added = nullptr, *limit = nullptr;
      Value* first = nullptr;
      if (!bound || !bound->isSigned() || !match(bound->getRHS(), m_APInt(limit))) continue;
      llvm::APInt own = *limit;
      bool overflows = false;
      if (match(bound->getLHS(), m_NSWAdd(m_Value(first), m_APInt(added)))) own = limit->ssub_ov(*added, overflows);
      else first = bound->getLHS();
      if (overflows || !(added || is_first_row(*first))) continue;
      builder_.SetInsertPoint(bound);
      const bool is_met = !(bound->getIntrinsicID() == llvm::Intrinsic::smax && !own.isStrictlyPositive() && is_first_row(*first));
      Value* value = is_met ? builder_.CreateBinaryIntrinsic(bound->getIntrinsicID(), first, llvm::ConstantInt::get(bound->getType(), own)) : first;
      if (added) value = builder_.CreateNSWAdd(value, llvm::ConstantInt::get(bound->getType(), *added));
      bound->replaceAllUsesWith(value);
      bound->eraseFromParent();
    }
    builder_.SetInsertPoint(&rows);
  }

  /// Whether `value` is the first row's id, which is not negative.
  bool is_first_row(const Value& value) const {
    const auto is_value = [&](const auto& known) { return known.second == &value; };
    return fit_ && (llvm::any_of(first_, is_value) || llvm::any_of(narrow_, is_value));
  }

  llvm::SmallVector<BasicBlock*, 8> all_but(llvm::ArrayRef<BasicBlock*> kept) {
    llvm::SmallVector<BasicBlock*, 8> others;
    for (BasicBlock& block : item_)
      if (!llvm::is_contained(kept, &block)) others.push_back(&block);
    return others;
  }

  /// Copies of a block's instructions for each row, side by side.
  void copy_rows(BasicBlock& block) {
    for (Instruction& instruction : block) {
      if (instruction.isTerminator() || &instruction == vote_of(*front_)) continue;
      for (unsigned j = 0; j < rows_; ++j) copy_row(instruction, j);
    }
  }

  void copy_row(Instruction& instruction, unsigned j) {
    Value* row = builder_.getInt32(j);
    auto* cast = llvm::dyn_cast<llvm::TruncInst>(&instruction);
    const auto* of = cast ? llvm::dyn_cast<Instruction>(cast->getOperand(0)) : nullptr;
    if (is_id_of_row(instruction)) {
      maps_[j][&instruction] = id_below(instruction, row);
    } else if (of && is_id_of_row(*of) && cast->getType()->getIntegerBitWidth() >= 32) {
      maps_[j][&instruction] = narrow_id_below(*cast, row);
    } else {
      Instruction* copy = builder_.Insert(instruction.clone(), instruction.getName());
      llvm::RemapInstruction(copy, maps_[j], llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
      maps_[j][&instruction] = copy;
    }
  }

  /// The vote that decides which way `block` goes on and nothing else: what it asks is asked of all rows at once.
  static llvm::CallInst* vote_of(const BasicBlock& block) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    auto* vote = branch && branch->hasMetadata(kInsideMetadata) ? llvm::dyn_cast<llvm::CallInst>(branch->getCondition()) : nullptr;
    return vote && vote->hasOneUse() && called_name(*vote) == primitive::kAll ? vote : nullptr;
  }

  /// Whether the condition at the end of `block`, which was copied, is `when` in every lane and every row.
  Value* all_rows_condition(const BasicBlock& block, bool when) {
    const auto* branch = llvm::cast<llvm::BranchInst>(block.getTerminator());
    const llvm::CallInst* vote = vote_of(block);
    Value* each = vote ? vote->getArgOperand(0) : branch->getCondition();
    Value* holds = nullptr;
    for (unsigned j = 0; j < rows_; ++j) {
      const auto known = maps_[j].find(each);
      Value* own = known == maps_[j].end() ? each : static_cast<Value*>(known->second);
      if (!when) own = builder_.CreateNot(own);
      holds = holds ? builder_.CreateAnd(holds, own) : own;
    }
    const llvm::FunctionCallee all =
        item_.getParent()->getOrInsertFunction(primitive::kAll, builder_.getInt1Ty(), builder_.getInt1Ty());
    return builder_.CreateCall(all, holds);
  }

  /// The function as it was, a row after the other.
  void loop_over_rows() {
    auto* latch = BasicBlock::Create(context_, "rows.next", &item_, done_);
    for (BasicBlock& block : item_) {
      auto* end = llvm::dyn_cast_or_null<llvm::ReturnInst>(block.getTerminator());
      if (!end || &block == done_) continue;
      llvm::BranchInst::Create(latch, &block);
      end->eraseFromParent();
    }
    builder_.SetInsertPoint(front_, front_->begin());
    llvm::PHINode* row = builder_.CreatePHI(builder_.getInt32Ty(), 2, "row.number");
    for (BasicBlock* before : llvm::predecessors(front_)) row->addIncoming(builder_.getInt32(0), before);
    for (BasicBlock& block : item_) {
      if (&block == entry_) continue;
      for (Instruction& instruction : llvm::make_early_inc_range(block)) {
        if (!is_id_of_row(instruction)) continue;
        builder_.SetInsertPoint(&instruction);
        instruction.replaceAllUsesWith(id_below(instruction, row));
        instruction.eraseFromParent();
      }
    }
    // What is inside of the bounds does well with them too: rows at the edge of an image, and few.
    if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(front_->getTerminator()); branch && branch->hasMetadata(kInsideMetadata)) {
      llvm::BranchInst::Create(branch->getSuccessor(1), branch->getIterator());
      branch->eraseFromParent();
    }
    builder_.SetInsertPoint(latch);
    Value* next = builder_.CreateAdd(row, builder_.getInt32(1), "", true, true);
    row->addIncoming(next, latch);
    auto* back = builder_.CreateCondBr(builder_.CreateICmpULT(next, builder_.getInt32(rows_)), front_, done_);
    keep_rolled(*back);
  }

  static void erase_blocks(llvm::ArrayRef<BasicBlock*> blocks) {
    for (BasicBlock* block : blocks) block->dropAllReferences();
    for (BasicBlock* block : blocks) block->eraseFromParent();
  }

  llvm::Function& item_;
  llvm::LLVMContext& context_;
  const unsigned rows_;
  const bool fit_;
  llvm::IRBuilder<> builder_;
  BasicBlock *front_, *entry_ = nullptr, *done_ = nullptr;
  llvm::DenseMap<llvm::StringRef, Value*> first_;
  llvm::DenseMap<std::pair<llvm::StringRef, llvm::Type*>, Value*> narrow_;
  std::vector<llvm::ValueToValueMapTy> maps_;
};

}  // namespace

void run_rows_in_turn(llvm::Function& item, unsigned rows, bool ids_fit_31_bits) { Stack(item, rows, ids_fit_31_bits).build_loop(); }

RowBlocks run_rows_at_once(llvm::Function& item, const Path& path, llvm::Function* shorter, unsigned rows, bool ids_fit_31_bits, Analyses& analyses) {
  return Stack(item, rows, ids_fit_31_bits).build(path, shorter, analyses);
}

}  // namespace weft::compiler::simt
