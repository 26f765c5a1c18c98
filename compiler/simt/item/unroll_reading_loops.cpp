#include "compiler/simt/item/unroll_reading_loops.h"

#include "compiler/simt/analysis/canonical_loops.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/item/specialize_images.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

namespace weft::compiler::simt {
unsigned instructions_of(const llvm::Loop& loop) {
  unsigned count = 0;
  for (const llvm::BasicBlock* block : loop.blocks()) count += static_cast<unsigned>(block->sizeWithoutDebug());
  return count;
}

bool unroll_completely(llvm::Function& function, llvm::Loop& loop, unsigned count, Analyses& analyses) {
  llvm::FunctionAnalysisManager& manager = analyses.functions();
  llvm::UnrollLoopOptions options{};
  options.Count = count;
  options.Force = true;
  const auto result = llvm::UnrollLoop(
      &loop, options, &manager.getResult<llvm::LoopAnalysis>(function), &manager.getResult<llvm::ScalarEvolutionAnalysis>(function),
      &manager.getResult<llvm::DominatorTreeAnalysis>(function), &manager.getResult<llvm::AssumptionAnalysis>(function),
      &manager.getResult<llvm::TargetIRAnalysis>(function), &manager.getResult<llvm::OptimizationRemarkEmitterAnalysis>(function), /*PreserveLCSSA=*/true);
  if (result != llvm::LoopUnrollResult::FullyUnrolled) return false;
  analyses.invalidate(function);
  return true;
}

bool is_read_of_memory(const llvm::Instruction& instruction) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  const auto space = load ? load->getPointerAddressSpace() : kPrivateSpace;
  return load && (load->hasMetadata(kTexelMetadata) || space == kGlobalSpace || space == kLocalSpace);
}

void unroll_reading_loops(llvm::Function& item, unsigned most, Analyses& analyses,
                          llvm::function_ref<bool(const llvm::Loop& loop, const llvm::DominatorTree& dominators)> may) {
  llvm::FunctionAnalysisManager& manager = analyses.functions();
  const auto next = [&](unsigned budget) -> std::pair<llvm::Loop*, unsigned> {
    canonicalize_loops(item, analyses);
    const auto& dominators = manager.getResult<llvm::DominatorTreeAnalysis>(item);
    const auto loops = manager.getResult<llvm::LoopAnalysis>(item).getLoopsInPreorder();
    for (llvm::Loop* loop : llvm::reverse(loops)) {
      if (!loop->isInnermost() || !loop->isLoopSimplifyForm() || !may(*loop, dominators)) continue;
      const unsigned count = manager.getResult<llvm::ScalarEvolutionAnalysis>(item).getSmallConstantTripCount(loop);
      const bool reads = llvm::any_of(loop->blocks(), [](const llvm::BasicBlock* block) { return llvm::any_of(*block, is_read_of_memory); });
      if (count && reads && count * instructions_of(*loop) <= budget) return {loop, count};
    }
    return {nullptr, 0};
  };
  for (unsigned budget = most;;) {
    const auto [loop, count] = next(budget);
    if (!loop) return;
    budget -= count * instructions_of(*loop);
    if (!unroll_completely(item, *loop, count, analyses)) return;
  }
}

}  // namespace weft::compiler::simt
