// LLVM's four analysis managers, told of all analyses and of one another.
#pragma once

#include "llvm/Passes/PassBuilder.h"

namespace weft::compiler::support {

/// What should take the place of one of LLVM's own analyses is registered before: the first one wins.
inline void register_analyses(llvm::PassBuilder& builder, llvm::LoopAnalysisManager& loops, llvm::FunctionAnalysisManager& functions,
                              llvm::CGSCCAnalysisManager& sccs, llvm::ModuleAnalysisManager& modules) {
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
}

}  // namespace weft::compiler::support
