#include "compiler/simt/memory/few_iterations.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/memory/lane_counts.h"
#include "compiler/simt/memory/walked_pieces.h"

namespace weft::compiler::simt {

using llvm::BasicBlock;
using llvm::Value;

BasicBlock* copy_for_few_iterations(llvm::Loop& loop, unsigned few, Analyses& analyses) {
  llvm::Function& region = *loop.getHeader()->getParent();
  llvm::FunctionAnalysisManager& manager = analyses.functions();
  auto& loops = manager.getResult<llvm::LoopAnalysis>(region);
  auto& evolution = manager.getResult<llvm::ScalarEvolutionAnalysis>(region);
  llvm::Loop& own = *loops.getLoopFor(loop.getHeader());
  if (own.getExitingBlock() != own.getLoopLatch() || !own.getUniqueExitBlock()) return nullptr;
  const llvm::SCEV* repetitions = own.getLoopPredecessor() ? repetitions_in_front(own, evolution, manager.getResult<llvm::TargetIRAnalysis>(region)) : nullptr;
  if (!repetitions) return nullptr;
  llvm::simplifyLoop(&own, &manager.getResult<llvm::DominatorTreeAnalysis>(region), &loops, &evolution, nullptr, nullptr, /*PreserveLCSSA=*/false);
  llvm::Instruction& end = *own.getLoopPreheader()->getTerminator();
  llvm::IRBuilder<> builder(&end);
  // The most is what the others' complements are above.
  Value& again = in_32_bits(builder, emit_repetitions(*repetitions, evolution, end));
  Value& most = least_of_lanes(builder, *builder.CreateNot(&again));
  Value* are_many = builder.CreateICmpULE(&most, builder.getInt32(~few), "are.many");
  return copy_loop(own, *are_many, "few", analyses);
}

}  // namespace weft::compiler::simt
