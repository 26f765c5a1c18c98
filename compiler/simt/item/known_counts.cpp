#include "compiler/simt/item/known_counts.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "compiler/simt/analysis/uniformity.h"

namespace weft::compiler::simt {
namespace {

struct CountedLoop {
  llvm::Loop* loop;
  std::uint32_t iterations;
};

void give_counter(const CountedLoop& counted) {
  llvm::BasicBlock* header = counted.loop->getHeader();
  llvm::BasicBlock* latch = counted.loop->getLoopLatch();
  auto* branch = llvm::cast<llvm::BranchInst>(latch->getTerminator());
  llvm::IRBuilder<> builder(header, header->begin());
  llvm::PHINode* counter = builder.CreatePHI(builder.getInt32Ty(), 2, "iteration");
  builder.SetInsertPoint(branch);
  llvm::Value* next = builder.CreateAdd(counter, builder.getInt32(1), "", /*HasNUW=*/true, /*HasNSW=*/true);
  counter->addIncoming(builder.getInt32(0), counted.loop->getLoopPreheader());
  counter->addIncoming(next, latch);
  const auto predicate = branch->getSuccessor(0) == header ? llvm::CmpInst::ICMP_ULT : llvm::CmpInst::ICMP_UGE;
  branch->setCondition(builder.CreateICmp(predicate, next, builder.getInt32(counted.iterations)));
}

}  // namespace

bool count_known_iterations(llvm::Function& item, Analyses& analyses) {
  auto& evolution = analyses.functions().getResult<llvm::ScalarEvolutionAnalysis>(item);
  llvm::SmallVector<CountedLoop, 4> found;
  for (llvm::Loop* loop : analyses.functions().getResult<llvm::LoopAnalysis>(item).getLoopsInPreorder()) {
    llvm::BasicBlock* latch = loop->getLoopLatch();
    if (!latch || !loop->getLoopPreheader() || loop->getExitingBlock() != latch) continue;
    const llvm::SCEV* count = evolution.getBackedgeTakenCount(loop);
    if (llvm::isa<llvm::SCEVCouldNotCompute, llvm::SCEVConstant>(count)) continue;
    const llvm::ConstantRange range = evolution.getUnsignedRange(count);
    const llvm::APInt* known = range.getSingleElement();
    if (known && known->getActiveBits() < 31) found.push_back({loop, static_cast<std::uint32_t>(known->getZExtValue()) + 1});
  }
  for (const CountedLoop& counted : found) give_counter(counted);
  analyses.invalidate(item);
  return !found.empty();
}

}  // namespace weft::compiler::simt
