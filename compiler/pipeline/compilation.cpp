#include "compiler/pipeline/compilation.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "compiler/frontend/compile.h"
#include "compiler/simt/analysis/group_fusion.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/item/kept_calls.h"
#include "device/kernel_abi.h"
#include "llvm/IR/Module.h"

namespace weft::compiler::pipeline {
namespace {

/// Of a body for a group smaller than a warp: shapes know no shorter rows (shape_limits.h). A single work-item has none and is scalar code.
constexpr std::uint32_t kFewestLanes = 8;

/// Passes after lower-args see fused groups as one group of their total size.
Specialization block_of(Specialization specialization) {
  specialization.local_size[0] *= specialization.groups;
  specialization.groups = 1;
  return specialization;
}

}  // namespace

Compilation::Compilation(llvm::Module& module, llvm::StringRef kernel, const Specialization& specialization,
                         llvm::TargetMachine& machine, passes::PassControl& control)
    : module(module), control(control), kernel(kernel.str()), program_view(&specialization),
      specialization(block_of(specialization)), machine(&machine) {
  const llvm::Function* function = module.getFunction(kernel);
  fused = specialization.groups;
  const auto& size = specialization.local_size;
  if (fused > 1 && size[0] * size[1] * size[2] != 1 && function && simt::has_group_state(*function)) {
    unfused = specialization;
    unfused.groups = 1;
    program_view = &unfused;
    this->specialization = unfused;
    if (specialization.whole_blocks) fuse_later = fused;
    fused = 1;
  }
  if (function && simt::keeps_shared_calls(*function)) control.leave_out_optimizations();
  const unsigned forced = control.options().coarsening;
  coarsen_to(forced && !control.options().required_only ? forced : 1);
  if (function && !specialization.soon) written = simt::written_rows(*function);
  if (function) flushes_denormals = function->hasFnAttribute(frontend::kFlushDenormalsAttribute);
  if (!control.selective()) return;
  // A pass may run alone, on a module at the stage before it: find there what the omitted passes would have set.
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    if (this->kernel.empty() && simt::is_kernel(function)) this->kernel = function.getName().str();
    if (function.getName().ends_with(".item")) item = &function;
    if (function.getName().ends_with(".item.straight")) straight = &function;
    if (function.getName().ends_with(".group")) group = &function;
  }
  set = simt::find_regions(module);
}

void Compilation::coarsen_to(unsigned warps) {
  const auto& size = specialization.local_size;
  const std::uint32_t items = size[0] * size[1] * size[2];
  lanes = abi::kWarpSize * warps;
  // What work-items of a warp say to each other is said by vectors.
  if (items != 0 && items < abi::kWarpSize && !specialization.required_only && warps == 1)
    lanes = items == 1 && !one_warp ? 1 : std::max(kFewestLanes, std::bit_ceil(items));
  full_warps = items != 0 && items % lanes == 0;
}

void Compilation::fuse() {
  fused = std::exchange(fuse_later, 1);
  specialization.local_size[0] *= fused;
  local_bytes.reset();
  coarsen_to(std::max(1u, forced_warps()));
}

void Compilation::lay_out_frame() { frame = simt::lay_out_frame(set, lanes, module.getDataLayout()); }

}  // namespace weft::compiler::pipeline
