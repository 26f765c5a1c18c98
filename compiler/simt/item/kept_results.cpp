#include "compiler/simt/item/kept_results.h"

#include <optional>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/erase_unused.h"
#include "compiler/simt/ir/memory_order.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/item/own_places.h"
#include "compiler/target/costs.h"
#include "device/kernel_abi.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::BranchInst;
using llvm::Instruction;
using llvm::LoadInst;
using llvm::Loop;
using llvm::PHINode;
using llvm::StoreInst;
using llvm::Value;

/// Of a warp, for each register that is stored and loaded. Measured on Zen 4: rows in the caches take .83 to .98 of the time for 4 operations, .45 to .75 for 12
/// to 20; rows of 2 MiB, 32 MiB in all, up to 1.3 times as long for 8 operations, mostly .8 to 1.05 for 14 to 20.
constexpr double kLeastCost = 12;
/// Pairs of operations that are compared.
constexpr unsigned kMostOperations = 1000;
/// From a counter to an address.
constexpr unsigned kMostKeptSteps = 16;

using Counters = llvm::DenseMap<const Value*, Value*>;

/// Whether `instruction` does nothing to memory but to order accesses.
bool is_order_alone(const Instruction& instruction) {
  const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return is_barrier(instruction) || (intrinsic && intrinsic->isAssumeLikeIntrinsic());
}

/// Where it is decided whether a loop runs: `block` ends with a branch on `condition` that leads there if that is `holds`, or runs it without one.
struct Entry {
  const BasicBlock* block;
  const Value* condition = nullptr;
  bool holds = true;
};

std::optional<Entry> entry_of(const Loop& loop, const llvm::LoopInfo& loops) {
  const BasicBlock* inside = loop.getHeader();
  const BasicBlock* block = loop.getLoopPredecessor();
  if (!block) return std::nullopt;
  const auto branch_of = [](const BasicBlock& from) { return llvm::dyn_cast<BranchInst>(from.getTerminator()); };
  const BasicBlock* in_front = block->getSinglePredecessor();
  if (const BranchInst* branch = branch_of(*block);
      branch && branch->isUnconditional() && in_front && loops.getLoopFor(in_front) == loops.getLoopFor(block)) {
    const BranchInst* before = branch_of(*in_front);
    if (before && before->isConditional()) {
      inside = block;
      block = in_front;
    }
  }
  const BranchInst* branch = branch_of(*block);
  if (!branch) return std::nullopt;
  if (branch->isUnconditional()) return Entry{block};
  if (branch->getSuccessor(0) == branch->getSuccessor(1)) return std::nullopt;
  return Entry{block, branch->getCondition(), branch->getSuccessor(0) == inside};
}

/// Whether two values, each in a loop of its own, are the same in each iteration.
class Twins {
 public:
  Twins(const Loop& first, const Loop& second, llvm::ArrayRef<const Instruction*> writes, llvm::ScalarEvolution& evolution)
      : first_(first), second_(second), writes_(writes), evolution_(evolution) {}

  /// Whether both loops are left after as many iterations.
  bool end_alike() {
    const auto* a = llvm::dyn_cast<BranchInst>(first_.getLoopLatch()->getTerminator());
    const auto* b = llvm::dyn_cast<BranchInst>(second_.getLoopLatch()->getTerminator());
    if (!a || !b || !a->isConditional() || !b->isConditional()) return false;
    if ((a->getSuccessor(0) == first_.getHeader()) != (b->getSuccessor(0) == second_.getHeader())) return false;
    return are_same(*a->getCondition(), *b->getCondition());
  }

  bool are_same(const Value& first, const Value& second) {
    if (const auto known = same_.find({&first, &second}); known != same_.end()) return known->second;
    const bool same = compare(first, second);
    same_[{&first, &second}] = same;
    return same;
  }

 private:
  bool compare(const Value& first, const Value& second) {
    const auto* a = llvm::dyn_cast<Instruction>(&first);
    const auto* b = llvm::dyn_cast<Instruction>(&second);
    const bool varies = a && first_.contains(a), varies_in_second = b && second_.contains(b);
    if (&first == &second) return !varies && !varies_in_second;
    if (varies && varies_in_second && a->getType() == b->getType() && count_alike(*a, *b)) return true;
    if (!a || !b || llvm::isa<PHINode>(a) || !a->isSameOperationAs(b)) return false;
    // What holds of the one alone, as that a sum does not wrap, need not hold of the value that stands for both.
    if (a->getRawSubclassOptionalData() != b->getRawSubclassOptionalData()) return false;
    if (a->getMetadata(llvm::LLVMContext::MD_fpmath) != b->getMetadata(llvm::LLVMContext::MD_fpmath)) return false;
    if (const auto* load = llvm::dyn_cast<LoadInst>(a)) {
      if (!varies || !varies_in_second || !is_plain_access(*a) || !is_plain_access(*b)) return false;
      const auto is_written = [&](const Instruction* write) { return may_meet(*load, *write) || may_meet(*b, *write); };
      if (llvm::any_of(writes_, is_written)) return false;
    } else if (a->mayReadOrWriteMemory() || a->mayHaveSideEffects()) {
      return false;
    }
    const auto* call = llvm::dyn_cast<llvm::CallBase>(a);
    if (call && (call->isConvergent() || call->getCalledOperand() != llvm::cast<llvm::CallBase>(b)->getCalledOperand())) return false;
    if (++operations_ > kMostOperations) return false;
    for (unsigned i = 0; i < a->getNumOperands(); ++i)
      if (!are_same(*a->getOperand(i), *b->getOperand(i))) return false;
    return true;
  }

  /// Integers and pointers that begin and go on alike.
  bool count_alike(const Instruction& first, const Instruction& second) {
    if (!evolution_.isSCEVable(first.getType())) return false;
    const auto* a = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(const_cast<Instruction*>(&first)));
    const auto* b = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(const_cast<Instruction*>(&second)));
    return a && b && a->getLoop() == &first_ && b->getLoop() == &second_ && llvm::equal(a->operands(), b->operands());
  }

  const Loop& first_;
  const Loop& second_;
  llvm::ArrayRef<const Instruction*> writes_;
  llvm::ScalarEvolution& evolution_;
  llvm::DenseMap<std::pair<const Value*, const Value*>, bool> same_;
  unsigned operations_ = 0;
};

class KeptResults {
 public:
  KeptResults(llvm::Function& item, const Specialization& specialization, const target::Costs& costs, Analyses& analyses)
      : item_(item), specialization_(specialization), costs_(costs), analyses_(analyses), layout_(item.getDataLayout()), dominators_(item),
        post_dominators_(item), loops_(dominators_) {}

  bool run() {
    llvm::SmallVector<StoreInst*, 4> stores;
    for (Instruction& instruction : llvm::instructions(item_)) {
      if (!instruction.mayReadOrWriteMemory() || is_order_alone(instruction)) continue;
      const bool is_load = llvm::isa<LoadInst>(instruction) && is_plain_access(instruction);  // marked as volatile, all of them
      if (instruction.mayWriteToMemory() && !is_load) writes_.push_back(&instruction);
      auto* store = llvm::dyn_cast<StoreInst>(&instruction);
      if (store && store->getPointerAddressSpace() == kGlobalSpace && is_plain_access(*store) && is_in_simple_loop(*store)) stores.push_back(store);
    }
    bool any = false;
    for (StoreInst* store : stores) any |= is_alone(*store) && keep_for(*store);
    return any;
  }

 private:
  /// Whether it runs in each iteration of an innermost loop that is left behind its last instruction alone.
  bool is_in_simple_loop(const Instruction& instruction) const {
    const Loop* loop = loops_.getLoopFor(instruction.getParent());
    return loop && is_simple(*loop) && dominators_.dominates(instruction.getParent(), loop->getLoopLatch());
  }
  static bool is_simple(const Loop& loop) { return loop.isInnermost() && loop.getLoopLatch() && loop.getExitingBlock() == loop.getLoopLatch(); }

  /// Whether nothing else in the kernel may access what `store` stores to.
  bool is_alone(const StoreInst& store) const {
    return llvm::all_of(llvm::instructions(item_), [&](const Instruction& other) {
      if (&other == &store || !other.mayReadOrWriteMemory() || is_order_alone(other)) return true;
      if (other.hasMetadata(llvm::LLVMContext::MD_invariant_load)) return true;  // of the launch
      return !may_meet(other, store);
    });
  }

  bool keep_for(StoreInst& store) {
    auto& evolution = analyses_.functions().getResult<llvm::ScalarEvolutionAnalysis>(item_);
    const Loop& second = *analyses_.functions().getResult<llvm::LoopAnalysis>(item_).getLoopFor(store.getParent());
    const std::uint64_t bytes = layout_.getTypeStoreSize(store.getValueOperand()->getType());
    if (!has_places_of_its_own(*store.getPointerOperand(), bytes, second, item_, specialization_, evolution)) return false;
    for (const Loop* first : analyses_.functions().getResult<llvm::LoopAnalysis>(item_).getLoopsInPreorder())
      if (first != &second && run_together(*first, second) && keep_from(*first, second, store, evolution)) return true;
    return false;
  }

  /// Whether `second` runs behind `first` where that has run, and has not run between.
  bool run_together(const Loop& first, const Loop& second) const {
    const Loop* parent = second.getParentLoop();
    if (!is_simple(first) || first.getParentLoop() != parent) return false;
    const auto later = entry_of(second, loops_);
    if (!later || loops_.getLoopFor(later->block) != loops_.getLoopFor(second.getHeader())->getParentLoop() || !follows(*later, first)) return false;
    if (parent && !(parent->getLoopLatch() && dominators_.dominates(later->block, parent->getLoopLatch()))) return false;
    return true;
  }

  /// Whether a loop that `later` is the entry of runs where `first` has run, and only there.
  bool follows(const Entry& later, const Loop& first) const {
    if (!post_dominators_.dominates(later.block, first.getHeader())) return false;
    if (!later.condition) return dominators_.dominates(first.getHeader(), later.block);
    const auto entry = entry_of(first, loops_);
    return entry && entry->block != later.block && entry->condition == later.condition && entry->holds == later.holds &&
           loops_.getLoopFor(entry->block) == loops_.getLoopFor(later.block) && dominators_.dominates(entry->block, later.block) &&
           post_dominators_.dominates(later.block, entry->block);
  }

  bool keep_from(const Loop& first, const Loop& second, StoreInst& store, llvm::ScalarEvolution& evolution) {
    Counters counters;  // of `second`, to those of `first`
    Twins twins(first, second, writes_, evolution);
    for (PHINode& later : second.getHeader()->phis())
      for (PHINode& counter : first.getHeader()->phis())
        if (twins.are_same(counter, later)) counters.try_emplace(&later, &counter);
    if (!twins.end_alike()) return false;
    // From the stored value on towards what it is made of: the first that `first` has, too, costs most.
    llvm::SmallSetVector<Instruction*, 32> candidates;
    const auto add = [&](Value* value) {
      if (auto* instruction = llvm::dyn_cast<Instruction>(value); instruction && second.contains(instruction)) candidates.insert(instruction);
    };
    add(store.getValueOperand());
    for (unsigned i = 0; i < candidates.size() && i < kMostOperations; ++i) {
      Instruction& again = *candidates[i];
      if (llvm::isa<PHINode, LoadInst>(again)) continue;
      if (again.getType() == store.getValueOperand()->getType() && is_costly(again, store, second))
        if (has(first, again, second, twins)) return keep(*get(first, again, twins), again, store, counters);
      for (Value* operand : again.operands()) add(operand);
    }
    return false;
  }

  /// Whether more than it would cost to load `value` is not computed any more where nobody asks for it.
  bool is_costly(Instruction& value, const StoreInst& store, const Loop& loop) const {
    llvm::SmallSetVector<Instruction*, 32> gone;
    gone.insert(&value);
    double cost = 0;
    for (unsigned i = 0; i < gone.size(); ++i) {
      cost += costs_.wide(*gone[i], abi::kWarpSize);
      for (Value* operand : gone[i]->operands()) {
        auto* made = llvm::dyn_cast<Instruction>(operand);
        if (!made || !loop.contains(made) || llvm::isa<PHINode>(made)) continue;
        if (llvm::all_of(made->users(), [&](llvm::User* user) { return gone.contains(llvm::cast<Instruction>(user)); })) gone.insert(made);
      }
    }
    return cost >= kLeastCost * costs_.registers(*store.getValueOperand()->getType(), abi::kWarpSize);
  }

  Instruction* find(const Instruction& again, const Loop& first, Twins& twins) const {
    for (BasicBlock* block : first.blocks()) {
      if (!dominators_.dominates(block, first.getLoopLatch())) continue;
      for (Instruction& instruction : *block)
        if (instruction.getOpcode() == again.getOpcode() && twins.are_same(instruction, again)) return &instruction;
    }
    return nullptr;
  }

  /// Vectors of components that `first` may have one by one.
  static bool is_joined(const Instruction& value) { return llvm::isa<llvm::InsertElementInst, llvm::ShuffleVectorInst>(value); }

  /// Whether `first` has what `again` is in `second`, or all that it is joined from.
  bool has(const Loop& first, const Instruction& again, const Loop& second, Twins& twins) const {
    if (find(again, first, twins)) return true;
    return is_joined(again) && llvm::all_of(again.operands(), [&](const Value* operand) {
      const auto* made = llvm::dyn_cast<Instruction>(operand);
      if (made && second.contains(made)) return !llvm::isa<PHINode>(made) && has(first, *made, second, twins);
      return !made || dominators_.dominates(made, first.getLoopLatch()->getTerminator());
    });
  }

  /// That, joined behind all that `first` has.
  Instruction* get(const Loop& first, Instruction& again, Twins& twins) const {
    if (Instruction* found = find(again, first, twins)) return found;
    Instruction* joined = again.clone();
    for (llvm::Use& operand : joined->operands())
      if (auto* made = llvm::dyn_cast<Instruction>(operand); made && !dominators_.dominates(made, first.getLoopLatch()->getTerminator()))
        operand.set(get(first, *made, twins));
    joined->insertBefore(first.getLoopLatch()->getTerminator());
    return joined;
  }

  /// `result` is stored where `store` will, and `again`, the same in the loop of `store`, is loaded from there.
  bool keep(Instruction& result, Instruction& again, StoreInst& store, Counters counters) {
    Instruction* behind = result.getNextNode();
    Value* pointer = place_in_front(*store.getPointerOperand(), *behind, std::move(counters));
    Value* later = place_in_front(*store.getPointerOperand(), again, Counters());
    if (!pointer || !later) return false;
    auto* kept = llvm::cast<StoreInst>(store.clone());
    kept->setOperand(0, &result);
    kept->setOperand(1, pointer);
    kept->setDebugLoc(result.getDebugLoc());
    kept->insertBefore(behind);
    writes_.push_back(kept);
    llvm::IRBuilder<> builder(&again);
    LoadInst* load = builder.CreateAlignedLoad(again.getType(), later, store.getAlign(), store.isVolatile(), "kept");
    const unsigned nonvolatile = load->getContext().getMDKindID(primitive::kNonVolatileMetadata);
    load->copyMetadata(store, {llvm::LLVMContext::MD_alias_scope, llvm::LLVMContext::MD_noalias, nonvolatile});
    again.replaceAllUsesWith(load);
    erase_unused(again);
    analyses_.invalidate(item_);
    return true;
  }

  /// `pointer` in front of `place`, with `counters` in place of others, made there unless it is known; null if it cannot be.
  Value* place_in_front(Value& pointer, Instruction& place, Counters counters) {
    llvm::SmallSetVector<Instruction*, 16> steps;
    if (!collect_steps(pointer, place, counters, steps)) return nullptr;
    for (Instruction* step : steps) {
      Instruction* copy = step->clone();
      for (llvm::Use& operand : copy->operands())
        if (Value* there = counters.lookup(operand)) operand.set(there);
      copy->insertBefore(&place);
      counters[step] = copy;
    }
    Value* made = counters.lookup(&pointer);
    return made ? made : &pointer;
  }

  bool collect_steps(Value& value, const Instruction& place, const Counters& counters, llvm::SmallSetVector<Instruction*, 16>& steps) const {
    auto* step = llvm::dyn_cast<Instruction>(&value);
    if (!step || counters.contains(step) || dominators_.dominates(step, &place) || steps.contains(step)) return true;
    if (steps.size() > kMostKeptSteps || llvm::isa<PHINode, llvm::CallBase>(step) || step->mayReadOrWriteMemory() || !llvm::isSafeToSpeculativelyExecute(step))
      return false;
    for (Value* operand : step->operands())
      if (!collect_steps(*operand, place, counters, steps)) return false;
    steps.insert(step);
    return true;
  }

  llvm::Function& item_;
  const Specialization& specialization_;
  const target::Costs& costs_;
  Analyses& analyses_;
  const llvm::DataLayout& layout_;
  const llvm::DominatorTree dominators_;
  const llvm::PostDominatorTree post_dominators_;
  const llvm::LoopInfo loops_;
  llvm::SmallVector<const Instruction*, 16> writes_;
};

}  // namespace

bool keep_results(llvm::Function& item, const Specialization& specialization, const target::Costs& costs, Analyses& analyses) {
  if (!specialization.local_size[0]) return false;
  return KeptResults(item, specialization, costs, analyses).run();
}

}  // namespace weft::compiler::simt
