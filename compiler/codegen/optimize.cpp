#include "compiler/codegen/optimize.h"

#include "compiler/codegen/mask_width.h"
#include "compiler/codegen/register_analyses.h"
#include "compiler/codegen/target.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/LegacyPassManager.h"
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
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

namespace weft::compiler::codegen {

void set_code_attributes(llvm::Module& module, const llvm::TargetMachine& machine) {
  const std::string bits = std::to_string(preferred_vector_bits());
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    function.addFnAttr("prefer-vector-width", bits);
    function.addFnAttr("min-legal-vector-width", bits);
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

void optimize(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::LoopAnalysisManager loop_analyses;
  llvm::FunctionAnalysisManager function_analyses;
  llvm::CGSCCAnalysisManager scc_analyses;
  llvm::ModuleAnalysisManager module_analyses;
  llvm::PassBuilder builder(&machine);
  register_analyses(builder, loop_analyses, function_analyses, scc_analyses, module_analyses);

  const auto simplify_cfg = [](bool canonical_loops) {
    return llvm::SimplifyCFGPass(llvm::SimplifyCFGOptions()
                                     .convertSwitchToLookupTable(false)
                                     .hoistCommonInsts(true)
                                     .needCanonicalLoops(canonical_loops));
  };
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(simplify_cfg(true));
  passes.addPass(llvm::InstCombinePass());
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
  passes.addPass(llvm::LoopUnrollPass(llvm::LoopUnrollOptions(/*OptLevel=*/2).setPeeling(false)));
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
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) {
      passes.run(function, function_analyses);
      if (preferred_vector_bits() == 256) widen_masks(function);
    }
}

namespace {

/// Nothing is left to a linker, and a module without an entry has no use. Both come of passes that were left out.
llvm::Error check_complete(const llvm::Module& module) {
  bool entry = false;
  for (const llvm::Function& function : module) {
    if (!function.isDeclaration())
      entry |= function.hasExternalLinkage();
    else if (!function.isIntrinsic() && !function.use_empty())
      return llvm::createStringError("error: nothing defines '" + function.getName() + "'\n");
  }
  return entry ? llvm::Error::success() : llvm::createStringError("error: no group function was made\n");
}

}  // namespace

llvm::Expected<llvm::SmallVector<char, 0>> emit(llvm::Module& module, llvm::TargetMachine& machine,
                                                FileKind kind) {
  if (llvm::Error error = check_complete(module)) return error;
  // Source lines have served the passes (remarks); nobody reads them in a loaded object.
  llvm::StripDebugInfo(module);
  llvm::SmallVector<char, 0> buffer;
  llvm::raw_svector_ostream stream(buffer);
  llvm::legacy::PassManager passes;
  // No function of the C library may be called by name but memcpy and its like, which the loader knows.
  llvm::TargetLibraryInfoImpl library(llvm::Triple(module.getTargetTriple()));
  library.disableAllFunctions();
  passes.add(new llvm::TargetLibraryInfoWrapperPass(library));
  const auto file_type =
      kind == FileKind::kObject ? llvm::CodeGenFileType::ObjectFile : llvm::CodeGenFileType::AssemblyFile;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, file_type, /*DisableVerify=*/true))
    return llvm::createStringError("error: the host's target cannot emit code\n");
  passes.run(module);
  return buffer;
}

}  // namespace weft::compiler::codegen
