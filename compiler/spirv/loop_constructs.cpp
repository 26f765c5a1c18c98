#include "compiler/spirv/loop_constructs.h"

#include <optional>
#include <utility>

#include "compiler/frontend/loop_exits.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"

namespace weft::compiler::spirv {
namespace {

using llvm::BasicBlock;

/// The label of a named block, and of its loop's merge block where a loop begins.
struct Labels {
  unsigned own = 0;
  std::optional<unsigned> merge;
};

std::optional<Labels> labels_of(const BasicBlock& block) {
  llvm::StringRef name = block.getName();
  Labels labels;
  if (!name.consume_front("weft.loop.") || name.consumeInteger(10, labels.own)) return std::nullopt;
  unsigned merge = 0;
  if (name.consume_front(".") && !name.consumeInteger(10, merge)) labels.merge = merge;
  return labels;
}

const BasicBlock* merge_block(const BasicBlock& header) {
  const auto labels = labels_of(header);
  if (!labels || !labels->merge) return nullptr;
  for (const BasicBlock& block : *header.getParent())
    if (const auto other = labels_of(block); other && other->own == *labels->merge) return &block;
  return nullptr;
}

/// Nothing leads from the merge block to others of the loop but by its header.
bool is_left_for_good(const BasicBlock& header, const BasicBlock& merge, const llvm::DominatorTree& tree) {
  llvm::SmallPtrSet<const BasicBlock*, 16> seen = {&merge, &header};
  llvm::SmallVector<const BasicBlock*, 16> open = {&merge};
  while (!open.empty())
    for (const BasicBlock* next : llvm::successors(open.pop_back_val())) {
      if (!seen.insert(next).second) continue;
      if (tree.dominates(&header, next) && !tree.dominates(&merge, next)) return false;
      open.push_back(next);
    }
  return true;
}

frontend::Blocks blocks_outside(const llvm::Loop& loop, const llvm::LoopInfo&, const llvm::DominatorTree& tree) {
  frontend::Blocks blocks;
  BasicBlock& header = *loop.getHeader();
  const BasicBlock* merge = merge_block(header);
  if (!merge || !tree.isReachableFromEntry(merge) || !is_left_for_good(header, *merge, tree)) return blocks;
  for (BasicBlock& block : *header.getParent())
    if (!loop.contains(&block) && tree.isReachableFromEntry(&block) && tree.dominates(&header, &block) && !tree.dominates(merge, &block)) blocks.insert(&block);
  return blocks;
}

}  // namespace

void keep_exits_in_constructs(llvm::Module& module) { frontend::keep_exits_in_loops(module, blocks_outside); }

}  // namespace weft::compiler::spirv
