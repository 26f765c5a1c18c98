// Functions that stay calls, for all lanes at once: each is a compilation of its own within that of the kernel.
#include "compiler/passes/pass_list.h"
#include "compiler/pipeline/compilation.h"
#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/barriers/call_region.h"
#include "device/kernel_abi.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace weft::compiler::pipeline {
namespace {

/// Of a called function: which arguments are the same in all lanes at every call.
using Uniform = llvm::SmallVector<bool, 16>;

llvm::MapVector<llvm::Function*, Uniform> called_by(const Compilation& c) {
  llvm::MapVector<llvm::Function*, Uniform> called;
  for (llvm::Function* region : c.set.regions) {
    const simt::Shapes shapes(*region, c.specialization, c.lanes, [&](unsigned index) { return c.private_stride(index); });
    for (const llvm::Instruction& instruction : llvm::instructions(*region)) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      llvm::Function* callee = call ? simt::kept_callee(*call) : nullptr;
      if (!callee || !(c.control.options().wide_calls || simt::pays_as_region(*callee))) continue;
      Uniform& uniform = called.try_emplace(callee, callee->arg_size(), true).first->second;
      for (unsigned i = 0; i < call->arg_size(); ++i) uniform[i] = uniform[i] && shapes.is_uniform(*call->getArgOperand(i));
    }
  }
  return called;
}

}  // namespace

llvm::Error run_WideCalls(Compilation& c) {
  if (c.lanes == 1 || c.lanes > abi::kWarpSize) return llvm::Error::success();
  c.lay_out_frame();
  for (auto& [function, uniform] : called_by(c)) {
    Specialization body;
    body.local_size[0] = c.lanes;
    body.local_size[1] = body.local_size[2] = 1;
    Compilation callee(c.module, (c.kernel + "." + function->getName()).str(), body, *c.machine, c.control);
    callee.is_call = callee.whole_group = callee.full_warps = true;
    callee.lanes = c.lanes;
    callee.flushes_denormals = c.flushes_denormals;
    callee.set = simt::make_call_region(*function, *c.set.regions.front(), uniform, callee.kernel);
    if (llvm::Error error = run_passes_behind(passes::Pass::kSplitRegions, callee, passes::Pass::kWiden)) return error;
    c.callees[function] = {callee.wide.front(), callee.frame};
    c.plain |= callee.plain;
  }
  return llvm::Error::success();
}

}  // namespace weft::compiler::pipeline
