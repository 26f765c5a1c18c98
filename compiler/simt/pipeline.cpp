#include "compiler/simt/pipeline.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>

#include "compiler/codegen/target.h"
#include "compiler/simt/canonicalize_cfg.h"
#include "compiler/simt/cover_group.h"
#include "compiler/simt/group.h"
#include "compiler/simt/interleave.h"
#include "compiler/simt/jam.h"
#include "compiler/simt/linearize.h"
#include "compiler/simt/loops_by_lane.h"
#include "compiler/simt/lower_args.h"
#include "compiler/simt/lower_printf.h"
#include "compiler/simt/narrow_phis.h"
#include "compiler/simt/prepare.h"
#include "compiler/simt/print_shapes.h"
#include "compiler/simt/promote_local.h"
#include "compiler/simt/regions.h"
#include "compiler/simt/restrict_scopes.h"
#include "compiler/simt/shape.h"
#include "compiler/simt/stack_groups.h"
#include "compiler/simt/struct_rows.h"
#include "compiler/simt/uniformity.h"
#include "compiler/simt/widen.h"
#include "device/kernel_abi.h"

namespace weft::compiler::simt {
namespace {

/// Of one work-item. No device has more, and with less no sum over the lanes overflows.
constexpr std::uint64_t kMostPrivateBytes = std::uint64_t{1} << 32;

/// After lower-args nothing knows of fused groups: they are one group of their summed size.
Specialization block_of(Specialization specialization) {
  specialization.local_size[0] *= specialization.groups;
  specialization.groups = 1;
  return specialization;
}

/// One kernel on its way; the steps below are the passes, in order.
class Pipeline {
 public:
  Pipeline(llvm::Module& module, llvm::StringRef kernel, const Specialization& specialization,
           PassControl& control)
      : module_(module), kernel_(kernel.str()), program_(specialization), specialization_(block_of(specialization)),
        control_(control) {}

  llvm::Expected<GroupCode> run() {
    if (control_.selective()) find_input();
    set_lanes(control_.jam() ? control_.jam() : 1);
    const std::pair<const char*, llvm::Error (Pipeline::*)()> steps[] = {
        {"restrict-scopes", &Pipeline::scope_restrict}, {"lower-args", &Pipeline::lower_arguments},
        {"lower-printf", &Pipeline::lower_prints},
        {"simplify-item", &Pipeline::simplify},        {"cover-group", &Pipeline::cover},
        {"stack-groups", &Pipeline::stack},            {"split-regions", &Pipeline::split},
        {"narrow-phis", &Pipeline::narrow},            {"loops-by-lane", &Pipeline::separate_lanes},
        {"canonicalize-cfg", &Pipeline::canonicalize}, {"jam", &Pipeline::choose_width},
        {"linearize", &Pipeline::linearize_regions},
        {"promote-local", &Pipeline::promote_local_memory},
        {"interleave", &Pipeline::interleave},         {"struct-rows", &Pipeline::rows_of_structs},
        {"print-shapes", &Pipeline::print_all_shapes}, {"widen", &Pipeline::widen_regions},
        {"group", &Pipeline::make_group},
    };
    for (const auto& [name, step] : steps) {
      if (step == &Pipeline::print_all_shapes && !control_.names(name)) continue;
      if (llvm::Error error = control_.run(name, module_, [&, step = step] { return (this->*step)(); }))
        return error;
      if (control_.stopped()) return GroupCode();
    }
    GroupCode code;
    code.function = group_;
    // What does not fit the number is more than any group is given.
    const auto bounded = [](std::uint64_t bytes) {
      return static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes, UINT32_MAX));
    };
    code.scratch_fixed = bounded(frame_.bytes);
    code.scratch_warp = bounded(frame_.bytes * abi::kWarpSize / lanes_);
    code.private_bytes = bounded(private_bytes_);
    code.stack = stack_;
    return code;
  }

 private:
  /// One pass runs alone, on a module at the stage before it: finds there what the passes left out would
  /// give.
  void find_input() {
    for (llvm::Function& function : module_) {
      if (function.isDeclaration()) continue;
      if (kernel_.empty() && function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL)
        kernel_ = function.getName().str();
      if (function.getName().ends_with(".item")) item_ = &function;
    }
    set_ = find_regions(module_);
  }

  llvm::Error scope_restrict() {
    if (llvm::Function* kernel = module_.getFunction(kernel_)) scope_restrict_arguments(*kernel);
    return llvm::Error::success();
  }
  llvm::Error lower_arguments() {
    if (!module_.getFunction(kernel_)) return llvm::createStringError("error: no kernel '" + kernel_ + "'");
    item_ = lower_args(module_, *module_.getFunction(kernel_), program_);
    return llvm::Error::success();
  }
  llvm::Error lower_prints() {
    if (!item_) return llvm::createStringError("error: no item function");
    lower_printf(module_, *item_);
    return llvm::Error::success();
  }
  llvm::Error simplify() {
    if (!item_) return llvm::createStringError("error: no item function");
    simplify_kernel(*item_, analyses_);
    return llvm::Error::success();
  }
  llvm::Error cover() {
    if (!item_) return llvm::createStringError("error: no item function");
    if (const unsigned jam = cover_group(item_, specialization_, registers(), control_.jam(), analyses_)) {
      set_lanes(jam);
      covered_ = true;
    }
    return llvm::Error::success();
  }
  llvm::Error stack() {
    if (!item_) return llvm::createStringError("error: no item function");
    // Work-items that share what they read through local memory; where each reads for itself, the nearest cache is what limits.
    if (covered_ || control_.turn()) stack_ = stack_groups(*item_, specialization_, control_.turn(), analyses_);
    return llvm::Error::success();
  }
  llvm::Error split() {
    if (!item_) return llvm::createStringError("error: no item function");
    set_ = split_regions(module_, *item_, analyses_);
    item_ = nullptr;
    for (const PrivateVariable& variable : set_.privates)
      private_bytes_ = llvm::SaturatingAdd(private_bytes_, variable.size);
    for (llvm::Function* region : set_.regions)
      for (llvm::Instruction& instruction : llvm::instructions(*region))
        if (auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
          if (auto size = alloca->getAllocationSize(module_.getDataLayout()))
            private_bytes_ = llvm::SaturatingAdd(private_bytes_, size->getFixedValue());
    if (private_bytes_ > kMostPrivateBytes)
      return llvm::createStringError("error: private variables of " + llvm::utostr(private_bytes_) + " bytes a work-item\n");
    return llvm::Error::success();
  }
  llvm::Error separate_lanes() {
    frame_ = lay_out_frame(set_, lanes_, module_.getDataLayout());
    for (llvm::Function* region : set_.regions)
      run_loops_by_lane(*region, specialization_, lanes_, [&](unsigned index) { return frame_.privates[index].stride; },
                        traits(), analyses_, control_);
    return llvm::Error::success();
  }
  llvm::Error narrow() {
    for (llvm::Function* region : set_.regions) narrow_phis(*region);
    return llvm::Error::success();
  }
  llvm::Error canonicalize() {
    for (llvm::Function* region : set_.regions) canonicalize_cfg(*region, analyses_);
    return llvm::Error::success();
  }
  llvm::Error choose_width() {
    if (covered_ || control_.jam() || !specialization_.local_size[0]) return llvm::Error::success();
    set_lanes(choose_jam(set_.regions, specialization_, lay_out_frame(set_, lanes_, module_.getDataLayout()),
                         registers(), analyses_));
    return llvm::Error::success();
  }
  static VectorRegisters registers() {
    const unsigned bits = codegen::preferred_vector_bits();
    return {bits, bits >= 512 ? 32u : 16u};
  }
  static VectorTraits traits() {
    const unsigned vector_bits = codegen::preferred_vector_bits();
    const bool wide_gathers = vector_bits >= 512;
    return {.native_gather = wide_gathers,
            .masked_gather = vector_bits >= 256,
            .native_scatter = wide_gathers,
            .register_bits = vector_bits,
            .masked_bytes = wide_gathers ? 1u : vector_bits >= 256 ? 4u : 16u,
            .estimate_bits = codegen::estimate_vector_bits()};
  }
  void set_lanes(unsigned jam) {
    lanes_ = abi::kWarpSize * jam;
    const auto& size = specialization_.local_size;
    full_warps_ = size[0] && size[0] * size[1] * size[2] % lanes_ == 0;
  }
  llvm::Error linearize_regions() {
    for (llvm::Function* region : set_.regions)
      if (llvm::Error error = linearize(*region, analyses_, full_warps_)) return error;
    return llvm::Error::success();
  }
  llvm::Error promote_local_memory() {
    // What one region stores another may load.
    if (!covered_ || !specialization_.local_size[0] || set_.regions.size() > 1) return llvm::Error::success();
    for (llvm::Function* region : set_.regions)
      promote_local(*region, specialization_, lanes_, codegen::preferred_vector_bits());
    return llvm::Error::success();
  }
  llvm::Error interleave() {
    frame_ = lay_out_frame(set_, lanes_, module_.getDataLayout());
    interleave_privates(set_, specialization_, lanes_, [&](unsigned index) { return frame_.privates[index].stride; });
    return llvm::Error::success();
  }
  llvm::Error rows_of_structs() {
    frame_ = lay_out_frame(set_, lanes_, module_.getDataLayout());
    const bool masked_stores = codegen::preferred_vector_bits() >= 512;
    for (llvm::Function* region : set_.regions) {
      const Shapes shapes(*region, specialization_, lanes_, [&](unsigned index) { return frame_.privates[index].stride; });
      if (make_struct_rows(*region, shapes, masked_stores)) analyses_.invalidate(*region);
    }
    return llvm::Error::success();
  }
  /// Runs only when named.
  llvm::Error print_all_shapes() {
    frame_ = lay_out_frame(set_, lanes_, module_.getDataLayout());
    for (llvm::Function* region : set_.regions)
      print_shapes(*region, specialization_, lanes_, [&](unsigned index) { return frame_.privates[index].stride; },
                   control_.out());
    return llvm::Error::success();
  }
  llvm::Error widen_regions() {
    if (set_.regions.empty()) return llvm::createStringError("error: no regions to widen");
    frame_ = lay_out_frame(set_, lanes_, module_.getDataLayout());
    for (llvm::Function* region : set_.regions) {
      llvm::Expected<llvm::Function*> wide = widen({.function = *region,
                                                    .specialization = specialization_,
                                                    .lanes = lanes_,
                                                    .covers_group = covered_,
                                                    .full_warps = full_warps_,
                                                    .frame = frame_,
                                                    .traits = traits()},
                                                   control_);
      if (!wide) return wide.takeError();
      analyses_.functions().clear(*region, region->getName());
      wide_.push_back(*wide);
    }
    for (llvm::Function* region : set_.regions) region->eraseFromParent();
    return llvm::Error::success();
  }
  llvm::Error make_group() {
    if (wide_.empty()) return llvm::createStringError("error: no widened regions to make a group of");
    group_ = make_group_function(module_, kernel_ + ".group", wide_, specialization_, lanes_, frame_, stack_);
    llvm::ModuleAnalysisManager& manager = analyses_.modules();
    llvm::AlwaysInlinerPass(/*InsertLifetimeIntrinsics=*/true).run(module_, manager);
    for (llvm::Function* region : wide_)
      if (region->use_empty()) region->eraseFromParent();
    // What is left of the scalar world: declarations of primitives.
    for (llvm::Function& function : llvm::make_early_inc_range(module_))
      if (&function != group_ && function.isDeclaration() && function.use_empty()) function.eraseFromParent();
    return llvm::Error::success();
  }

  llvm::Module& module_;
  std::string kernel_;
  const Specialization& program_;  ///< as the program sees it
  const Specialization specialization_;  ///< its fused groups as one
  PassControl& control_;
  Analyses analyses_;
  llvm::Function* item_ = nullptr;
  llvm::Function* group_ = nullptr;
  RegionSet set_;
  WarpFrame frame_;
  std::vector<llvm::Function*> wide_;
  unsigned lanes_ = abi::kWarpSize;
  bool full_warps_ = false;
  bool covered_ = false;  ///< one body runs the whole group
  std::uint32_t stack_ = 1;
  std::uint64_t private_bytes_ = 0;
};

}  // namespace

llvm::Expected<GroupCode> build_group_function(llvm::Module& module, llvm::StringRef kernel,
                                               const Specialization& specialization, PassControl& control) {
  return Pipeline(module, kernel, specialization, control).run();
}

}  // namespace weft::compiler::simt
