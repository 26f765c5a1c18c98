#include "compiler/codegen/optimize.h"

#include "compiler/codegen/unroll.h"
#include "compiler/support/analysis_managers.h"
#include "compiler/target/target.h"
#include "llvm/Analysis/MemoryDependenceAnalysis.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/DeadStoreElimination.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

namespace weft::compiler::codegen {

void set_processor(llvm::Function& function, const llvm::TargetMachine& machine) {
  const std::string bits = std::to_string(target::vectors().register_bits);
  function.addFnAttr("target-cpu", machine.getTargetCPU());
  function.addFnAttr("target-features", machine.getTargetFeatureString());
  function.addFnAttr("prefer-vector-width", bits);
  function.addFnAttr("min-legal-vector-width", bits);
}

void set_code_attributes(llvm::Module& module, const llvm::TargetMachine& machine) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    set_processor(function, machine);
    function.addFnAttr("no-jump-tables", "true");
    function.addFnAttr("frame-pointer", "none");
    // Relaxed division may be wrong by 2.5 ulp: a 12-bit estimate with one step reaches 3, and a second step would
    // cost what the division instruction does.
    function.addFnAttr("reciprocal-estimates", "!vec-divf");
    function.removeFnAttr(llvm::Attribute::StackProtect);
    function.setDoesNotThrow();
    function.setUWTableKind(llvm::UWTableKind::None);
  }
}

namespace {

llvm::SimplifyCFGPass simplify_cfg(bool canonical_loops) {
  return llvm::SimplifyCFGPass(llvm::SimplifyCFGOptions()
                                   .convertSwitchToLookupTable(false)
                                   .hoistCommonInsts(true)
                                   .needCanonicalLoops(canonical_loops));
}

/// Instructions above a load that GVN looks at for what it loads, in functions of many: LLVM's 100 took a fifth of the compilation of those with
/// tables of their own (bcrypt), whose loads and stores may all meet.
constexpr unsigned kManyInstructions = 2000, kLookedAtOfMany = 24;

bool has_many_instructions(const llvm::Module& module) {
  return llvm::any_of(module, [](const llvm::Function& function) { return function.getInstructionCount() > kManyInstructions; });
}

/// Runs `passes` on every function, with the host's costs.
void run_on_all(llvm::FunctionPassManager& passes, llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::LoopAnalysisManager loop_analyses;
  llvm::FunctionAnalysisManager function_analyses;
  llvm::CGSCCAnalysisManager scc_analyses;
  llvm::ModuleAnalysisManager module_analyses;
  llvm::PassBuilder builder(&machine);
  if (has_many_instructions(module)) function_analyses.registerPass([] { return llvm::MemoryDependenceAnalysis(kLookedAtOfMany); });
  support::register_analyses(builder, loop_analyses, function_analyses, scc_analyses, module_analyses);
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) passes.run(function, function_analyses);
}

}  // namespace

void clean_up(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(simplify_cfg(true));
  passes.addPass(llvm::InstCombinePass());
  run_on_all(passes, module, machine);
}

void clean_up_plainly(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::EarlyCSEPass());
  // Not InstCombine, which compares each comparison with all of the same value above it, as a tree of them has for one block of many.
  passes.addPass(llvm::InstSimplifyPass());
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::ADCEPass());
  passes.addPass(simplify_cfg(false));
  run_on_all(passes, module, machine);
}

void optimize(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::FunctionPassManager passes;
  {
    llvm::LoopPassManager loops;
    loops.addPass(llvm::LoopRotatePass());
    loops.addPass(llvm::LICMPass(llvm::LICMOptions()));
    passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops), /*UseMemorySSA=*/true));
  }
  {
    llvm::LoopPassManager loops;
    loops.addPass(llvm::IndVarSimplifyPass());
    passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops)));
  }
  passes.addPass(llvm::GVNPass());
  passes.addPass(llvm::DSEPass());
  passes.addPass(UnrollPass());
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(llvm::InstCombinePass());
  {
    llvm::LoopPassManager loops;
    loops.addPass(llvm::LICMPass(llvm::LICMOptions()));
    passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops), /*UseMemorySSA=*/true));
  }
  passes.addPass(llvm::ADCEPass());
  passes.addPass(simplify_cfg(false));
  run_on_all(passes, module, machine);
}

/// Erases what `root` does not reach: earlier forms of the kernel, its `__local` variables (now offsets).
void keep_only(llvm::Module& module, const llvm::Function& root) {
  for (bool changed = true; changed;) {
    changed = false;
    for (llvm::Function& function : llvm::make_early_inc_range(module)) {
      if (&function == &root || function.isIntrinsic()) continue;
      function.removeDeadConstantUsers();
      if (!function.use_empty()) continue;
      function.eraseFromParent();
      changed = true;
    }
    for (llvm::GlobalVariable& variable : llvm::make_early_inc_range(module.globals())) {
      variable.removeDeadConstantUsers();
      if (!variable.use_empty()) continue;
      variable.eraseFromParent();
      changed = true;
    }
  }
}

}  // namespace weft::compiler::codegen
