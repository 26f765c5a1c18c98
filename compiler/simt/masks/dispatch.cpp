#include "compiler/simt/masks/dispatch.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>

#include "compiler/simt/ir/least.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/masks/block_order.h"
#include "compiler/simt/masks/block_values.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::Value;

class Dispatcher {
 public:
  Dispatcher(llvm::Function& function, llvm::ArrayRef<BasicBlock*> order)
      : function_(function), builder_(function.getContext()), order_(order) {}

  void run() {
    llvm::DenseMap<BasicBlock*, unsigned> number;
    for (unsigned i = 0; i < order_.size(); ++i) number[order_[i]] = i;
    BasicBlock* exit = order_.back();
    const unsigned end = order_.size() - 1;

    builder_.SetInsertPoint(&*order_.front()->begin());
    Value* next = builder_.CreateAlloca(builder_.getInt32Ty(), nullptr, "next.block");
    BasicBlock* header = new_block("dispatch");
    BasicBlock* done = new_block("dispatched");
    for (BasicBlock* block : order_.drop_back()) {
      auto* branch = llvm::cast<llvm::BranchInst>(block->getTerminator());
      builder_.SetInsertPoint(branch);
      Value* to = builder_.getInt32(number[branch->getSuccessor(0)]);
      if (branch->isConditional())
        to = builder_.CreateSelect(branch->getCondition(), to, builder_.getInt32(number[branch->getSuccessor(1)]));
      builder_.CreateStore(to, next);
      builder_.CreateBr(block == order_.front() ? header : done);
      branch->eraseFromParent();
    }

    // What a lane loads that is at the return, or has no work-item, is anything.
    builder_.SetInsertPoint(order_.front()->getTerminator());
    Value* live = builder_.CreateCall(
        function_.getParent()->getOrInsertFunction(primitive::kLive, builder_.getInt1Ty()), {}, "live");
    builder_.SetInsertPoint(header);
    llvm::PHINode* running = builder_.CreatePHI(builder_.getInt1Ty(), 2, "running");
    running->addIncoming(live, order_.front());
    Value* own = builder_.CreateLoad(builder_.getInt32Ty(), next, "own");
    own = builder_.CreateSelect(running, own, builder_.getInt32(end));
    Value* least = builder_.CreateCall(
        function_.getParent()->getOrInsertFunction(primitive::kLeast, builder_.getInt32Ty(), builder_.getInt32Ty()), own, "least");
    BasicBlock* chosen = new_block("chosen");
    BasicBlock* latch = new_block("dispatch.next");
    Value* here = builder_.CreateAnd(builder_.CreateICmpEQ(own, least), builder_.CreateICmpNE(own, builder_.getInt32(end)), "here");
    builder_.CreateCondBr(here, chosen, latch);
    builder_.SetInsertPoint(chosen);
    // Any number that is not another's is the last one's: no lane is in an unreachable block.
    llvm::SwitchInst* choice = builder_.CreateSwitch(least, order_[end - 1], end - 2);
    for (unsigned i = 1; i + 1 < end; ++i) choice->addCase(builder_.getInt32(i), order_[i]);
    builder_.SetInsertPoint(done);
    builder_.CreateBr(latch);
    builder_.SetInsertPoint(latch);
    Value* reached = builder_.CreateLoad(builder_.getInt32Ty(), next, "reached");
    Value* stays = builder_.CreateICmpNE(reached, builder_.getInt32(end));
    stays = builder_.CreateSelect(running, stays, builder_.getFalse(), "stays");
    running->addIncoming(stays, latch);
    builder_.CreateCondBr(stays, header, exit);
  }

 private:
  BasicBlock* new_block(const char* name) { return BasicBlock::Create(function_.getContext(), name, &function_); }

  llvm::Function& function_;
  llvm::IRBuilder<> builder_;
  llvm::ArrayRef<BasicBlock*> order_;
};

}  // namespace

void dispatch_blocks(llvm::Function& region) {
  llvm::SmallVector<BasicBlock*, 0> order = block_order(region);
  // The return is the end of all paths, so it may be the last one, too.
  for (BasicBlock*& block : order)
    if (llvm::isa<llvm::ReturnInst>(block->getTerminator())) std::rotate(&block, &block + 1, order.end());
  if (order.size() < 3) return;
  keep_values_in_memory(order);
  Dispatcher(region, order).run();
}

}  // namespace weft::compiler::simt
