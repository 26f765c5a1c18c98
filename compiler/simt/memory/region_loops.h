// What passes over the loops of a region work with.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/PassManager.h>

#include <cstdint>

#include "compiler/compiler_api.h"
#include "compiler/simt/analysis/uniformity.h"

namespace weft::compiler::simt {

/// Of one region; `private_stride` is as in Shapes. Analyses are those of the moment: what is made invalid is made again.
class RegionLoops {
 public:
  RegionLoops(llvm::Function& region, const Specialization& specialization, unsigned lanes,
              llvm::function_ref<std::uint32_t(unsigned)> private_stride, Analyses& analyses)
      : region_(region),
        specialization_(specialization),
        lanes_(lanes),
        private_stride_(private_stride),
        analyses_(analyses),
        manager_(analyses.functions()) {}

 protected:
  llvm::LoopInfo& loops() { return manager_.getResult<llvm::LoopAnalysis>(region_); }
  llvm::DominatorTree& dominators() { return manager_.getResult<llvm::DominatorTreeAnalysis>(region_); }
  llvm::ScalarEvolution& evolution() { return manager_.getResult<llvm::ScalarEvolutionAnalysis>(region_); }

  llvm::Function& region_;
  const Specialization& specialization_;
  const unsigned lanes_;
  llvm::function_ref<std::uint32_t(unsigned)> private_stride_;
  Analyses& analyses_;
  llvm::FunctionAnalysisManager& manager_;
};

}  // namespace weft::compiler::simt
