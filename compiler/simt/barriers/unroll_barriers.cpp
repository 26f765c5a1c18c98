#include "compiler/simt/barriers/unroll_barriers.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

#include "compiler/simt/analysis/canonical_loops.h"
#include "compiler/simt/analysis/uniformity.h"

namespace weft::compiler::simt {
namespace {

/// The most instructions of all unrolled loops together; many of them become constants.
constexpr unsigned kMaxUnrolled = 1000;

bool has_barrier(const llvm::Loop& loop) {
  return llvm::any_of(loop.blocks(),
                      [](const llvm::BasicBlock* block) { return llvm::any_of(*block, is_barrier); });
}

/// Lets LLVM duplicate barriers: all work-items pass the copies in an unrolled loop in the same order. `convergent` stays
/// and keeps barriers from moving under other branches.
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

/// Whether `inner` starts from a value that each iteration of `outer` computes: its trip count may then follow from the
/// counter of `outer`.
bool starts_anew(const llvm::Loop& inner, const llvm::Loop& outer) {
  return llvm::any_of(inner.getHeader()->phis(), [&](const llvm::PHINode& phi) {
    return llvm::any_of(phi.incoming_values(), [&](const llvm::Use& use) {
      const auto* value = llvm::dyn_cast<llvm::Instruction>(use.get());
      return !inner.contains(phi.getIncomingBlock(use)) && value && outer.contains(value);
    });
  });
}

class Unroller {
 public:
  Unroller(llvm::Function& item, unsigned budget, Analyses& analyses)
      : item_(item), budget_(budget), analyses_(analyses), manager_(analyses.functions()) {}

  bool run() {
    analyses_.invalidate(item_);
    if (barrier_loops().empty()) return false;
    allow_copies(item_);
    canonicalize();
    while (unroll_around_unknown()) canonicalize();
    // Innermost first: the size of an outer loop includes its unrolled inner ones.
    auto candidates = barrier_loops();
    for (llvm::Loop* loop : llvm::reverse(candidates)) {
      const unsigned count = constant_count(*loop);
      if (!count || !loop->isInnermost()) continue;
      const unsigned instructions = count * instruction_count(*loop);
      if (instructions <= budget_ && unroll(*loop, count)) budget_ -= instructions;
    }
    analyses_.invalidate(item_);
    return changed_;
  }

 private:
  llvm::SmallVector<llvm::Loop*, 4> barrier_loops() {
    llvm::SmallVector<llvm::Loop*, 4> loops;
    for (llvm::Loop* loop : manager_.getResult<llvm::LoopAnalysis>(item_).getLoopsInPreorder())
      if (has_barrier(*loop)) loops.push_back(loop);
    return loops;
  }

  void canonicalize() {
    analyses_.invalidate(item_);
    canonicalize_loops(item_, analyses_);
  }

  /// 0: not constant, or not to be unrolled.
  unsigned constant_count(llvm::Loop& loop) {
    if (!loop.isLoopSimplifyForm()) return 0;
    return manager_.getResult<llvm::ScalarEvolutionAnalysis>(item_).getSmallConstantTripCount(&loop);
  }

  /// Unrolls one loop around a loop of unknown trip count. In a sorting network the stride falls from the merged length to
  /// 1: the inner loop's count is constant in each copy of the outer loop's body.
  bool unroll_around_unknown() {
    for (llvm::Loop* loop : barrier_loops()) {
      llvm::Loop* outer = loop->getParentLoop();
      if (!outer || constant_count(*loop) || !starts_anew(*loop, *outer)) continue;
      const unsigned count = constant_count(*outer);
      if (count && count * instruction_count(*outer) <= budget_) return unroll(*outer, count);
    }
    return false;
  }

  /// True if `loop` was unrolled completely.
  bool unroll(llvm::Loop& loop, unsigned count) {
    llvm::UnrollLoopOptions options{};
    options.Count = count;
    options.Force = true;
    const auto result = llvm::UnrollLoop(
        &loop, options, &manager_.getResult<llvm::LoopAnalysis>(item_),
        &manager_.getResult<llvm::ScalarEvolutionAnalysis>(item_), &manager_.getResult<llvm::DominatorTreeAnalysis>(item_),
        &manager_.getResult<llvm::AssumptionAnalysis>(item_), &manager_.getResult<llvm::TargetIRAnalysis>(item_),
        &manager_.getResult<llvm::OptimizationRemarkEmitterAnalysis>(item_), /*PreserveLCSSA=*/true);
    changed_ |= result != llvm::LoopUnrollResult::Unmodified;
    return result == llvm::LoopUnrollResult::FullyUnrolled;
  }

  llvm::Function& item_;
  unsigned budget_;
  Analyses& analyses_;
  llvm::FunctionAnalysisManager& manager_;
  bool changed_ = false;
};

}  // namespace

bool unroll_barrier_loops(llvm::Function& item, Analyses& analyses) {
  return Unroller(item, kMaxUnrolled, analyses).run();
}

}  // namespace weft::compiler::simt
