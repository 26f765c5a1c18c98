#include "compiler/simt/unroll_barriers.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

#include "compiler/simt/uniformity.h"

namespace weft::compiler::simt {
namespace {

bool is_barrier(const llvm::Instruction& instruction) { return called_name(instruction) == primitive::kBarrier; }

bool has_barrier(const llvm::Loop& loop) {
  return llvm::any_of(loop.blocks(),
                      [](const llvm::BasicBlock* block) { return llvm::any_of(*block, is_barrier); });
}

/// All work-items go through the copies of an unrolled loop in the same order. `convergent` stays, and keeps barriers from
/// moving under other branches.
void allow_copies(llvm::Function& item) {
  for (llvm::Instruction& instruction : llvm::instructions(item)) {
    if (!is_barrier(instruction)) continue;
    auto& call = llvm::cast<llvm::CallBase>(instruction);
    call.removeFnAttr(llvm::Attribute::NoDuplicate);
    call.getCalledFunction()->removeFnAttr(llvm::Attribute::NoDuplicate);
  }
}

unsigned instruction_count(const llvm::Loop& loop) {
  unsigned count = 0;
  for (const llvm::BasicBlock* block : loop.blocks()) count += static_cast<unsigned>(block->sizeWithoutDebug());
  return count;
}

}  // namespace

bool unroll_barrier_loops(llvm::Function& item, unsigned budget, Analyses& analyses) {
  auto& manager = analyses.functions();
  auto barrier_loops = [&] {
    llvm::SmallVector<llvm::Loop*, 4> loops;
    for (llvm::Loop* loop : manager.getResult<llvm::LoopAnalysis>(item).getLoopsInPreorder())
      if (has_barrier(*loop)) loops.push_back(loop);
    return loops;
  };
  analyses.invalidate(item);
  if (barrier_loops().empty()) return false;
  allow_copies(item);
  llvm::FunctionPassManager canonical;
  canonical.addPass(llvm::LoopSimplifyPass());
  canonical.addPass(llvm::LCSSAPass());
  manager.invalidate(item, canonical.run(item, manager));

  auto& loops = manager.getResult<llvm::LoopAnalysis>(item);
  auto& evolution = manager.getResult<llvm::ScalarEvolutionAnalysis>(item);
  auto& dominators = manager.getResult<llvm::DominatorTreeAnalysis>(item);
  auto& assumptions = manager.getResult<llvm::AssumptionAnalysis>(item);
  auto& target = manager.getResult<llvm::TargetIRAnalysis>(item);
  auto& remarks = manager.getResult<llvm::OptimizationRemarkEmitterAnalysis>(item);
  bool changed = false;
  // Innermost first; a loop around unrolled ones counts what they have become.
  auto candidates = barrier_loops();
  for (llvm::Loop* loop : llvm::reverse(candidates)) {
    const unsigned count = evolution.getSmallConstantTripCount(loop);
    if (count < 1 || !loop->isLoopSimplifyForm() || !loop->isInnermost()) continue;
    const unsigned instructions = count * instruction_count(*loop);
    if (instructions > budget) continue;
    llvm::UnrollLoopOptions options{};
    options.Count = count;
    options.Force = true;
    const auto result = llvm::UnrollLoop(loop, options, &loops, &evolution, &dominators, &assumptions, &target, &remarks,
                                         /*PreserveLCSSA=*/true);
    changed |= result != llvm::LoopUnrollResult::Unmodified;
    if (result == llvm::LoopUnrollResult::FullyUnrolled) budget -= instructions;
  }
  analyses.invalidate(item);
  return changed;
}

}  // namespace weft::compiler::simt
