#include "compiler/codegen/loop_vectors.h"

#include "compiler/codegen/optimize.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/widen/primitives.h"
#include "compiler/support/analysis_managers.h"
#include "compiler/target/target.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Vectorize/LoopVectorize.h"

namespace weft::compiler::codegen {
namespace {

using simt::primitive::kNonVolatileMetadata;

/// Of a copy that nothing else looks at: accesses that `pin` alone made volatile.
void release_accesses(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (!instruction.hasMetadata(kNonVolatileMetadata)) continue;
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) load->setVolatile(false);
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) store->setVolatile(false);
  }
}

}  // namespace

void vectorize_loops(llvm::Function& function, llvm::TargetMachine& machine) {
  set_processor(function, machine);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  support::register_analyses(builder, loops, functions, sccs, modules);
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::EarlyCSEPass());
  {
    llvm::LoopPassManager straighten;
    straighten.addPass(llvm::LoopRotatePass());
    straighten.addPass(llvm::LICMPass(llvm::LICMOptions()));
    passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(straighten), /*UseMemorySSA=*/true));
  }
  {
    llvm::LoopPassManager count;
    count.addPass(llvm::IndVarSimplifyPass());
    passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(count)));
  }
  passes.addPass(llvm::LoopVectorizePass(llvm::LoopVectorizeOptions(/*InterleaveOnlyWhenForced=*/true, /*VectorizeOnlyWhenForced=*/false)));
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::InstCombinePass());
  {
    // Tells whether rows overlap in front of the loop.
    llvm::LoopPassManager hoist;
    hoist.addPass(llvm::LICMPass(llvm::LICMOptions()));
    passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(hoist), /*UseMemorySSA=*/true));
  }
  passes.addPass(llvm::SimplifyCFGPass());
  passes.run(function, functions);
}

bool makes_vectors_of_all_loops(const llvm::Function& kernel, llvm::TargetMachine& machine) {
  llvm::ValueToValueMapTy map;
  llvm::Function* copy = llvm::CloneFunction(const_cast<llvm::Function*>(&kernel), map);
  release_accesses(*copy);
  simt::expand_arithmetic_primitives(*copy, target::vectors());
  vectorize_loops(*copy, machine);
  const llvm::DominatorTree dominators(*copy);
  const llvm::LoopInfo loops(dominators);
  const bool all = !loops.empty() && llvm::all_of(loops.getLoopsInPreorder(), [](const llvm::Loop* loop) {
    return !loop->isInnermost() || llvm::getBooleanLoopAttribute(loop, "llvm.loop.isvectorized");
  });
  copy->eraseFromParent();
  return all;
}

}  // namespace weft::compiler::codegen
