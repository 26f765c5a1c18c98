#include "compiler/simt/masks/block_order.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Function.h>

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::Cycle;
using OrderedBlocks = llvm::SmallVector<BasicBlock*, 0>;

class Order {
 public:
  explicit Order(llvm::Function& function) : function_(function) { cycles_.compute(function); }

  OrderedBlocks run() {
    add_level(nullptr, &function_.getEntryBlock());
    return std::move(order_);
  }

 private:
  /// What a level is made of: a block, or a whole cycle, which stands for its header.
  struct Node {
    BasicBlock* entry;
    Cycle* cycle;  ///< null: the block alone
  };
  struct Visit {
    Node node;
    OrderedBlocks next;
  };

  /// The part of `level` that `block` belongs to; nothing for blocks outside.
  std::optional<Node> node_of(BasicBlock* block, const Cycle* level) const {
    if (level && !level->contains(block)) return std::nullopt;
    Cycle* inside = cycles_.getCycle(block);
    if (inside == level) return Node{block, nullptr};
    while (inside->getParentCycle() != level) inside = inside->getParentCycle();
    return Node{inside->getHeader(), inside};
  }

  Visit visit(const Node& node) const {
    Visit result{node, {}};
    if (!node.cycle) {
      result.next.append(llvm::succ_begin(node.entry), llvm::succ_end(node.entry));
    } else {
      llvm::SmallVector<BasicBlock*, 8> exits;
      node.cycle->getExitBlocks(exits);
      result.next.append(exits.begin(), exits.end());
    }
    return result;
  }

  /// Appends the blocks of `level`, a cycle or, if null, the function, in a reverse post-order of its parts from `header` on.
  void add_level(const Cycle* level, BasicBlock* header) {
    llvm::SmallVector<Node, 0> post_order;
    llvm::SmallVector<Visit, 0> open;
    open.push_back(visit({header, nullptr}));
    seen_.insert(header);
    while (!open.empty()) {
      if (open.back().next.empty()) {
        post_order.push_back(open.back().node);
        open.pop_back();
        continue;
      }
      const auto node = node_of(open.back().next.pop_back_val(), level);
      // A header is seen once by the level that holds its cycle and once, as a block, by the cycle's own.
      if (node && node->entry != header && seen_.insert(node->entry).second) open.push_back(visit(*node));
    }
    for (const Node& node : llvm::reverse(post_order)) {
      if (node.cycle)
        add_level(node.cycle, node.entry);
      else
        order_.push_back(node.entry);
    }
  }

  llvm::Function& function_;
  llvm::CycleInfo cycles_;
  llvm::DenseSet<BasicBlock*> seen_;
  OrderedBlocks order_;
};

}  // namespace

llvm::SmallVector<BasicBlock*, 0> block_order(llvm::Function& function) { return Order(function).run(); }

}  // namespace weft::compiler::simt
