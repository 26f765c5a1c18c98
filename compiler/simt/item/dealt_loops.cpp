#include "compiler/simt/item/dealt_loops.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Instructions.h>

#include "compiler/simt/analysis/canonical_loops.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/item/unroll_reading_loops.h"

namespace weft::compiler::simt {
namespace {

constexpr unsigned kMostIterations = 8;
/// Of all loops that one kernel's are unrolled to.
constexpr unsigned kMostDealt = 600;

/// The place of a work-item in its group, or in the block of groups that run side by side.
bool is_place_in_group(const llvm::Value& value) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&value);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee && (callee->getName().starts_with(primitive::kLocalId) || callee->getName() == primitive::kBlockId);
}

bool follows_from_place(const llvm::SCEV* expression) {
  return !llvm::SCEVExprContains(expression, [](const llvm::SCEV* part) {
    const auto* unknown = llvm::dyn_cast<llvm::SCEVUnknown>(part);
    return llvm::isa<llvm::SCEVAddRecExpr>(part) || (unknown && !is_place_in_group(*unknown->getValue()));
  });
}

/// The most iterations that a work-item has of `loop`; 0 where it is not such a loop.
unsigned dealt_iterations(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  if (!loop.isInnermost() || !loop.getLoopLatch() || loop.getExitingBlock() != loop.getLoopLatch()) return 0;
  const llvm::SCEV* count = evolution.getBackedgeTakenCount(&loop);
  if (llvm::isa<llvm::SCEVCouldNotCompute, llvm::SCEVConstant>(count) || !follows_from_place(count)) return 0;
  const unsigned most = evolution.getSmallConstantMaxTripCount(&loop);
  return most <= kMostIterations ? most : 0;
}

}  // namespace

bool unroll_dealt_loops(llvm::Function& item, Analyses& analyses) {
  bool changed = false;
  for (unsigned budget = kMostDealt;;) {
    auto& evolution = analyses.functions().getResult<llvm::ScalarEvolutionAnalysis>(item);
    llvm::BasicBlock* header = nullptr;
    unsigned iterations = 0, size = 0;
    for (const llvm::Loop* loop : analyses.functions().getResult<llvm::LoopAnalysis>(item).getLoopsInPreorder()) {
      iterations = dealt_iterations(*loop, evolution);
      size = iterations * instructions_of(*loop);
      if (iterations == 0 || size > budget) continue;
      header = loop->getHeader();
      break;
    }
    // Kernels without such loops stay as they are.
    llvm::Loop* loop = header ? canonical_loop(*header, analyses) : nullptr;
    if (!loop || !unroll_completely(item, *loop, iterations, analyses)) return changed;
    budget -= size;
    changed = true;
  }
}

}  // namespace weft::compiler::simt
