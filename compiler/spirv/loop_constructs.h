// What work-items do on their way out of a loop of a SPIR-V module, they do in their iteration (frontend/loop_exits.h), where the module says
// what belongs to a loop: all that its header dominates and its merge block does not (OpLoopMerge; SPIR-V §2.11.2, as
// SPV_KHR_maximal_reconvergence has it, too). Kernels need not have such structure. Without it, or where branches do not keep to it, their loops
// are what branches make, and those that leave a loop meet behind it.
#pragma once

namespace llvm {
class Module;
}

namespace weft::compiler::spirv {

/// Of a module whose blocks have the names that translator/loop_names.h gives.
void keep_exits_in_constructs(llvm::Module& module);

}  // namespace weft::compiler::spirv
