// The passes of a program (Scope::kProgram).
#include "compiler/linker/constant_powers.h"
#include "compiler/linker/link.h"
#include "compiler/linker/relaxed_math.h"
#include "compiler/linker/supported.h"
#include "compiler/pipeline/compilation.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/item/component_stores.h"
#include "compiler/simt/item/divergent_exits.h"
#include "compiler/simt/item/expand_copies.h"
#include "compiler/simt/item/half_overflow.h"
#include "compiler/simt/item/infer_spaces.h"
#include "compiler/simt/item/kept_calls.h"
#include "compiler/simt/item/prepare.h"
#include "compiler/simt/item/sub_group_size.h"
#include "compiler/simt/masks/sided_loops.h"
#include "device/kernel_abi.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Module.h"

namespace weft::compiler::pipeline {
namespace {

llvm::Error for_each_kernel(Compilation& c, llvm::function_ref<void(llvm::Function&)> work) {
  for (llvm::Function& function : c.module)
    if (simt::is_kernel(function)) work(function);
  return llvm::Error::success();
}

/// The same for functions that kernels call.
llvm::Error for_each_root(Compilation& c, llvm::function_ref<void(llvm::Function&)> work) {
  for (llvm::Function& function : c.module)
    if (!function.isDeclaration() && (simt::is_kernel(function) || simt::is_kept_call(function))) work(function);
  return llvm::Error::success();
}

}  // namespace

llvm::Error run_ConstantPowers(Compilation& c) {
  linker::write_out_constant_powers(c.module);
  return llvm::Error::success();
}

llvm::Error run_RelaxCalls(Compilation& c) {
  linker::relax_calls(c.module);
  return llvm::Error::success();
}

llvm::Error run_LinkBuiltins(Compilation& c) {
  for (const char* name : {"opencl.ocl.version", "opencl.spir.version"})
    if (llvm::NamedMDNode* version = c.module.getNamedMetadata(name)) version->eraseFromParent();
  return linker::link_builtins(c.module);
}

llvm::Error run_Retarget(Compilation& c) {
  linker::retarget(c.module);
  return llvm::Error::success();
}

llvm::Error run_ComponentStores(Compilation& c) {
  for (llvm::Function& function : c.module)
    if (!function.isDeclaration()) simt::store_components(function);
  return llvm::Error::success();
}

llvm::Error run_Inline(Compilation& c) { return simt::inline_calls(c.module, c.control.options().most_inlined, c.analyses); }

llvm::Error run_SubGroupSize(Compilation& c) {
  llvm::Error error = for_each_kernel(c, [&](llvm::Function& kernel) {
    const std::uint32_t size = linker::required_sub_group_size(kernel);
    if (size != 0 && size < abi::kWarpSize && simt::narrow_sub_groups(kernel, size)) c.analyses.invalidate(kernel);
  });
  simt::widen_sub_groups(c.module);
  return error;
}

llvm::Error run_Promote(Compilation& c) {
  return for_each_root(c, [&](llvm::Function& kernel) { simt::promote_privates(kernel, c.analyses); });
}

llvm::Error run_DivergentExits(Compilation& c) {
  return for_each_kernel(c, [&](llvm::Function& kernel) { simt::keep_divergent_exits(kernel, c.analyses); });
}

llvm::Error run_HalfOverflow(Compilation& c) { return for_each_root(c, simt::keep_half_overflow); }

llvm::Error run_InferSpaces(Compilation& c) {
  return for_each_root(c, [&](llvm::Function& kernel) {
    if (simt::infer_spaces(kernel, c.analyses)) c.analyses.invalidate(kernel);
  });
}

llvm::Error run_ExpandCopies(Compilation& c) {
  return for_each_kernel(c, [&](llvm::Function& kernel) {
    if (simt::expand_copies(kernel, /*shared_only=*/true)) c.analyses.invalidate(kernel);
  });
}

llvm::Error run_Pin(Compilation& c) { return for_each_kernel(c, simt::pin_shared_memory); }

llvm::Error run_SidedLoops(Compilation& c) {
  return for_each_kernel(c, [&](llvm::Function& kernel) { simt::keep_sided_loops(kernel, c.analyses); });
}

llvm::Error run_Simplify(Compilation& c) {
  return for_each_root(c, [&](llvm::Function& kernel) { simt::simplify_kernel(kernel, c.analyses); });
}

llvm::Error run_ExpandPrivateCopies(Compilation& c) {
  llvm::Error error = for_each_kernel(c, [](llvm::Function& kernel) { simt::expand_copies(kernel, /*shared_only=*/false); });
  simt::drop_unused_declarations(c.module);
  return error;
}

}  // namespace weft::compiler::pipeline
