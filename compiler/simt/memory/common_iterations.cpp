#include "compiler/simt/memory/common_iterations.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>

#include <optional>

#include "compiler/simt/analysis/canonical_loops.h"
#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/block_copies.h"
#include "compiler/simt/ir/memory_order.h"
#include "compiler/simt/memory/lane_counts.h"
#include "compiler/simt/memory/walked_pieces.h"
#include "compiler/simt/memory/walked_rows.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::BranchInst;
using llvm::Instruction;
using llvm::PHINode;
using llvm::Value;

/// Pieces that a row has at least, for the copy to run at all: it has a beginning and an end of its own.
constexpr unsigned kFewestPieces = 2;

bool is_shared_store(const Instruction& instruction) {
  const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  return store && store->getPointerAddressSpace() != kPrivateSpace;
}

/// Finds what walks along rows of the lanes' own.
class Walks {
 public:
  Walks(const Shapes& shapes, llvm::UniformityInfo& uniformity, const llvm::DominatorTree& dominators, llvm::ScalarEvolution& evolution)
      : shapes_(shapes), uniformity_(uniformity), dominators_(dominators), evolution_(evolution) {}

  /// Of `loop`, if the copy would make pieces of them; none if another store stands between.
  llvm::SmallVector<Walk, 4> of(const llvm::Loop& loop) {
    const bool stores = llvm::any_of(loop.blocks(), [](const BasicBlock* block) { return llvm::any_of(*block, is_shared_store); });
    llvm::SmallVector<Walk, 4> found;
    for (BasicBlock* block : loop.blocks())
      for (Instruction& instruction : *block) {
        const auto step = dominators_.dominates(block, loop.getLoopLatch()) ? step_of(instruction, loop) : std::nullopt;
        if (step && (*step > 0 || stores))
          found.push_back({&instruction, *step < 0});
        else if (is_shared_store(instruction))
          return {};
      }
    return found;
  }

 private:
  /// Elements, 1 or -1, by which `instruction` moves on in each iteration, where lanes lie far apart.
  std::optional<std::int64_t> step_of(Instruction& instruction, const llvm::Loop& loop) {
    const Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (!pointer || !uniformity_.isDivergent(pointer) || pointer->getType()->getPointerAddressSpace() == kPrivateSpace) return std::nullopt;
    const std::int64_t bytes = bytes_in_rows(*llvm::getLoadStoreType(&instruction), instruction.getModule()->getDataLayout());
    const auto step = bytes && bytes < kRowPiece ? step_of_address(*pointer, loop, evolution_) : std::nullopt;
    if (!step || std::abs(*step) != bytes) return std::nullopt;
    const Shape shape = shapes_[*pointer];
    if (shape.is_affine() && std::abs(shape.stride) <= kNearLanes * bytes) return std::nullopt;
    return *step / bytes;
  }

  const Shapes& shapes_;
  llvm::UniformityInfo& uniformity_;
  const llvm::DominatorTree& dominators_;
  llvm::ScalarEvolution& evolution_;
};

/// Whether walked_rows.h or written_walks.h may take `loop` once all lanes leave it together: innermost, left at its end alone after a number
/// of iterations that is known in front of it, and nothing in it that others could see but plain loads and stores.
bool may_walk(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  return may_take_pieces(loop, evolution) && llvm::none_of(loop.blocks(), [](const BasicBlock* block) {
    return llvm::any_of(*block, [](const Instruction& instruction) {
      if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction)) return keeps_order(instruction);
      return instruction.isAtomic() || asked_volatile(instruction);
    });
  });
}

/// A loop in LoopSimplify and LCSSA form that is left at its latch alone.
class CommonIterations {
 public:
  CommonIterations(llvm::Function& region, llvm::Loop& loop, llvm::ScalarEvolution& evolution, const llvm::TargetTransformInfo& target)
      : region_(region),
        loop_(loop),
        evolution_(evolution),
        target_(target),
        before_(loop.getLoopPreheader()),
        header_(loop.getHeader()),
        latch_(loop.getLoopLatch()),
        exit_(loop.getUniqueExitBlock()) {}

  /// Nothing has changed if it returns false.
  bool run(unsigned fewest) {
    if (!before_ || !latch_ || !exit_ || loop_.getExitingBlock() != latch_) return false;
    guard_ = own_guard();
    BasicBlock* front = guard_ ? guard_->getParent() : before_;
    const llvm::SCEV* again = repetitions_in_front(loop_, evolution_, target_);
    if (!again) return false;
    begin_ = BasicBlock::Create(region_.getContext(), "begin", &region_, header_);
    if (guard_) move_ahead();
    copy_before(*front, emit_repetitions(*again, evolution_, *front->getTerminator()), fewest);
    return true;
  }

 private:
  /// The branch that skips the loop for lanes that would run no iteration, if nothing happens on the way from there to where the loop's end
  /// meets those that skip it.
  BranchInst* own_guard() {
    BasicBlock* head = before_->getSinglePredecessor();
    auto* guard = head ? llvm::dyn_cast<BranchInst>(head->getTerminator()) : nullptr;
    if (!guard || !guard->isConditional()) return nullptr;
    skipped_ = guard->getSuccessor(guard->getSuccessor(0) == before_ ? 1 : 0);
    if (skipped_ == before_ || skipped_ == exit_ || exit_->getSingleSuccessor() != skipped_ || !llvm::isa<BranchInst>(*exit_->getFirstNonPHIOrDbg())) return nullptr;
    const bool may_move = llvm::all_of(*before_, [](const Instruction& instruction) {
      return instruction.isTerminator() || (!llvm::isa<PHINode>(instruction) && llvm::isSafeToSpeculativelyExecute(&instruction));
    });
    return may_move ? guard : nullptr;
  }

  /// What is computed between the guard and the loop goes in front of the guard, where lanes that run no iteration compute it, too. The loop
  /// and its copy keep what is known of it for others: that addresses do not wrap around, which tells how rows lie.
  void move_ahead() {
    llvm::ValueToValueMapTy own;
    llvm::SmallVector<Instruction*, 8> ahead;
    for (Instruction& instruction : llvm::drop_end(*before_)) ahead.push_back(&instruction);
    for (Instruction* moved : ahead) {
      Instruction& instruction = *moved;
      if (instruction.hasPoisonGeneratingFlags()) {
        Instruction *for_loop = instruction.clone(), *for_copy = instruction.clone();
        for_loop->insertBefore(before_->getTerminator());
        for_copy->insertInto(begin_, begin_->end());
        llvm::RemapInstruction(for_loop, own, llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
        llvm::RemapInstruction(for_copy, copies_, llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
        own[&instruction] = for_loop;
        known_.emplace_back(&instruction, for_loop);
        copies_[&instruction] = for_copy;
        instruction.dropPoisonGeneratingFlags();
      }
      instruction.moveBefore(guard_);
    }
  }

  Value* copy_of(Value* value) const {
    const auto found = copies_.find(value);
    return found == copies_.end() ? value : static_cast<Value*>(found->second);
  }

  /// How many iterations all lanes that get to the end of `front` have in common; 0 if one has none.
  Value* least_count(llvm::IRBuilder<>& builder, Value& again) {
    Value* count = builder.CreateAdd(&in_32_bits(builder, again), builder.getInt32(1), "count");
    if (guard_) {
      const bool enters_if = guard_->getSuccessor(0) == before_;
      Value *some = enters_if ? count : builder.getInt32(0), *none = enters_if ? builder.getInt32(0) : count;
      count = builder.CreateSelect(guard_->getCondition(), some, none);
    }
    return &least_of_lanes(builder, *count);
  }

  /// Puts the copy between the end of `front` and the loop.
  void copy_before(BasicBlock& front, Value& again, unsigned fewest) {
    clone_blocks(loop_.getBlocks(), ".common", header_, copies_);
    auto *header = llvm::cast<BasicBlock>(copy_of(header_)), *latch = llvm::cast<BasicBlock>(copy_of(latch_));
    auto* rest = BasicBlock::Create(region_.getContext(), "rest", &region_, guard_ ? before_ : header_);
    Instruction* end = front.getTerminator();
    llvm::IRBuilder<> builder(end);
    Value* common = least_count(builder, again);
    builder.CreateCondBr(builder.CreateICmpUGE(common, builder.getInt32(fewest)), begin_, rest);
    BranchInst::Create(header, begin_);

    // The copy counts for all lanes.
    for (PHINode& phi : header->phis()) {
      phi.replaceIncomingBlockWith(before_, begin_);
      phi.replaceIncomingBlockWith(latch_, latch);
    }
    builder.SetInsertPoint(header, header->begin());
    PHINode* number = builder.CreatePHI(builder.getInt32Ty(), 2, "number");
    auto* branch = llvm::cast<BranchInst>(latch->getTerminator());
    builder.SetInsertPoint(branch);
    Value* next = builder.CreateAdd(number, builder.getInt32(1), "number.next", /*HasNUW=*/true);
    number->addIncoming(builder.getInt32(0), begin_);
    number->addIncoming(next, latch);
    builder.CreateCondBr(builder.CreateICmpULT(next, common), header, rest);
    Value* ended = branch->getCondition();
    branch->eraseFromParent();
    llvm::RecursivelyDeleteTriviallyDeadInstructions(ended);

    // Lanes that have an iteration left.
    builder.SetInsertPoint(rest);
    const auto either = [&](Value* without, Value* with, const llvm::Twine& name) {
      PHINode* phi = PHINode::Create(with->getType(), 2, name, rest->begin());
      phi->addIncoming(without, &front);
      phi->addIncoming(with, latch);
      return phi;
    };
    llvm::IRBuilder<> at_end(latch->getTerminator());
    Value* left = at_end.CreateICmpUGE(&again, at_end.CreateZExt(common, again.getType()), "left");
    for (PHINode& phi : header_->phis()) {
      phi.setIncomingValueForBlock(before_, either(phi.getIncomingValueForBlock(before_), copy_of(phi.getIncomingValueForBlock(latch_)), phi.getName()));
      if (!guard_) phi.replaceIncomingBlockWith(before_, rest);
    }
    if (!guard_) {
      for (PHINode& phi : exit_->phis()) {
        Value* last = copy_of(phi.getIncomingValueForBlock(latch_));
        phi.addIncoming(either(llvm::PoisonValue::get(phi.getType()), last, phi.getName()), rest);
      }
      builder.CreateCondBr(either(builder.getTrue(), left, "goes.on"), header_, exit_);
      end->eraseFromParent();
      return;
    }
    for (PHINode& phi : skipped_->phis()) {
      Value* last = phi.getIncomingValueForBlock(exit_);
      if (auto* held = llvm::dyn_cast<PHINode>(last); held && held->getParent() == exit_) last = held->getIncomingValueForBlock(latch_);
      const auto skip = static_cast<unsigned>(phi.getBasicBlockIndex(&front));
      phi.setIncomingValue(skip, either(phi.getIncomingValue(skip), copy_of(last), phi.getName()));
      phi.setIncomingBlock(skip, rest);
    }
    if (guard_->getSuccessor(0) != before_) left = at_end.CreateNot(left);
    guard_->moveBefore(*rest, rest->end());
    guard_->setCondition(either(guard_->getCondition(), left, "goes.on"));
    for (auto [ahead, own] : llvm::reverse(known_)) {
      ahead->replaceUsesWithIf(own, [&](const llvm::Use& use) { return loop_.contains(llvm::cast<Instruction>(use.getUser())); });
      if (ahead->use_empty()) ahead->eraseFromParent();
    }
  }

  llvm::Function& region_;
  llvm::Loop& loop_;
  llvm::ScalarEvolution& evolution_;
  const llvm::TargetTransformInfo& target_;
  BasicBlock *before_, *header_, *latch_, *exit_;
  BranchInst* guard_ = nullptr;
  BasicBlock* skipped_ = nullptr;  ///< where guard_ leads lanes that run no iteration
  BasicBlock* begin_ = nullptr;    ///< in front of the copy
  llvm::SmallVector<std::pair<Instruction*, Instruction*>, 4> known_;  ///< what move_ahead moved, and what the loop has of it
  llvm::ValueToValueMapTy copies_;
};

}  // namespace

bool run_common_iterations_first(llvm::Function& region, const Specialization& specialization, unsigned lanes,
                                 llvm::function_ref<std::uint32_t(unsigned)> private_stride, Analyses& analyses) {
  llvm::FunctionAnalysisManager& manager = analyses.functions();
  llvm::SmallVector<std::pair<BasicBlock*, unsigned>, 4> found;
  {
    auto& uniformity = analyses.uniformity(region);
    auto& evolution = manager.getResult<llvm::ScalarEvolutionAnalysis>(region);
    std::optional<Shapes> shapes;
    for (const llvm::Loop* loop : manager.getResult<llvm::LoopAnalysis>(region).getLoopsInPreorder()) {
      if (!may_walk(*loop, evolution) || !uniformity.hasDivergentTerminator(*loop->getLoopLatch())) continue;
      if (!shapes) shapes.emplace(region, specialization, lanes, private_stride);
      const auto walks = Walks(*shapes, uniformity, manager.getResult<llvm::DominatorTreeAnalysis>(region), evolution).of(*loop);
      const unsigned iterations = walks.empty() ? 1 : iterations_of_pieces(*loop, walks, evolution);
      const unsigned most = evolution.getSmallConstantMaxTripCount(loop);
      if (iterations > 1 && (most == 0 || most >= kFewestPieces * iterations)) found.emplace_back(loop->getHeader(), kFewestPieces * iterations);
    }
  }
  bool changed = false;
  for (const auto& [header, fewest] : found) {
    llvm::Loop* loop = canonical_loop(*header, analyses);
    if (!loop) continue;
    changed |= CommonIterations(region, *loop, manager.getResult<llvm::ScalarEvolutionAnalysis>(region), manager.getResult<llvm::TargetIRAnalysis>(region)).run(fewest);
    analyses.invalidate(region);
  }
  return changed;
}

}  // namespace weft::compiler::simt
