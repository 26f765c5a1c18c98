// The passes of one kernel, for one specialization (Scope::kKernel).
#include "compiler/codegen/kept_order.h"
#include "compiler/codegen/optimize.h"
#include "compiler/passes/pass_list.h"
#include "compiler/pipeline/compilation.h"
#include "compiler/simt/analysis/print_shapes.h"
#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/analysis/group_fusion.h"
#include "compiler/simt/barriers/blend_stores.h"
#include "compiler/simt/barriers/coarsen.h"
#include "compiler/simt/barriers/flush_denormals.h"
#include "compiler/simt/barriers/group.h"
#include "compiler/simt/barriers/group_phases.h"
#include "compiler/simt/barriers/group_runs.h"
#include "compiler/simt/barriers/place_cuts.h"
#include "compiler/simt/barriers/region_cuts.h"
#include "compiler/simt/barriers/unroll_barriers.h"
#include "compiler/simt/barriers/warp_barriers.h"
#include "compiler/simt/barriers/whole_group.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/local_memory.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/ir/sub_groups.h"
#include "compiler/simt/item/byte_tables.h"
#include "compiler/simt/item/common_quotients.h"
#include "compiler/simt/item/copied_tiles.h"
#include "compiler/simt/item/dot_products.h"
#include "compiler/simt/item/half_texels.h"
#include "compiler/simt/item/inside_bounds.h"
#include "compiler/simt/item/item_copies.h"
#include "compiler/simt/item/join_components.h"
#include "compiler/simt/item/kept_calls.h"
#include "compiler/simt/item/known_counts.h"
#include "compiler/simt/item/loop_tiles.h"
#include "compiler/simt/item/lower_args.h"
#include "compiler/simt/item/lower_enqueue.h"
#include "compiler/simt/item/lower_printf.h"
#include "compiler/simt/item/narrow_phis.h"
#include "compiler/simt/item/narrow_sums.h"
#include "compiler/simt/item/near_loads.h"
#include "compiler/simt/item/padded_rows.h"
#include "compiler/simt/item/point_functions.h"
#include "compiler/simt/item/prepare.h"
#include "compiler/simt/item/probes.h"
#include "compiler/simt/item/restrict_scopes.h"
#include "compiler/simt/item/single_items.h"
#include "compiler/simt/item/specialize_images.h"
#include "compiler/simt/item/stacked_rows.h"
#include "compiler/simt/item/texel_sums.h"
#include "compiler/simt/item/texel_tiles.h"
#include "compiler/simt/item/unit_strides.h"
#include "compiler/simt/masks/canonicalize_cfg.h"
#include "compiler/simt/masks/chosen_bounds.h"
#include "compiler/simt/masks/exit_values.h"
#include "compiler/simt/masks/first_iterations.h"
#include "compiler/simt/masks/full_branches.h"
#include "compiler/simt/masks/full_guards.h"
#include "compiler/simt/masks/full_iterations.h"
#include "compiler/simt/masks/linearize.h"
#include "compiler/simt/masks/mask_phis.h"
#include "compiler/simt/masks/masked_loads.h"
#include "compiler/simt/masks/select_cases.h"
#include "compiler/simt/masks/taken_exits.h"
#include "compiler/simt/memory/accumulators.h"
#include "compiler/simt/memory/byte_rows.h"
#include "compiler/simt/memory/joined_loads.h"
#include "compiler/simt/memory/interleave.h"
#include "compiler/simt/memory/kept_loads.h"
#include "compiler/simt/memory/promote_local.h"
#include "compiler/simt/memory/repeated_loads.h"
#include "compiler/simt/memory/scalarize_loops.h"
#include "compiler/simt/memory/struct_rows.h"
#include "compiler/simt/memory/walked_rows.h"
#include "compiler/simt/memory/worker_copies.h"
#include "compiler/simt/memory/written_walks.h"
#include "compiler/simt/widen/widen.h"
#include "compiler/target/target.h"
#include "device/kernel_abi.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"

namespace weft::compiler::pipeline {
namespace {

/// The most private memory of one work-item: no device has more, and no sum over the lanes overflows.
constexpr std::uint64_t kMostPrivateBytes = std::uint64_t{1} << 32;

llvm::Error done() { return llvm::Error::success(); }

/// Fails if there is no item function, because the passes that make it were left out.
llvm::Error need_item(const Compilation& c) {
  return c.item ? done() : llvm::createStringError("error: no item function");
}

unsigned forced_warps(const Compilation& c) { return c.one_warp ? 1 : c.control.options().coarsening; }

/// Runs `work` on a copy of the item function, which whole-group may choose: an earlier pass's copy, or a new one that is
/// erased if `work` changes nothing. Does nothing for groups that one body could not run.
llvm::Error straighten(Compilation& c, llvm::function_ref<bool(llvm::Function& copy, unsigned lanes)> work) {
  if (llvm::Error error = need_item(c)) return error;
  const unsigned warps = simt::whole_group_warps(*c.item, c.specialization, forced_warps(c), c.analyses);
  if (!warps) return done();
  const bool is_new = !c.straight;
  if (is_new) c.straight = simt::copy_item(*c.item, ".straight");
  if (work(*c.straight, warps * abi::kWarpSize) || !is_new) return done();
  simt::erase_function(*c.straight, c.analyses);
  c.straight = nullptr;
  return done();
}

}  // namespace

llvm::Error run_LowerImages(Compilation& c) {
  llvm::Function* kernel = c.module.getFunction(c.kernel);
  if (!kernel) return done();
  c.analyses.invalidate(*kernel);
  return simt::lower_images(*kernel, c.specialization.formats).takeError();
}

llvm::Error run_UnitStrides(Compilation& c) {
  llvm::Function* kernel = c.module.getFunction(c.kernel);
  if (kernel && simt::set_unit_strides(*kernel, c.specialization.formats)) c.analyses.invalidate(*kernel);
  return done();
}

llvm::Error run_BuffersApart(Compilation& c) {
  if (llvm::Function* kernel = c.module.getFunction(c.kernel)) simt::mark_buffers_apart(*kernel, c.specialization.formats);
  return done();
}

llvm::Error run_TexelSums(Compilation& c) {
  llvm::Function* kernel = c.module.getFunction(c.kernel);
  if (kernel) simt::make_texel_sums(*kernel, c.analyses);
  return done();
}
llvm::Error run_TexelTiles(Compilation& c) {
  llvm::Function* kernel = c.module.getFunction(c.kernel);
  if (kernel) simt::make_texel_tiles(*kernel, *c.program_view, c.analyses);
  return done();
}

llvm::Error run_SpecializeImages(Compilation& c) {
  llvm::Function* kernel = c.module.getFunction(c.kernel);
  if (!kernel) return done();
  c.analyses.invalidate(*kernel);
  if (llvm::Error error = simt::specialize_images(*kernel, c.specialization.counted)) return error;
  simt::take_words(*kernel);
  return done();
}

llvm::Error run_LoopTiles(Compilation& c) {
  llvm::Function* kernel = c.module.getFunction(c.kernel);
  if (kernel && c.lanes != 1) simt::make_loop_tiles(*kernel, *c.program_view, target::vectors(), c.analyses);
  return done();
}

llvm::Error run_RestrictScopes(Compilation& c) {
  if (llvm::Function* kernel = c.module.getFunction(c.kernel)) simt::scope_restrict_arguments(*kernel);
  return done();
}

llvm::Error run_SingleItems(Compilation& c) {
  llvm::Function* kernel = c.module.getFunction(c.kernel);
  const auto& size = c.program_view->local_size;
  if (!kernel || c.program_view->groups == 1 || size[0] * size[1] * size[2] != 1 || !simt::has_group_state(*kernel)) return done();
  if (!simt::fuse_single_items(*kernel))
    return llvm::createStringError("error: groups of kernel '" + c.kernel + "' cannot run side by side\n");
  c.analyses.invalidate(*kernel);
  return done();
}

llvm::Error run_LowerArgs(Compilation& c) {
  llvm::Function* kernel = c.module.getFunction(c.kernel);
  if (!kernel) return llvm::createStringError("error: no kernel '" + c.kernel + "'");
  // Counts are of all that the program does, by its lines.
  if (c.specialization.counted) simt::inline_kept_calls(*kernel);
  const bool has_local_arguments = llvm::any_of(kernel->args(), [](const llvm::Argument& argument) {
    return argument.getType()->isPointerTy() && argument.getType()->getPointerAddressSpace() == simt::kLocalSpace;
  });
  const llvm::Function* asked = c.module.getFunction("__weft_local_memory");
  const bool asks_where = asked && !asked->use_empty();  // which has bounds that several groups' would share
  const bool is_one_size = c.specialization.local_size[0] && c.specialization.groups == 1;
  if (is_one_size && !c.specialization.counted && !has_local_arguments && !asks_where && !simt::groups_may_wait(*kernel))
    c.local_bytes = llvm::alignTo(simt::assign_local_globals(*kernel).bytes, abi::kLocalMemoryAlign);
  c.item = simt::lower_args(c.module, *kernel, *c.program_view);
  if (simt::uses_sub_groups(*c.item)) {
    c.one_warp = true;
    c.coarsen_to(1);
  }
  if (c.lanes == 1) c.item->addFnAttr(simt::primitive::kOneLaneAttribute);
  return done();
}

llvm::Error run_LowerPrintf(Compilation& c) {
  if (llvm::Error error = need_item(c)) return error;
  simt::lower_printf(c.module, *c.item);
  return done();
}

llvm::Error run_LowerEnqueue(Compilation& c) {
  if (llvm::Error error = need_item(c)) return error;
  simt::lower_enqueue(c.module, *c.item);
  return done();
}

llvm::Error run_SimplifyItem(Compilation& c) {
  if (llvm::Error error = need_item(c)) return error;
  simt::simplify_kernel(*c.item, c.analyses);
  return done();
}

llvm::Error run_Probes(Compilation& c) {
  if (!c.specialization.counted) return done();
  if (llvm::Error error = need_item(c)) return error;
  c.counters = simt::insert_probes(*c.item, c.analyses);
  return done();
}

llvm::Error run_KnownCounts(Compilation& c) {
  if (c.item && c.lanes != 1 && simt::count_known_iterations(*c.item, c.analyses)) simt::simplify_kernel(*c.item, c.analyses);
  return done();
}

llvm::Error run_CopiedTiles(Compilation& c) {
  if (!c.item || c.one_warp || c.lanes == 1 || c.specialization.counted) return done();
  if (!simt::read_copied_memory(*c.item, *c.program_view)) return done();
  c.analyses.invalidate(*c.item);
  simt::simplify_kernel(*c.item, c.analyses);
  return done();
}

llvm::Error run_NearLoads(Compilation& c) {
  if (!c.item || c.lanes == 1) return done();
  constexpr unsigned kMostBranches = 4;  // one in another
  for (unsigned i = 0; i < kMostBranches && simt::move_near_loads(*c.item, c.analyses); ++i) {
    simt::select_cases(*c.item, c.analyses);
    simt::simplify_kernel(*c.item, c.analyses);
  }
  return done();
}

llvm::Error run_PointFunctions(Compilation& c) {
  if (c.item) simt::replace_point_functions(*c.item);
  return done();
}

llvm::Error run_ByteTables(Compilation& c) {
  if (!c.item || c.lanes == 1 || c.specialization.counted) return done();
  c.fill = simt::make_byte_tables(*c.item, *c.machine, target::vectors(), c.control.options().byte_tables, c.analyses);
  return done();
}

llvm::Error run_InsideBounds(Compilation& c) {
  if (!c.item) return done();
  simt::copy_for_inside(*c.item, c.specialization.ids_fit_31_bits, c.analyses);
  simt::cast_half_texels(*c.item);
  return done();
}

llvm::Error run_StackedRows(Compilation& c) {
  if (!c.item || forced_warps(c) > 1 || c.one_warp) return done();
  const auto stacked = simt::stack_rows(*c.item, c.specialization, target::vectors(), c.control.options().stack_rows, c.analyses);
  if (!stacked) return done();
  simt::replace_item(c.item, *stacked->item, c.analyses);
  c.specialization.local_size[1] /= stacked->rows;
  c.stacked = true;
  c.coarsen_to(1);
  return done();
}

llvm::Error run_CommonQuotients(Compilation& c) {
  if (!c.item || c.stacked || c.lanes % abi::kWarpSize || simt::inside_branch(*c.item)) return done();
  if (simt::share_quotients(*c.item, c.specialization, abi::kWarpSize, c.analyses)) simt::simplify_kernel(*c.item, c.analyses);
  return done();
}

llvm::Error run_PaddedRows(Compilation& c) {
  if (!c.item || c.one_warp || c.stacked || c.program_view->groups > 1) return done();
  if (const std::uint32_t lanes = simt::pad_rows(*c.item, c.specialization, c.analyses)) {
    c.specialization.local_size[0] = lanes;
    c.coarsen_to(c.lanes / abi::kWarpSize);
  }
  return done();
}

llvm::Error run_UnrollBarriers(Compilation& c) {
  return straighten(c, [&](llvm::Function& copy, unsigned) { return simt::unroll_barrier_loops(copy, c.analyses); });
}

llvm::Error run_SimplifyUnrolled(Compilation& c) {
  if (c.straight) simt::simplify_kernel(*c.straight, c.analyses);
  return done();
}

llvm::Error run_BlendStores(Compilation& c) {
  return straighten(c, [&](llvm::Function& copy, unsigned lanes) {
    return simt::blend_local_stores(copy, c.specialization, lanes, c.analyses);
  });
}

llvm::Error run_WholeGroup(Compilation& c) {
  if (llvm::Error error = need_item(c)) return error;
  if (const unsigned warps = simt::make_whole_group(c.item, c.straight, c.specialization, target::vectors(), forced_warps(c), c.analyses)) {
    c.coarsen_to(warps);
    c.whole_group = true;
  }
  c.straight = nullptr;
  return done();
}

llvm::Error run_WarpBarriers(Compilation& c) {
  if (!c.item || c.whole_group || c.lanes == 1 || !c.specialization.local_size[0] || c.program_view->groups > 1) return done();
  if (!simt::has_barriers(*c.item)) return done();
  llvm::Function* copy = simt::copy_item(*c.item, ".unrolled");
  if (simt::unroll_barrier_loops(*copy, c.analyses)) simt::simplify_kernel(*copy, c.analyses);
  const simt::KeptBarriers barriers = simt::drop_warp_barriers(*copy, c.specialization, c.analyses);
  if (2 * barriers.kept > barriers.before) {
    simt::erase_function(*copy, c.analyses);
    return done();
  }
  const auto& size = c.specialization.local_size;
  simt::blend_local_stores(*copy, c.specialization, size[0] * size[1] * size[2], c.analyses);
  simt::replace_item(c.item, *copy, c.analyses);
  return done();
}

llvm::Error run_CutRegions(Compilation& c) {
  if (llvm::Error error = need_item(c)) return error;
  const auto& size = c.specialization.local_size;
  const bool has_phases = c.local_bytes && size[0] * size[1] * size[2] >= abi::kWarpSize && !c.stacked && !c.whole_group;
  if (has_phases && c.control.is_on(passes::Pass::kGroupPhases)) simt::cut_around_places(*c.item);
  simt::cut_regions(*c.item, c.analyses);
  c.analyses.invalidate(*c.item);
  return done();
}

llvm::Error run_SplitRegions(Compilation& c) {
  if (llvm::Error error = need_item(c)) return error;
  const bool may_copy = !c.specialization.required_only && !c.control.options().required_only;
  c.set = simt::split_regions(c.module, *c.item, may_copy, c.analyses);
  c.item = nullptr;
  for (llvm::Function* region : c.set.regions) codegen::set_processor(*region, *c.machine);
  if (c.lanes == 1)
    for (llvm::Function* region : c.set.regions) region->addFnAttr(simt::primitive::kOneLaneAttribute);
  for (const simt::PrivateVariable& variable : c.set.privates)
    c.private_bytes = llvm::SaturatingAdd(c.private_bytes, variable.size);
  for (llvm::Function* region : llvm::ArrayRef(c.set.regions).take_front(simt::without_copies(c.set.regions)))
    for (llvm::Instruction& instruction : llvm::instructions(*region))
      if (auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
        if (auto size = alloca->getAllocationSize(c.module.getDataLayout()))
          c.private_bytes = llvm::SaturatingAdd(c.private_bytes, size->getFixedValue());
  if (c.private_bytes > kMostPrivateBytes)
    return llvm::createStringError("error: private variables of " + llvm::utostr(c.private_bytes) + " bytes a work-item\n");
  return done();
}

llvm::Error run_NarrowPhis(Compilation& c) {
  for (llvm::Function* region : c.set.regions) simt::narrow_phis(*region);
  return done();
}

llvm::Error run_NarrowSums(Compilation& c) {
  if (c.lanes == 1) return done();
  for (llvm::Function* region : c.set.regions) simt::narrow_sums(*region, c.analyses);
  return done();
}

llvm::Error run_ChosenBounds(Compilation& c) {
  if (c.lanes == 1) return done();
  for (llvm::Function* region : c.set.regions) simt::split_chosen_bounds(*region, c.analyses);
  return done();
}

llvm::Error run_RepeatedLoads(Compilation& c) {
  if (c.lanes == 1) return done();
  for (llvm::Function* region : c.set.regions) simt::drop_repeated_loads(*region, c.analyses);
  return done();
}

llvm::Error run_Accumulators(Compilation& c) {
  if (c.lanes == 1) return done();
  c.lay_out_frame();
  for (llvm::Function* region : c.set.regions) {
    if (simt::keep_accumulators(*region, c.specialization, c.lanes, [&](unsigned index) { return c.private_stride(index); }, c.analyses))
      c.analyses.invalidate(*region);
    if (simt::keep_loads(*region, c.analyses)) c.analyses.invalidate(*region);
  }
  return done();
}

llvm::Error run_ScalarizeLoops(Compilation& c) {
  if (c.lanes == 1) return done();
  c.lay_out_frame();
  for (llvm::Function* region : c.set.regions)
    simt::scalarize_loops(*region, c.specialization, c.lanes, [&](unsigned index) { return c.private_stride(index); },
                          target::vectors(), *c.machine, c.analyses, c.control);
  return done();
}

llvm::Error run_WalkedRows(Compilation& c) {
  if (c.lanes == 1) return done();
  c.lay_out_frame();
  for (llvm::Function* region : c.set.regions)
    simt::read_walked_rows(*region, c.specialization, c.lanes, [&](unsigned index) { return c.private_stride(index); }, c.analyses);
  return done();
}

llvm::Error run_WrittenWalks(Compilation& c) {
  if (c.lanes == 1) return done();
  c.lay_out_frame();
  for (llvm::Function* region : c.set.regions)
    simt::walk_written_rows(*region, c.specialization, c.lanes, [&](unsigned index) { return c.private_stride(index); }, c.analyses);
  return done();
}

llvm::Error run_DotProducts(Compilation& c) {
  if (c.lanes == 1) return done();
  c.lay_out_frame();
  for (llvm::Function* region : c.set.regions) {
    if (!simt::multiplies_parts_of_words(*region)) continue;
    const simt::Shapes shapes(*region, c.specialization, c.lanes, [&](unsigned index) { return c.private_stride(index); });
    if (simt::make_dot_products(*region, shapes, target::vectors())) c.analyses.invalidate(*region);
  }
  return done();
}

llvm::Error run_JoinComponents(Compilation& c) {
  if (c.lanes == 1) return done();
  for (llvm::Function* region : c.set.regions)
    if (simt::join_components(*region)) c.analyses.invalidate(*region);
  return done();
}

llvm::Error run_FullGuards(Compilation& c) {
  if (c.lanes == 1) return done();
  c.lay_out_frame();
  for (llvm::Function* region : c.set.regions) {
    const simt::Shapes shapes(*region, c.specialization, c.lanes, [&](unsigned index) { return c.private_stride(index); });
    simt::copy_for_full_guards(*region, shapes, c.analyses);
  }
  return done();
}

llvm::Error run_FullIterations(Compilation& c) {
  if (c.lanes == 1) return done();
  c.lay_out_frame();
  for (llvm::Function* region : c.set.regions) {
    const simt::Shapes shapes(*region, c.specialization, c.lanes, [&](unsigned index) { return c.private_stride(index); });
    simt::run_full_iterations_first(*region, shapes, c.analyses);
  }
  return done();
}

llvm::Error run_ExitValues(Compilation& c) {
  if (c.lanes == 1) return done();
  for (llvm::Function* region : c.set.regions) simt::take_exit_values(*region, c.analyses);
  return done();
}

llvm::Error run_FirstIterations(Compilation& c) {
  if (c.lanes == 1) return done();
  c.lay_out_frame();
  for (llvm::Function* region : c.set.regions)
    simt::take_first_iterations(*region, c.specialization, c.lanes, [&](unsigned index) { return c.private_stride(index); }, c.analyses);
  return done();
}

llvm::Error run_FullBranches(Compilation& c) {
  if (c.lanes == 1) return done();
  c.lay_out_frame();
  const auto& size = c.specialization.local_size;
  for (llvm::Function* region : c.set.regions) {
    const simt::Shapes shapes(*region, c.specialization, c.lanes, [&](unsigned index) { return c.private_stride(index); });
    simt::run_full_branches_first(*region, shapes, size[0] * size[1] * size[2], target::vectors().mask_registers, c.analyses);
  }
  return done();
}

llvm::Error run_SelectCases(Compilation& c) {
  if (c.lanes == 1) return done();
  for (llvm::Function* region : c.set.regions) simt::select_cases(*region, c.analyses);
  return done();
}

llvm::Error run_CanonicalizeCfg(Compilation& c) {
  // Counts are of branches as the program has them.
  const passes::Dispatch dispatch = c.specialization.counted ? passes::Dispatch::kNever : c.control.options().dispatch;
  for (llvm::Function* region : c.set.regions) c.plain |= simt::canonicalize_cfg(*region, c.analyses, dispatch);
  return done();
}

llvm::Error run_MaskedLoads(Compilation& c) {
  if (c.lanes == 1) return done();
  c.lay_out_frame();
  for (llvm::Function* region : c.set.regions)
    simt::mark_masked_loads(*region, c.specialization, c.lanes, [&](unsigned index) { return c.private_stride(index); }, target::vectors(), c.analyses);
  return done();
}

llvm::Error run_Coarsen(Compilation& c) {
  if (c.whole_group || c.stacked || forced_warps(c) || !c.specialization.local_size[0]) return done();
  c.lay_out_frame();
  const auto regions = llvm::ArrayRef(c.set.regions).take_front(simt::without_copies(c.set.regions));
  c.coarsen_to(simt::choose_coarsening(regions, c.specialization, c.frame, target::vectors(), *c.machine, c.analyses));
  return done();
}

llvm::Error run_Linearize(Compilation& c) {
  for (llvm::Function* region : c.set.regions) {
    if (llvm::Error error = simt::linearize(*region, c.analyses, c.full_warps)) return error;
    simt::take_exits(*region);
    simt::fold_mask_phis(*region);
  }
  return done();
}

llvm::Error run_PromoteLocal(Compilation& c) {
  // Another region may load the values that one stores.
  if (!c.whole_group || !c.specialization.local_size[0] || c.set.regions.size() > 1 || c.lanes == 1) return done();
  for (llvm::Function* region : c.set.regions)
    simt::promote_local(*region, c.specialization, c.lanes, target::vectors().register_bits);
  return done();
}

llvm::Error run_Interleave(Compilation& c) {
  if (c.lanes == 1) return done();
  c.lay_out_frame();
  simt::interleave_privates(c.set, c.specialization, c.lanes, [&](unsigned index) { return c.private_stride(index); });
  return done();
}

llvm::Error run_ByteRows(Compilation& c) {
  if (c.lanes == 1) return done();
  c.lay_out_frame();
  for (llvm::Function* region : c.set.regions) {
    const simt::Shapes shapes(*region, c.specialization, c.lanes, [&](unsigned index) { return c.private_stride(index); });
    bool changed = simt::make_byte_rows(*region, shapes);
    changed |= simt::join_loads(*region, shapes);
    if (changed) c.analyses.invalidate(*region);
  }
  return done();
}

llvm::Error run_StructRows(Compilation& c) {
  if (c.lanes == 1) return done();
  c.lay_out_frame();
  for (llvm::Function* region : c.set.regions) {
    const simt::Shapes shapes(*region, c.specialization, c.lanes, [&](unsigned index) { return c.private_stride(index); });
    if (simt::make_struct_rows(*region, shapes, target::vectors())) c.analyses.invalidate(*region);
  }
  return done();
}

llvm::Error run_WorkerCopies(Compilation& c) {
  c.updated = simt::update_worker_copies(c.set.regions);
  if (!c.updated.empty())
    for (llvm::Function* region : c.set.regions) c.analyses.invalidate(*region);
  return done();
}

llvm::Error run_Widen(Compilation& c) {
  if (c.set.regions.empty()) return llvm::createStringError("error: no regions to widen");
  c.lay_out_frame();
  if (c.control.options().print_shapes) {
    for (llvm::Function* region : c.set.regions)
      simt::print_shapes(*region, c.specialization, c.lanes, [&](unsigned index) { return c.private_stride(index); }, c.control.out());
    c.control.stop();
    return done();
  }
  simt::PackedValues packed;
  if (c.control.is_on(passes::Pass::kPackVectors))
    packed = simt::choose_packed_values(c.set.regions, c.specialization, c.lanes, c.frame);
  for (llvm::Function* region : c.set.regions) {
    llvm::Expected<llvm::Function*> wide = simt::widen({.function = *region,
                                                        .specialization = c.specialization,
                                                        .lanes = c.lanes,
                                                        .whole_group = c.whole_group,
                                                        .full_warps = c.full_warps,
                                                        .frame = c.frame,
                                                        .packed = packed,
                                                        .traits = target::vectors(),
                                                        .counters = c.specialization.counted ? &c.counters : nullptr},
                                                       c.control);
    if (!wide) return wide.takeError();
    c.analyses.functions().clear(*region, region->getName());
    c.wide.push_back(*wide);
  }
  for (llvm::Function* region : c.set.regions) region->eraseFromParent();
  return done();
}

llvm::Error run_GroupPhases(Compilation& c) {
  const auto& size = c.specialization.local_size;
  if (!c.local_bytes || c.fill || c.stacked) return done();
  const std::uint64_t bodies = llvm::divideCeil(std::uint64_t{size[0]} * size[1] * size[2], c.lanes);
  const std::uint32_t groups = simt::groups_in_phases(c.wide, *c.local_bytes + bodies * c.frame.bytes);
  c.in_phases = groups > 0;
  c.run = std::max(groups, 1u);
  return done();
}

llvm::Error run_GroupRuns(Compilation& c) {
  if (c.wide.size() == 1) c.run = simt::groups_of_run(*c.wide.front(), simt::bodies_of_row(c.specialization, c.lanes));
  return done();
}

/// The group function that fills the tables, a kernel of its own from byte-tables on.
static llvm::Expected<llvm::Function*> make_fill(Compilation& c) {
  Specialization group_of_all;
  group_of_all.local_size[0] = simt::kByteValues;
  group_of_all.local_size[1] = group_of_all.local_size[2] = 1;
  group_of_all.ids_fit_31_bits = group_of_all.aligned_offsets = true;
  Compilation fill(c.module, c.kernel + ".fill", group_of_all, *c.machine, c.control);
  fill.item = c.fill;
  fill.flushes_denormals = c.flushes_denormals;
  if (llvm::Error error = run_passes_behind(passes::Pass::kByteTables, fill)) return error;
  if (!fill.group || fill.frame.bytes) return llvm::createStringError("error: no function that fills tables was made\n");
  return fill.group;
}

llvm::Error run_Group(Compilation& c) {
  if (c.wide.empty()) return llvm::createStringError("error: no widened regions to make a group of");
  const simt::Runs runs = c.in_phases ? simt::Runs::kPhases : c.run > 1 ? simt::Runs::kRows : simt::Runs::kOne;
  const simt::GroupFunction made = simt::make_group_function(c.module, c.kernel + ".group", c.wide, c.specialization, c.lanes, c.frame, runs, c.local_bytes.value_or(0));
  c.group = made.function;
  llvm::AlwaysInlinerPass(/*InsertLifetimeIntrinsics=*/true).run(c.module, c.analyses.modules());
  if (made.group_id) simt::number_groups(*c.group, *made.group_id);
  if (c.stacked) codegen::keep_order(*c.group);
  if (c.flushes_denormals) simt::flush_denormals(*c.group, c.machine->getMCSubtargetInfo()->checkFeatures("+f16c"));
  for (llvm::Function* region : c.wide)
    if (region->use_empty()) region->eraseFromParent();
  if (c.fill) {
    auto fill = make_fill(c);
    if (!fill) return fill.takeError();
    simt::fill_tables_first(*c.group, **fill);
    c.has_tables = true;
  }
  // The scalar code has left declarations of primitives behind.
  for (llvm::Function& function : llvm::make_early_inc_range(c.module))
    if (&function != c.group && function.isDeclaration() && function.use_empty()) function.eraseFromParent();
  return done();
}

}  // namespace weft::compiler::pipeline
