// Which values are equal in all lanes of a warp: LLVM's UniformityInfo with a
// target description of our own.
//
// LLVM treats a value as uniform unless the target names it as a source of divergence, so this
// names all sources: the work-item ids, private memory (each lane has its own), atomics (lanes
// take turns), per-lane slots, and any unknown call.
#pragma once

#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/PassManager.h>

#include "compiler/simt/ir/primitives.h"

namespace weft::compiler::simt {

/// The analysis managers of one compilation, with Weft's divergence rules in place of a target's.
class Analyses {
 public:
  Analyses();
  Analyses(const Analyses&) = delete;
  Analyses& operator=(const Analyses&) = delete;

  llvm::FunctionAnalysisManager& functions() { return functions_; }
  llvm::ModuleAnalysisManager& modules() { return modules_; }
  /// Which values of `function` are divergent. Marks phis after loops and branches that LLVM's rules miss.
  llvm::UniformityInfo& uniformity(llvm::Function& function);
  /// Call after changing a function behind the manager's back.
  void invalidate(llvm::Function& function) { functions_.invalidate(function, llvm::PreservedAnalyses::none()); }

 private:
  llvm::LoopAnalysisManager loops_;
  llvm::FunctionAnalysisManager functions_;
  llvm::CGSCCAnalysisManager sccs_;
  llvm::ModuleAnalysisManager modules_;
};

/// The target description with Weft's divergence rules, for passes that run outside of Analyses.
llvm::TargetIRAnalysis divergence_target();

/// True if `value` may differ between lanes whatever its operands are.
bool is_source_of_divergence(const llvm::Value& value);

/// True if `value` is equal in all lanes whatever its operands are.
bool is_always_uniform(const llvm::Value& value);

}  // namespace weft::compiler::simt
