// Registers all analyses with LLVM's four analysis managers, and these with one another.
#pragma once

#include "llvm/Passes/PassBuilder.h"

namespace weft::compiler::support {

/// To replace one of LLVM's own analyses, register the replacement before: the first one wins.
inline void register_analyses(llvm::PassBuilder& builder, llvm::LoopAnalysisManager& loops, llvm::FunctionAnalysisManager& functions,
                              llvm::CGSCCAnalysisManager& sccs, llvm::ModuleAnalysisManager& modules) {
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
}

}  // namespace weft::compiler::support
