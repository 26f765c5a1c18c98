#include "compiler/simt/barriers/region_cuts.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "compiler/simt/analysis/divergent_blocks.h"
#include "compiler/simt/analysis/uniformity.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;

/// Regions of at most so many instructions together stay uncut: a cut costs a pass over all warps, and memory for the values
/// that live across it.
constexpr unsigned kMostUncut = 4000;

/// A block in more regions than this is cut.
constexpr unsigned kMostCopies = 4;

/// The blocks that control reaches from each barrier, and from the entry, with no other barrier between.
class Reach {
 public:
  explicit Reach(llvm::Function& item) {
    for (BasicBlock& block : item) {
      unsigned size = 0;
      for (llvm::Instruction& instruction : block) {
        if (!is_barrier(instruction)) {
          ++size;
        } else if (ends_.insert(&block).second) {
          size_[&block] = size;
          starts_.push_back({&block, {}});
        }
      }
      if (!ends_.contains(&block)) size_[&block] = size;
    }
    BasicBlock* entry = &item.getEntryBlock();
    starts_.push_back({nullptr, {entry}});
    if (!ends_.contains(entry)) follow(entry, starts_.back().reached);
    for (Start& start : llvm::drop_end(starts_)) follow(start.block, start.reached);
  }

  /// Ends regions at the beginning of `block` and starts one more there.
  void cut(BasicBlock* block) {
    const bool has_barrier = !ends_.insert(block).second;
    for (Start& start : starts_) {
      if (!start.reached.contains(block)) continue;
      BasicBlock* entry = start.block ? nullptr : &block->getParent()->getEntryBlock();
      start.reached.clear();
      if (entry) start.reached.insert(entry);
      follow(entry ? entry : start.block, start.reached);
    }
    if (has_barrier) return;
    starts_.push_back({block, {}});
    follow(block, starts_.back().reached);
  }

  unsigned copies(BasicBlock* block) const {
    return static_cast<unsigned>(llvm::count_if(starts_, [&](const Start& start) { return start.reached.contains(block); }));
  }

  /// Instructions of all regions, without the block in which each starts.
  std::uint64_t size() const {
    std::uint64_t sum = 0;
    for (const Start& start : starts_)
      for (BasicBlock* block : start.reached) sum += size_.lookup(block);
    return sum;
  }

 private:
  struct Start {
    BasicBlock* block;  ///< the region starts at its end; null: at the entry
    llvm::DenseSet<BasicBlock*> reached;
  };

  void follow(BasicBlock* from, llvm::DenseSet<BasicBlock*>& reached) const {
    llvm::SmallVector<BasicBlock*, 32> pending = {from};
    while (!pending.empty())
      for (BasicBlock* next : llvm::successors(pending.pop_back_val()))
        if (reached.insert(next).second && !ends_.contains(next)) pending.push_back(next);
  }

  llvm::SmallVector<Start, 32> starts_;
  llvm::DenseSet<BasicBlock*> ends_;              ///< blocks with a barrier
  llvm::DenseMap<BasicBlock*, unsigned> size_;    ///< instructions up to the first barrier
};

/// The blocks, without the entry, that every work-item passes exactly once, in order.
llvm::SmallVector<BasicBlock*, 32> find_spine(llvm::Function& item) {
  llvm::CycleInfo cycles;
  cycles.compute(item);
  const llvm::PostDominatorTree post_dominators(item);
  llvm::SmallVector<BasicBlock*, 32> spine;
  const llvm::DomTreeNode* node = post_dominators.getNode(&item.getEntryBlock());
  for (node = node ? node->getIDom() : nullptr; node && node->getBlock(); node = node->getIDom())
    if (!cycles.getCycle(node->getBlock())) spine.push_back(node->getBlock());
  return spine;
}

bool has_barrier(const BasicBlock& block) {
  return llvm::any_of(block, [](const llvm::Instruction& instruction) { return is_barrier(instruction); });
}

/// The blocks behind `sources` from which the kernel's end can be reached without a barrier.
llvm::DenseSet<BasicBlock*> ends_behind(llvm::Function& item, llvm::ArrayRef<BasicBlock*> sources) {
  llvm::DenseSet<BasicBlock*> behind, ends;
  llvm::SmallVector<BasicBlock*, 32> pending(sources.begin(), sources.end());
  while (!pending.empty())
    for (BasicBlock* next : llvm::successors(pending.pop_back_val()))
      if (behind.insert(next).second) pending.push_back(next);
  for (BasicBlock& block : item)
    if (llvm::succ_empty(&block)) pending.push_back(&block);
  while (!pending.empty()) {
    BasicBlock* block = pending.pop_back_val();
    if (has_barrier(*block) || !ends.insert(block).second) continue;
    llvm::append_range(pending, llvm::predecessors(block));
  }
  llvm::DenseSet<BasicBlock*> both;
  for (BasicBlock* block : behind)
    if (ends.contains(block)) both.insert(block);
  return both;
}

/// The blocks that a work-item may reach, and then end, while others wait at a barrier that it went round.
llvm::DenseSet<BasicBlock*> ends_beside_barriers(llvm::Function& item, Analyses& analyses) {
  llvm::SmallVector<BasicBlock*, 32> barriers;
  for (BasicBlock* block : divergent_blocks(item, analyses.uniformity(item)))
    if (has_barrier(*block)) barriers.push_back(block);
  return ends_behind(item, barriers);
}

}  // namespace

void cut_regions(llvm::Function& item, Analyses& analyses) {
  llvm::Function* barrier = item.getParent()->getFunction(primitive::kBarrier);
  if (!barrier || barrier->getNumUses() <= kMostCopies) return;
  Reach reach(item);
  if (reach.size() <= kMostUncut) return;
  analyses.invalidate(item);
  const auto ends = ends_beside_barriers(item, analyses);
  llvm::SmallVector<BasicBlock*, 32> cuts;
  for (BasicBlock* block : find_spine(item)) {
    if (reach.copies(block) <= kMostCopies || ends.contains(block)) continue;
    cuts.push_back(block);
    reach.cut(block);
  }
  for (BasicBlock* block : cuts) {
    llvm::IRBuilder<> builder(block, block->getFirstInsertionPt());
    llvm::CallInst* call = builder.CreateCall(barrier, builder.getInt32(0));
    call->setAttributes(barrier->getAttributes());
  }
}

}  // namespace weft::compiler::simt
