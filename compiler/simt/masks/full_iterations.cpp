#include "compiler/simt/masks/full_iterations.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <optional>

#include "compiler/simt/analysis/canonical_loops.h"
#include "compiler/simt/analysis/even_conditions.h"
#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/block_copies.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/masks/folded_ends.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::BranchInst;
using llvm::PHINode;
using llvm::Value;

/// Of a loop that is copied, those of loops in it counted once.
constexpr unsigned kMostOfIteration = 200;
/// Of a loop whose count has a bound that is known.
constexpr unsigned kFewestIterations = 4;

/// A loop in LoopSimplify and LCSSA form that is left at its latch alone, by `compare`, true or false.
struct Counted {
  llvm::Loop* loop;
  BasicBlock *before, *header, *latch, *exit;
  BranchInst* branch;

  static std::optional<Counted> of(llvm::Loop& loop) {
    Counted found{&loop, loop.getLoopPreheader(), loop.getHeader(), loop.getLoopLatch(), loop.getUniqueExitBlock(), nullptr};
    if (!found.before || !found.latch || !found.exit || loop.getExitingBlock() != found.latch) return std::nullopt;
    found.branch = llvm::dyn_cast<BranchInst>(found.latch->getTerminator());
    return found.branch ? std::optional(found) : std::nullopt;
  }
  bool stays_if() const { return branch->getSuccessor(0) == header; }
};

unsigned instructions_of(const llvm::Loop& loop) {
  unsigned count = 0;
  for (const BasicBlock* block : loop.blocks()) count += static_cast<unsigned>(block->sizeWithoutDebug());
  return count;
}

class FullIterations {
 public:
  FullIterations(llvm::Function& region, Counted loop, llvm::ScalarEvolution& evolution)
      : region_(region), context_(region.getContext()), loop_(loop), evolution_(evolution) {}

  void run() {
    if (BranchInst* guard = equal_guard())
      copy_before_guard(*guard);
    else
      copy_before_loop();
  }

 private:
  /// The branch that skips the loop for lanes that would run no iteration, if it decides as the latch does for the numbers that the
  /// loop begins with, and if nothing happens on the way from there to where the loop's end meets those that skip it.
  BranchInst* equal_guard() {
    BasicBlock* head = loop_.before->getSinglePredecessor();
    auto* guard = head ? llvm::dyn_cast<BranchInst>(head->getTerminator()) : nullptr;
    if (!guard || !guard->isConditional()) return nullptr;
    const bool enters_if = guard->getSuccessor(0) == loop_.before;
    skipped_ = guard->getSuccessor(enters_if ? 1 : 0);
    if (skipped_ == loop_.before || skipped_ == loop_.exit) return nullptr;
    if (loop_.exit->getSingleSuccessor() != skipped_ || !llvm::isa<BranchInst>(*loop_.exit->getFirstNonPHIOrDbg())) return nullptr;
    for (llvm::Instruction& instruction : *loop_.before)
      if (!instruction.isTerminator() && (llvm::isa<PHINode>(instruction) || !llvm::isSafeToSpeculativelyExecute(&instruction))) return nullptr;
    auto* latch = llvm::dyn_cast<llvm::ICmpInst>(loop_.branch->getCondition());
    auto* first = llvm::dyn_cast<llvm::ICmpInst>(guard->getCondition());
    if (!latch || !first) return nullptr;
    for (unsigned side : {0u, 1u}) {
      counter_ = phi_of(*latch->getOperand(side));
      bound_ = latch->getOperand(1 - side);
      if (!counter_ || !loop_.loop->isLoopInvariant(bound_)) continue;
      stays_ = side == 0 ? latch->getPredicate() : latch->getSwappedPredicate();
      if (!loop_.stays_if()) stays_ = llvm::CmpInst::getInversePredicate(stays_);
      const llvm::SCEV* start = evolution_.getSCEV(counter_->getIncomingValueForBlock(loop_.before));
      for (unsigned of : {0u, 1u}) {
        auto enters = of == 0 ? first->getPredicate() : first->getSwappedPredicate();
        if (!enters_if) enters = llvm::CmpInst::getInversePredicate(enters);
        if (enters == stays_ && evolution_.getSCEV(first->getOperand(of)) == start &&
            evolution_.getSCEV(first->getOperand(1 - of)) == evolution_.getSCEV(bound_))
          return guard;
      }
    }
    return nullptr;
  }

  /// The header's phi that becomes `value` in the next iteration.
  PHINode* phi_of(const Value& value) const {
    for (PHINode& phi : loop_.header->phis())
      if (phi.getIncomingValueForBlock(loop_.latch) == &value) return &phi;
    return nullptr;
  }

  /// Copies the loop's blocks. Phis of the header, their branch and debug locations are the caller's.
  void clone() {
    copied_ = clone_blocks(loop_.loop->getBlocks(), ".full", loop_.header, copies_);
  }

  Value* copy_of(Value* value) const {
    const auto found = copies_.find(value);
    return found == copies_.end() ? value : static_cast<Value*>(found->second);
  }

  /// Whether all lanes that are here have `condition`.
  Value* all(llvm::IRBuilder<>& builder, Value* condition) {
    const auto vote = region_.getParent()->getOrInsertFunction(primitive::kAll, builder.getInt1Ty(), builder.getInt1Ty());
    return builder.CreateCall(vote, condition, "all");
  }

  /// Says in the copy what its condition has asked of the counter.
  void keep_in_order(Value& counter, BasicBlock& header) {
    llvm::IRBuilder<> builder(&*header.getFirstInsertionPt());
    const std::string name = (primitive::kInOrder + "i" + llvm::Twine(counter.getType()->getIntegerBitWidth())).str();
    auto in_order = region_.getParent()->getOrInsertFunction(name, counter.getType(), counter.getType(), builder.getInt1Ty());
    auto* function = llvm::cast<llvm::Function>(in_order.getCallee());
    function->setDoesNotAccessMemory();
    function->setDoesNotThrow();
    function->addFnAttr(llvm::Attribute::WillReturn);
    Value* same = builder.CreateCall(in_order, {&counter, builder.getInt1(llvm::CmpInst::isSigned(stays_))});
    counter.replaceUsesWithIf(same, [&](llvm::Use& use) {
      const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
      return user != same && llvm::is_contained(copied_, user->getParent());
    });
  }

  /// The copy stands where a lane asks whether it begins, so that it needs no mask of those that do.
  void copy_before_guard(BranchInst& guard) {
    BasicBlock* head = guard.getParent();
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(*loop_.before))
      if (!instruction.isTerminator()) {
        instruction.moveBefore(&guard);
        instruction.dropPoisonGeneratingFlags();
      }
    clone();
    auto* latch = llvm::cast<BasicBlock>(copies_[loop_.latch]);
    auto* header = llvm::cast<BasicBlock>(copies_[loop_.header]);
    auto* ask = BasicBlock::Create(context_, "full", &region_, header);
    auto* rest = BasicBlock::Create(context_, "rest", &region_, loop_.before);
    guard.moveBefore(*rest, rest->end());
    BranchInst::Create(ask, head);

    llvm::IRBuilder<> builder(ask);
    const auto carry = [&](Value* first, Value* next, const llvm::Twine& name) {
      PHINode* phi = PHINode::Create(first->getType(), 2, name, ask->begin());
      phi->addIncoming(first, head);
      phi->addIncoming(next, latch);
      return phi;
    };
    llvm::SmallVector<std::pair<PHINode*, PHINode*>, 8> carried;
    for (PHINode& phi : loop_.header->phis())
      carried.emplace_back(&phi, carry(phi.getIncomingValueForBlock(loop_.before), copy_of(phi.getIncomingValueForBlock(loop_.latch)), phi.getName()));
    // What the code behind gets where the loop itself runs no iteration.
    for (PHINode& phi : skipped_->phis()) {
      Value* last = phi.getIncomingValueForBlock(loop_.exit);
      if (auto* held = llvm::dyn_cast<PHINode>(last); held && held->getParent() == loop_.exit) last = held->getIncomingValue(0);
      const int skip = phi.getBasicBlockIndex(head);
      phi.setIncomingValue(static_cast<unsigned>(skip), carry(phi.getIncomingValue(static_cast<unsigned>(skip)), copy_of(last), phi.getName()));
      phi.setIncomingBlock(static_cast<unsigned>(skip), rest);
    }
    Value* place = nullptr;
    for (auto [phi, held] : carried) {
      auto* copy = llvm::cast<PHINode>(copies_[phi]);
      copy->replaceAllUsesWith(held);
      copy->eraseFromParent();
      phi->setIncomingValueForBlock(loop_.before, held);
      if (phi == counter_) place = held;
    }
    Value* stays = builder.CreateICmp(stays_, place, bound_);
    builder.CreateCondBr(all(builder, stays), header, rest);
    keep_in_order(*place, *header);
    latch->getTerminator()->eraseFromParent();
    BranchInst::Create(ask, latch);
    const bool enters_if = guard.getSuccessor(0) == loop_.before;
    builder.SetInsertPoint(&guard);
    guard.setCondition(enters_if ? stays : builder.CreateNot(stays));
  }

  /// The copy begins as the loop does.
  void copy_before_loop() {
    clone();
    auto* latch = llvm::cast<BasicBlock>(copies_[loop_.latch]);
    auto* header = llvm::cast<BasicBlock>(copies_[loop_.header]);
    auto* rest = BasicBlock::Create(context_, "rest", &region_, loop_.header);
    for (PHINode& phi : header->phis()) phi.replaceIncomingBlockWith(loop_.latch, latch);
    loop_.before->getTerminator()->replaceSuccessorWith(loop_.header, header);
    for (PHINode& phi : loop_.header->phis()) {
      phi.setIncomingValueForBlock(loop_.before, copy_of(phi.getIncomingValueForBlock(loop_.latch)));
      phi.replaceIncomingBlockWith(loop_.before, rest);
    }
    for (PHINode& phi : loop_.exit->phis()) phi.addIncoming(copy_of(phi.getIncomingValueForBlock(loop_.latch)), rest);
    auto* branch = llvm::cast<BranchInst>(latch->getTerminator());
    llvm::IRBuilder<> builder(branch);
    Value* stays = loop_.stays_if() ? branch->getCondition() : builder.CreateNot(branch->getCondition());
    builder.CreateCondBr(all(builder, stays), header, rest);
    branch->eraseFromParent();
    builder.SetInsertPoint(rest);
    builder.CreateCondBr(stays, loop_.header, loop_.exit);
  }

  llvm::Function& region_;
  llvm::LLVMContext& context_;
  Counted loop_;
  llvm::ScalarEvolution& evolution_;
  llvm::ValueToValueMapTy copies_;
  llvm::SmallVector<BasicBlock*, 16> copied_;
  BasicBlock* skipped_ = nullptr;  ///< where lanes go that run no iteration
  PHINode* counter_ = nullptr;
  Value* bound_ = nullptr;
  llvm::CmpInst::Predicate stays_ = llvm::CmpInst::BAD_ICMP_PREDICATE;  ///< of counter_ and bound_
};

}  // namespace

bool run_full_iterations_first(llvm::Function& region, const Shapes& shapes, Analyses& analyses) {
  llvm::FunctionAnalysisManager& manager = analyses.functions();
  llvm::SmallVector<BasicBlock*, 4> headers;
  {
    auto& uniformity = analyses.uniformity(region);
    auto& evolution = manager.getResult<llvm::ScalarEvolutionAnalysis>(region);
    for (const llvm::Loop* loop : manager.getResult<llvm::LoopAnalysis>(region).getLoopsInPreorder()) {
      const BasicBlock* latch = loop->getLoopLatch();
      if (!latch || loop->getExitingBlock() != latch || !uniformity.hasDivergentTerminator(*latch)) continue;
      const auto* branch = llvm::dyn_cast<BranchInst>(latch->getTerminator());
      const unsigned most = evolution.getSmallConstantMaxTripCount(loop);
      if (branch && (most == 0 || most >= kFewestIterations) && instructions_of(*loop) <= kMostOfIteration && is_even_exit(*branch->getCondition(), *loop, shapes, evolution))
        headers.push_back(loop->getHeader());
    }
  }
  if (headers.empty()) return false;
  bool changed = false;
  for (BasicBlock* header : headers) {
    llvm::Loop* loop = canonical_loop(*header, analyses);
    if (!loop) continue;
    if (const auto counted = Counted::of(*loop)) {
      unfold_ends(*counted->before, *counted->latch, *counted->exit);
      FullIterations(region, *counted, manager.getResult<llvm::ScalarEvolutionAnalysis>(region)).run();
      changed = true;
    }
    analyses.invalidate(region);
  }
  return changed;
}

}  // namespace weft::compiler::simt
