#include "compiler/simt/masks/linearize.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "compiler/simt/analysis/short_sides.h"
#include "compiler/simt/ir/least.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::BranchInst;
using llvm::Value;

class Linearizer {
 public:
  Linearizer(llvm::Function& function, Analyses& analyses, bool full_warps)
      : function_(function),
        full_warps_(full_warps),
        context_(function.getContext()),
        uniformity_(analyses.uniformity(function)),
        dominators_(function),
        loops_(dominators_) {}

  llvm::Error run() {
    for (BasicBlock& block : function_)
      if (auto* branch = llvm::dyn_cast<BranchInst>(block.getTerminator()))
        if (branch->isConditional() && uniformity_.hasDivergentTerminator(block)) divergent_.insert(branch);
    for (BranchInst* branch : divergent_)
      if (llvm::Loop* loop = exited_loop(*branch)) {
        if (loop->getLoopLatch() != branch->getParent() || loop->getExitingBlock() != branch->getParent())
          return failure("a divergent loop is left before its latch");
        divergent_loops_.insert(loop);
      }
    dedicate_exits();
    post_dominators_.recalculate(function_);
    split_two_sided();
    post_dominators_.recalculate(function_);
    dedicate_entries();
    post_dominators_.recalculate(function_);
    if (llvm::Error error = check_shape()) return error;
    assign_masks();
    let_live_lanes_vote();
    find_ends_of_loops();
    // Inner branches first: an outer region then contains the joins of its inner ones. Both lists are made first,
    // because the branches are then replaced one by one.
    llvm::SmallVector<BranchInst*, 16> regions, latches;
    for (llvm::DomTreeNode* node : llvm::post_order(&dominators_))
      if (auto* branch = llvm::dyn_cast<BranchInst>(node->getBlock()->getTerminator()); branch && is_divergent(branch))
        (exited_loop(*branch) ? latches : regions).push_back(branch);
    for (BranchInst* branch : regions)
      if (runs_for_all(side_of(*branch), uniformity_)) straight_.insert(branch);
    for (BranchInst* branch : regions) guard_region(*branch);
    for (BranchInst* branch : latches) close_loop(*branch, *exited_loop(*branch));
    for (auto& [block, mask] : masks_) emit_mask(*block, *mask);
    return llvm::Error::success();
  }

 private:
  llvm::Error failure(const char* what) {
    return llvm::createStringError(std::string("linearize: ") + what + " in " + function_.getName().str());
  }

  bool is_divergent(BranchInst* branch) const { return divergent_.contains(branch); }

  /// The innermost loop that one of the branch's edges leaves, or null.
  llvm::Loop* exited_loop(BranchInst& branch) const {
    llvm::Loop* loop = loops_.getLoopFor(branch.getParent());
    if (!loop) return nullptr;
    for (BasicBlock* successor : branch.successors())
      if (!loop->contains(successor)) return loop;
    return nullptr;
  }

  /// Gives each divergent loop an exit block of its own and a phi there for each value used outside.
  void dedicate_exits() {
    for (llvm::Loop* loop : divergent_loops_) {
      BasicBlock* exit = loop->getExitBlock();
      if (!exit->getSinglePredecessor()) llvm::SplitEdge(loop->getLoopLatch(), exit, &dominators_, &loops_);
      // Includes inner loops: this loop must hold their values that are used after it.
      llvm::formLCSSARecursively(*loop, dominators_, &loops_, nullptr);
    }
  }

  /// Splits each divergent branch with work on both sides into two that each jump over one side: lanes that did not take
  /// the first side take the second. (Such branches remain after the unified exits of a divergent loop.)
  void split_two_sided() {
    const llvm::SmallVector<BranchInst*, 16> branches(divergent_.begin(), divergent_.end());
    for (BranchInst* branch : branches) {
      BasicBlock* join = join_of(*branch);
      if (exited_loop(*branch) || !join || branch->getSuccessor(0) == join || branch->getSuccessor(1) == join) continue;
      BasicBlock* head = branch->getParent();
      for (unsigned side : {0u, 1u})
        if (!branch->getSuccessor(side)->getSinglePredecessor())
          llvm::SplitEdge(head, branch->getSuccessor(side), &dominators_, &loops_);
      BasicBlock* first = branch->getSuccessor(0);
      llvm::SmallVector<BasicBlock*, 4> tails;
      for (BasicBlock* predecessor : llvm::predecessors(join))
        if (dominators_.dominates(first, predecessor)) tails.push_back(predecessor);
      if (tails.empty()) continue;
      BasicBlock* second = branch->getSuccessor(1);
      BasicBlock* flow = llvm::SplitBlockPredecessors(join, tails, ".flow", &dominators_, &loops_);
      for (llvm::PHINode& phi : flow->phis()) phi.addIncoming(llvm::PoisonValue::get(phi.getType()), head);
      // Values of the first side that reach the join without a phi of `flow` (one tail) get one.
      for (llvm::PHINode& phi : join->phis()) {
        Value* value = phi.getIncomingValueForBlock(flow);
        auto* defined = llvm::dyn_cast<llvm::Instruction>(value);
        if (!defined || defined->getParent() == flow || dominators_.dominates(defined->getParent(), head)) continue;
        auto* through = llvm::PHINode::Create(value->getType(), 2, value->getName(), flow->begin());
        for (BasicBlock* tail : tails) through->addIncoming(value, tail);
        through->addIncoming(llvm::PoisonValue::get(value->getType()), head);
        phi.setIncomingValueForBlock(flow, through);
      }
      auto* taken = llvm::PHINode::Create(llvm::Type::getInt1Ty(context_), 2, "taken", flow->begin());
      for (BasicBlock* tail : tails) taken->addIncoming(llvm::ConstantInt::getTrue(context_), tail);
      taken->addIncoming(llvm::ConstantInt::getFalse(context_), head);
      flow->getTerminator()->eraseFromParent();
      divergent_.insert(BranchInst::Create(join, second, taken, flow));
      branch->setSuccessor(1, flow);
      second->replacePhiUsesWith(head, flow);
      dominators_.recalculate(function_);
      post_dominators_.recalculate(function_);
    }
  }

  /// Gives each guarded region that begins with a loop a block of its own before the header.
  void dedicate_entries() {
    for (BranchInst* branch : divergent_) {
      if (exited_loop(*branch) || !join_of(*branch)) continue;
      BasicBlock* inside = region_of(*branch);
      if (inside != join_of(*branch) && !inside->getSinglePredecessor())
        llvm::SplitEdge(branch->getParent(), inside, &dominators_, &loops_);
    }
  }

  llvm::Error check_shape() {
    for (BranchInst* branch : divergent_) {
      if (exited_loop(*branch)) continue;
      BasicBlock* join = join_of(*branch);
      if (!join) return failure("a divergent branch has no join");
      BasicBlock* inside = region_of(*branch);
      if (branch->getSuccessor(0) != join && branch->getSuccessor(1) != join)
        return failure("a divergent branch has two sides");
      if (inside != join && !inside->getSinglePredecessor()) return failure("a divergent region has two entries");
    }
    return llvm::Error::success();
  }

  BasicBlock* join_of(BranchInst& branch) const {
    llvm::DomTreeNode* node = post_dominators_.getNode(branch.getParent());
    return node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  }
  BasicBlock* region_of(BranchInst& branch) const {
    return branch.getSuccessor(0) == join_of(branch) ? branch.getSuccessor(1) : branch.getSuccessor(0);
  }

  /// The lanes in `mask` that take the edge from `branch` to `target`.
  Value* edge_mask(BranchInst& branch, BasicBlock* target, Value* mask) {
    llvm::IRBuilder<> builder(&branch);
    Value* taken = branch.getCondition();
    if (branch.getSuccessor(0) != target) taken = builder.CreateNot(taken);
    // A lane that is not live may hold poison, which a select, unlike an `and`, does not let through.
    return is_true(mask) ? taken : builder.CreateSelect(mask, taken, builder.getFalse(), "mask");
  }

  static bool is_true(Value* mask) {
    auto* constant = llvm::dyn_cast<llvm::ConstantInt>(mask);
    return constant && constant->isOne();
  }

  void assign_masks() {
    for (llvm::DomTreeNode* node : llvm::depth_first(&dominators_)) {
      BasicBlock* block = node->getBlock();
      Value* mask = node->getIDom() ? inherited_mask(*block, *node->getIDom()->getBlock()) : entry_mask();
      llvm::Loop* loop = loops_.isLoopHeader(block) ? loops_.getLoopFor(block) : nullptr;
      if (loop && divergent_loops_.contains(loop)) {
        entering_mask_[loop] = mask;
        auto* phi = llvm::PHINode::Create(llvm::Type::getInt1Ty(context_), 2, "live", block->begin());
        for (BasicBlock* predecessor : llvm::predecessors(block))
          phi->addIncoming(predecessor == loop->getLoopLatch() ? llvm::PoisonValue::get(phi->getType()) : mask,
                           predecessor);
        mask = phi;
      }
      masks_[block] = mask;
    }
  }

  /// Of the program's lanes; the others hold anything.
  void let_live_lanes_vote() {
    for (auto& [block, mask] : masks_) {
      if (is_true(mask)) continue;
      for (llvm::Instruction& instruction : *block) {
        const llvm::StringRef name = called_name(instruction);
        if (name != primitive::kAll && name != primitive::kLeast && name != primitive::kFew) continue;
        llvm::IRBuilder<> builder(&instruction);
        llvm::Value* own = instruction.getOperand(0);
        llvm::Type* type = own->getType();
        llvm::Constant* none = name == primitive::kFew ? llvm::Constant::getNullValue(type) : llvm::Constant::getAllOnesValue(type);
        instruction.setOperand(0, builder.CreateSelect(mask, own, none));
      }
    }
  }

  Value* entry_mask() {
    if (full_warps_) return llvm::ConstantInt::getTrue(context_);
    llvm::IRBuilder<> builder(&*function_.getEntryBlock().getFirstInsertionPt());
    return builder.CreateCall(
        function_.getParent()->getOrInsertFunction(primitive::kLive, builder.getInt1Ty()), {}, "live");
  }

  Value* inherited_mask(BasicBlock& block, BasicBlock& dominator) {
    auto* branch = llvm::dyn_cast<BranchInst>(dominator.getTerminator());
    if (branch && branch->isConditional() && is_divergent(branch)) {
      llvm::Loop* left = exited_loop(*branch);
      if (left && !left->contains(&block)) return entering_mask_[left];
      if (!left && region_of(*branch) == &block && join_of(*branch) != &block)
        return edge_mask(*branch, &block, masks_[&dominator]);
    }
    return masks_[&dominator];
  }

  /// Finds bits that lanes carry out of a loop and that are true in its last iteration alone: where one lane has such a bit all leave, as
  /// with `k == n` at the end of `for (; k < n; ++k)`.
  void find_ends_of_loops() {
    for (llvm::Loop* loop : divergent_loops_) {
      BasicBlock* latch = loop->getLoopLatch();
      auto* branch = llvm::cast<BranchInst>(latch->getTerminator());
      const bool stays_if = branch->getSuccessor(0) == loop->getHeader();
      const auto* condition = llvm::dyn_cast<llvm::PHINode>(branch->getCondition());
      if (!condition || condition->getParent() != latch) continue;
      for (llvm::PHINode& phi : loop->getExitBlock()->phis()) {
        const auto* bit = llvm::dyn_cast<llvm::PHINode>(phi.getIncomingValueForBlock(latch));
        if (!bit || !bit->getType()->isIntegerTy(1) || bit->getParent() != latch) continue;
        if (ends_loop(*bit, *condition, stays_if)) ends_loop_.insert(bit);
      }
    }
  }

  /// Whether no lane stays in the iteration in which one has `bit`: both are phis of the latch.
  bool ends_loop(const llvm::PHINode& bit, const llvm::PHINode& condition, bool stays_if) {
    const Value* asked = nullptr;  // of lanes on all edges by which one may stay
    for (const BasicBlock* from : llvm::predecessors(bit.getParent())) {
      const Value* stays = condition.getIncomingValueForBlock(from);
      if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(stays); known && known->isOne() != stays_if) continue;
      const auto* compare = llvm::dyn_cast<llvm::CmpInst>(stays);
      if ((asked && asked != stays) || !compare || !uniformity_.isUniform(compare)) return false;
      asked = stays;
    }
    return asked && llvm::all_of(llvm::zip(bit.incoming_values(), bit.blocks()), [&](const auto& edge) {
      const Value* value = std::get<0>(edge).get();
      if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value)) return constant->isZero();
      const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
      if (!instruction || !uniformity_.isUniform(instruction)) return false;
      const auto implied = llvm::isImpliedCondition(value, asked, function_.getDataLayout());
      return implied && *implied != stays_if;
    });
  }

  void guard_region(BranchInst& branch) {
    BasicBlock* head = branch.getParent();
    BasicBlock* join = join_of(branch);
    BasicBlock* inside = region_of(branch);
    if (inside == join) {  // both edges go to the join
      llvm::IRBuilder<> builder(&branch);
      for (llvm::PHINode& phi : join->phis()) phi.removeIncomingValue(head, false);
      builder.CreateBr(join);
      branch.eraseFromParent();
      return;
    }
    Value* mask = masks_[inside];
    llvm::SmallVector<BasicBlock*, 4> tails;
    bool has_other_predecessors = false;
    for (BasicBlock* predecessor : llvm::predecessors(join)) {
      if (predecessor == head) continue;
      if (dominators_.dominates(inside, predecessor))
        tails.push_back(predecessor);
      else
        has_other_predecessors = true;
    }
    BasicBlock* tail = tails.empty() ? nullptr : tails.front();
    if (tails.size() > 1) {
      tail = llvm::SplitBlockPredecessors(join, tails, ".tail", &dominators_, &loops_);
      masks_[tail] = mask;
    }
    if (has_other_predecessors && tail) {
      join = llvm::SplitBlockPredecessors(join, {head, tail}, ".join", &dominators_, &loops_);
      masks_[join] = masks_[head];
    }
    const bool speculate = tail && straight_.contains(&branch);
    if (tail)
      for (llvm::PHINode& phi : join->phis()) {
        Value* outer = phi.getIncomingValueForBlock(head);
        Value* inner = phi.getIncomingValueForBlock(tail);
        if (llvm::isa<llvm::UndefValue>(outer) || outer == inner) continue;
        // A value that the region leaves undefined is the outer one; uniformity analysis relies on that, too.
        if (llvm::isa<llvm::UndefValue>(inner)) {
          phi.setIncomingValueForBlock(tail, outer);
          continue;
        }
        llvm::IRBuilder<> builder(tail->getTerminator());
        phi.setIncomingValueForBlock(tail, builder.CreateSelect(mask, inner, outer, phi.getName()));
      }
    llvm::IRBuilder<> builder(&branch);
    if (speculate) {
      for (llvm::PHINode& phi : join->phis()) phi.removeIncomingValue(head, false);
      builder.CreateBr(inside);
    } else {
      builder.CreateCondBr(any(builder, mask), inside, join);
    }
    branch.eraseFromParent();
  }

  void close_loop(BranchInst& branch, llvm::Loop& loop) {
    BasicBlock* latch = branch.getParent();
    BasicBlock* header = loop.getHeader();
    BasicBlock* exit = loop.getExitBlock();
    Value* running = masks_[latch];
    Value* staying = edge_mask(branch, header, running);
    llvm::cast<llvm::PHINode>(masks_[header])->setIncomingValueForBlock(latch, staying);
    llvm::DenseMap<Value*, Value*> frozen;
    for (llvm::PHINode& phi : exit->phis()) {
      Value* value = phi.getIncomingValueForBlock(latch);
      auto* defined = llvm::dyn_cast<llvm::Instruction>(value);
      if (!defined || !loop.contains(defined)) continue;
      Value*& held = frozen[value];
      if (!held) {
        llvm::IRBuilder<> builder(&branch);
        if (ends_loop_.contains(value)) {
          held = builder.CreateSelect(running, value, builder.getFalse(), value->getName() + ".exit");
          phi.setIncomingValueForBlock(latch, held);
          continue;
        }
        auto* last = llvm::PHINode::Create(value->getType(), 2, value->getName() + ".held", header->begin());
        llvm::Constant* first = llvm::PoisonValue::get(value->getType());
        if (value->getType()->isIntegerTy(1)) {
          // Of lanes that leave now, true ones join those that left: masks need no more, and a constant takes no register.
          first = builder.getFalse();
          Value* leaving = builder.CreateSelect(running, builder.CreateNot(staying), builder.getFalse(), "leaving");
          held = builder.CreateOr(last, builder.CreateSelect(leaving, value, builder.getFalse()), value->getName() + ".exit");
        } else {
          held = builder.CreateSelect(running, value, last, value->getName() + ".exit");
        }
        for (BasicBlock* predecessor : llvm::predecessors(header)) last->addIncoming(predecessor == latch ? held : first, predecessor);
      }
      phi.setIncomingValueForBlock(latch, held);
    }
    llvm::IRBuilder<> builder(&branch);
    builder.CreateCondBr(any(builder, staying), header, exit);
    branch.eraseFromParent();
  }

  Value* any(llvm::IRBuilder<>& builder, Value* mask) {
    return builder.CreateCall(
        function_.getParent()->getOrInsertFunction(primitive::kAny, builder.getInt1Ty(), builder.getInt1Ty()), mask,
        "any");
  }

  void emit_mask(BasicBlock& block, Value& mask) {
    if (is_true(&mask)) return;
    auto position = block.getFirstInsertionPt();
    // After the instruction that computes the mask, if it is in this block.
    if (auto* defined = llvm::dyn_cast<llvm::Instruction>(&mask);
        defined && defined->getParent() == &block && !llvm::isa<llvm::PHINode>(defined))
      position = std::next(defined->getIterator());
    llvm::IRBuilder<> builder(&block, position);
    builder.CreateCall(
        function_.getParent()->getOrInsertFunction(primitive::kMask, builder.getVoidTy(), builder.getInt1Ty()), &mask);
  }

  llvm::Function& function_;
  bool full_warps_;
  llvm::LLVMContext& context_;
  llvm::UniformityInfo& uniformity_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  llvm::PostDominatorTree post_dominators_;
  llvm::SmallSetVector<BranchInst*, 16> divergent_;
  llvm::SmallSetVector<llvm::Loop*, 8> divergent_loops_;
  llvm::SmallPtrSet<const BranchInst*, 16> straight_;  // whose sides all lanes run
  llvm::SmallPtrSet<const Value*, 4> ends_loop_;
  llvm::DenseMap<llvm::Loop*, Value*> entering_mask_;
  llvm::MapVector<BasicBlock*, Value*> masks_;
};

}  // namespace

llvm::Error linearize(llvm::Function& function, Analyses& analyses, bool full_warps) {
  llvm::Error result = Linearizer(function, analyses, full_warps).run();
  analyses.invalidate(function);
  return result;
}

}  // namespace weft::compiler::simt
