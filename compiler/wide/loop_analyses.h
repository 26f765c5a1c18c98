// What passes over wide code ask of loops, distances and memory: LLVM's analyses of one function, without a manager.
#pragma once

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/BasicAliasAnalysis.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScopedNoAliasAA.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>

namespace weft::compiler::wide {

/// A base of classes that look at one function, whose blocks stay as they are.
class LoopAnalyses {
 protected:
  explicit LoopAnalyses(llvm::Function& function)
      : layout_(function.getDataLayout()), library_info_(llvm::Triple(function.getParent()->getTargetTriple())), library_(library_info_),
        assumptions_(function), dominators_(function), loops_(dominators_), evolution_(function, library_, assumptions_, dominators_, loops_),
        by_addresses_(layout_, function, library_, assumptions_, &dominators_), aliases_(library_) {
    aliases_.addAAResult(by_addresses_);
    aliases_.addAAResult(by_scopes_);
  }

  const llvm::DataLayout& layout_;
  llvm::TargetLibraryInfoImpl library_info_;
  llvm::TargetLibraryInfo library_;
  llvm::AssumptionCache assumptions_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  llvm::ScalarEvolution evolution_;
  llvm::BasicAAResult by_addresses_;
  llvm::ScopedNoAliasAAResult by_scopes_;
  llvm::AAResults aliases_;
};

}  // namespace weft::compiler::wide
