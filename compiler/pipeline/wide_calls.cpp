// Functions that stay calls, for all lanes at once: each is a compilation of its own within that of the kernel.
#include "compiler/passes/pass_list.h"
#include "compiler/pipeline/compilation.h"
#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/barriers/call_region.h"
#include "compiler/simt/item/kept_calls.h"
#include "compiler/simt/item/prepare.h"
#include "device/kernel_abi.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace weft::compiler::pipeline {
namespace {

struct Called {
  llvm::SmallVector<bool, 16> uniform;  ///< of each argument, whether it is the same in all lanes at every call
  bool often = false;                   ///< by a loop, or by a function that is
};

llvm::MapVector<llvm::Function*, Called> called_by(Compilation& c) {
  llvm::MapVector<llvm::Function*, Called> called;
  for (llvm::Function* region : c.set.regions) {
    const simt::Shapes shapes(*region, c.specialization, c.lanes, [&](unsigned index) { return c.private_stride(index); });
    const llvm::LoopInfo& loops = c.analyses.functions().getResult<llvm::LoopAnalysis>(*region);
    for (const llvm::Instruction& instruction : llvm::instructions(*region)) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      llvm::Function* callee = call ? simt::kept_callee(*call) : nullptr;
      if (!callee || !(c.control.options().wide_calls || simt::pays_as_region(*callee))) continue;
      auto& [uniform, often] = called[callee];
      uniform.resize(callee->arg_size(), true);
      for (unsigned i = 0; i < call->arg_size(); ++i) uniform[i] = uniform[i] && shapes.is_uniform(*call->getArgOperand(i));
      often |= c.is_call || loops.getLoopFor(call->getParent());
    }
  }
  if (!c.specialization.soon) return called;
  const std::size_t all = called.size();
  called.remove_if([](const auto& entry) { return !entry.second.often; });
  c.leaves_out |= called.size() < all;
  return called;
}

}  // namespace

llvm::Error run_WideCalls(Compilation& c) {
  if (c.lanes == 1 || c.lanes > abi::kWarpSize) return llvm::Error::success();
  if (llvm::none_of(c.module, [](const llvm::Function& function) { return simt::is_kept_call(function); })) return llvm::Error::success();
  c.lay_out_frame();
  for (auto& [function, how] : called_by(c)) {
    Specialization body;
    body.local_size[0] = c.lanes;
    body.local_size[1] = body.local_size[2] = 1;
    Compilation callee(c.module, (c.kernel + "." + function->getName()).str(), body, *c.machine, c.control);
    callee.is_call = callee.whole_group = callee.full_warps = true;
    callee.lanes = c.lanes;
    callee.flushes_denormals = c.flushes_denormals;
    callee.set = simt::make_call_region(*function, *c.set.regions.front(), how.uniform, callee.kernel);
    // As an item function has been once more: what inner loops became may leave loops' memory to registers.
    llvm::Function& region = *callee.set.regions.front();
    simt::simplify_kernel(region, callee.analyses);
    if (llvm::Error error = run_passes_behind(passes::Pass::kSplitRegions, callee, passes::Pass::kCanonicalizeCfg)) return error;
    if (callee.plain && !c.plain && !c.control.options().wide_calls) {  // the kernel, too, would be at LLVM's lowest level
      callee.analyses.functions().clear(region, region.getName());
      region.eraseFromParent();
      continue;
    }
    if (llvm::Error error = run_passes_behind(passes::Pass::kCanonicalizeCfg, callee, passes::Pass::kWiden)) return error;
    c.callees[function] = {callee.wide.front(), callee.frame};
    c.plain |= callee.plain;
  }
  return llvm::Error::success();
}

}  // namespace weft::compiler::pipeline
