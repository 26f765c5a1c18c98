// The passes of one kernel, for one specialization (Scope::kKernel), up to the split into regions.
#include "compiler/codegen/optimize.h"
#include "compiler/passes/pass_list.h"
#include "compiler/pipeline/compilation.h"
#include "compiler/simt/analysis/print_shapes.h"
#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/analysis/group_fusion.h"
#include "compiler/simt/analysis/waiting_loops.h"
#include "compiler/simt/barriers/blend_stores.h"
#include "compiler/simt/barriers/coarsen.h"
#include "compiler/simt/barriers/group.h"
#include "compiler/simt/barriers/place_cuts.h"
#include "compiler/simt/barriers/region_cuts.h"
#include "compiler/simt/barriers/unroll_barriers.h"
#include "compiler/simt/barriers/warp_barriers.h"
#include "compiler/simt/barriers/whole_group.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/local_memory.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/ir/sub_groups.h"
#include "compiler/simt/item/atomic_reads.h"
#include "compiler/simt/item/bounded_counters.h"
#include "compiler/simt/item/byte_tables.h"
#include "compiler/simt/item/common_quotients.h"
#include "compiler/simt/item/component_stores.h"
#include "compiler/simt/item/copied_tiles.h"
#include "compiler/simt/item/dealt_loops.h"
#include "compiler/simt/item/direct_quotients.h"
#include "compiler/simt/item/dot_products.h"
#include "compiler/simt/item/exact_indices.h"
#include "compiler/simt/item/few_elements.h"
#include "compiler/simt/item/half_texels.h"
#include "compiler/simt/item/inside_bounds.h"
#include "compiler/simt/item/item_copies.h"
#include "compiler/simt/item/join_components.h"
#include "compiler/simt/item/kept_calls.h"
#include "compiler/simt/item/kept_results.h"
#include "compiler/simt/item/known_counts.h"
#include "compiler/simt/item/late_blocks.h"
#include "compiler/simt/item/loop_tiles.h"
#include "compiler/simt/item/lower_args.h"
#include "compiler/simt/item/lower_enqueue.h"
#include "compiler/simt/item/lower_printf.h"
#include "compiler/simt/item/marked_waits.h"
#include "compiler/simt/item/moving_windows.h"
#include "compiler/simt/item/narrow_orders.h"
#include "compiler/simt/item/near_indices.h"
#include "compiler/simt/item/near_loads.h"
#include "compiler/simt/item/padded_rows.h"
#include "compiler/simt/item/point_functions.h"
#include "compiler/simt/item/prepare.h"
#include "compiler/simt/item/probes.h"
#include "compiler/simt/item/recombined_indices.h"
#include "compiler/simt/item/restrict_scopes.h"
#include "compiler/simt/item/retried_updates.h"
#include "compiler/simt/item/row_reads.h"
#include "compiler/simt/item/signed_indices.h"
#include "compiler/simt/item/single_items.h"
#include "compiler/simt/item/specialize_images.h"
#include "compiler/simt/item/stacked_rows.h"
#include "compiler/simt/item/texel_sums.h"
#include "compiler/simt/item/texel_tiles.h"
#include "compiler/simt/item/turned_ids.h"
#include "compiler/simt/item/unit_strides.h"
#include "compiler/simt/item/walked_indices.h"
#include "compiler/simt/masks/first_iterations.h"
#include "compiler/simt/masks/masked_loads.h"
#include "compiler/simt/masks/select_cases.h"
#include "compiler/simt/masks/sided_loops.h"
#include "compiler/simt/memory/accumulators.h"
#include "compiler/simt/memory/interleave.h"
#include "compiler/simt/memory/promote_local.h"
#include "compiler/simt/memory/scalarize_loops.h"
#include "compiler/simt/memory/struct_rows.h"
#include "compiler/simt/memory/walked_rows.h"
#include "compiler/simt/memory/written_walks.h"
#include "compiler/target/costs.h"
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

/// Runs `work` on a copy of the item function, which whole-group may choose: an earlier pass's copy, or a new one that is
/// erased if `work` changes nothing. Does nothing for groups that one body could not run.
llvm::Error straighten(Compilation& c, llvm::function_ref<bool(llvm::Function& copy, unsigned lanes)> work) {
  if (llvm::Error error = need_item(c)) return error;
  if (c.stacked) return done();  // a lane has enough to do, and an order of its own
  const unsigned warps = simt::whole_group_warps(*c.item, c.specialization, c.forced_warps(), c.analyses);
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

llvm::Error run_TurnedIds(Compilation& c) {
  llvm::Function* kernel = c.module.getFunction(c.kernel);
  if (!kernel || !c.specialization.turned) return done();
  simt::turn_ids(*kernel, c.specialization.turned);
  c.analyses.invalidate(*kernel);
  return done();
}

llvm::Error run_UnitStrides(Compilation& c) {
  llvm::Function* kernel = c.module.getFunction(c.kernel);
  if (!kernel) return done();
  simt::mark_bounds(*kernel, c.specialization.formats);
  if (simt::set_unit_strides(*kernel, c.specialization.formats, c.specialization.turned != 0)) c.analyses.invalidate(*kernel);
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

llvm::Error run_RowReads(Compilation& c) {
  llvm::Function* kernel = c.module.getFunction(c.kernel);
  if (kernel && c.lanes != 1 && !c.specialization.counted && target::vectors().mask_registers) simt::read_by_rows(*kernel, c.specialization);
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

llvm::Error run_JoinedComponents(Compilation& c) {
  if (llvm::Function* kernel = c.module.getFunction(c.kernel); kernel && simt::join_component_stores(*kernel)) c.analyses.invalidate(*kernel);
  return done();
}

llvm::Error run_LowerArgs(Compilation& c) {
  llvm::Function* kernel = c.module.getFunction(c.kernel);
  if (!kernel) return llvm::createStringError("error: no kernel '" + c.kernel + "'");
  // Counts are of all that the program does, by its lines, where it can be inlined.
  if (c.specialization.counted && !simt::keeps_shared_calls(*kernel)) simt::inline_kept_calls(*kernel);
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
  simt::make_indices_exact(*c.item);
  if (c.lanes == 1 || !c.control.is_on(passes::Pass::kSettledSides)) simt::release_sided_loops(*c.item);
  simt::simplify_kernel(*c.item, c.analyses);
  return done();
}

llvm::Error run_NarrowOrders(Compilation& c) {
  if (c.item && c.lanes != 1) simt::narrow_orders(*c.item);
  return done();
}

llvm::Error run_Probes(Compilation& c) {
  if (!c.specialization.counted) return done();
  if (llvm::Error error = need_item(c)) return error;
  c.counters = simt::insert_probes(*c.item, c.analyses);
  return done();
}

llvm::Error run_AtomicReads(Compilation& c) {
  if (c.item && simt::read_without_updates(*c.item)) c.analyses.invalidate(*c.item);
  return done();
}

llvm::Error run_MarkedWaits(Compilation& c) {
  if (c.item && simt::mark_waits(*c.item)) c.analyses.invalidate(*c.item);
  return done();
}

llvm::Error run_RetriedUpdates(Compilation& c) {
  if (c.item && simt::join_retried_updates(*c.item, c.analyses)) simt::simplify_kernel(*c.item, c.analyses);
  return done();
}

llvm::Error run_KnownCounts(Compilation& c) {
  if (c.item && c.lanes != 1 && simt::count_known_iterations(*c.item, c.analyses)) simt::simplify_kernel(*c.item, c.analyses);
  return done();
}

llvm::Error run_DealtLoops(Compilation& c) {
  if (c.item && c.lanes != 1 && simt::unroll_dealt_loops(*c.item, c.analyses)) simt::simplify_kernel(*c.item, c.analyses);
  return done();
}

llvm::Error run_MovingWindows(Compilation& c) {
  if (c.item && simt::move_windows(*c.item, c.lanes, c.analyses)) simt::simplify_kernel(*c.item, c.analyses);
  return done();
}

llvm::Error run_FewElements(Compilation& c) {
  if (c.item && c.lanes != 1 && simt::keep_few_elements(*c.item)) {
    c.analyses.invalidate(*c.item);
    simt::simplify_kernel(*c.item, c.analyses);
  }
  return done();
}

llvm::Error run_CopiedTiles(Compilation& c) {
  if (!c.item || c.one_warp || c.lanes == 1 || c.specialization.counted) return done();
  if (!simt::read_copied_memory(*c.item, *c.program_view)) return done();
  c.analyses.invalidate(*c.item);
  simt::simplify_kernel(*c.item, c.analyses);
  if (c.fuse_later > 1 && simt::may_become_block(*c.item)) {
    simt::become_block(*c.item, c.specialization.local_size[0], c.fuse_later, c.specialization.ids_fit_31_bits);
    simt::recombine_indices(*c.item);
    c.fuse();
    simt::simplify_kernel(*c.item, c.analyses);
  }
  return done();
}

llvm::Error run_SignedIndices(Compilation& c) {
  if (c.item && simt::sign_indices(*c.item)) c.analyses.invalidate(*c.item);
  return done();
}

llvm::Error run_NearIndices(Compilation& c) {
  if (c.item && c.lanes != 1 && simt::join_near_indices(*c.item)) simt::simplify_kernel(*c.item, c.analyses);
  return done();
}

llvm::Error run_KeptResults(Compilation& c) {
  // What goes past the caches is not in them when it is wanted again.
  if (!c.item || c.lanes == 1 || c.specialization.counted || c.specialization.streams || c.program_view->groups > 1) return done();
  const target::Costs costs(*c.item, *c.machine, target::vectors());
  if (simt::keep_results(*c.item, c.specialization, costs, c.analyses)) simt::simplify_kernel(*c.item, c.analyses);
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
  if (!c.item || c.forced_warps() > 1 || c.one_warp) return done();
  const auto stacked = simt::stack_rows(*c.item, c.specialization, target::vectors(), c.control.options().stack_rows, c.analyses);
  if (!stacked) return done();
  simt::replace_item(c.item, *stacked->item, c.analyses);
  c.specialization.local_size[1] /= stacked->rows;
  c.stacked = true;
  c.coarsen_to(1);
  return done();
}

llvm::Error run_BoundedCounters(Compilation& c) {
  if (c.item && simt::narrow_counters(*c.item)) simt::simplify_kernel(*c.item, c.analyses);
  return done();
}

llvm::Error run_RecombinedIndices(Compilation& c) {
  if (!c.item) return done();
  bool changed = simt::recombine_indices(*c.item);
  changed |= simt::divide_directly(*c.item);
  if (changed) simt::simplify_kernel(*c.item, c.analyses);
  return done();
}

llvm::Error run_CommonQuotients(Compilation& c) {
  if (!c.item || c.stacked || c.lanes % abi::kWarpSize || simt::inside_branch(*c.item)) return done();
  if (!simt::share_quotients(*c.item, c.specialization, abi::kWarpSize, c.analyses, c.leaves_out)) return done();
  simt::simplify_kernel(*c.item, c.analyses);
  if (c.forced_warps() <= 1) c.one_warp = true;  // the lanes of several lie in one row the less often
  return done();
}

llvm::Error run_WalkedIndices(Compilation& c) {
  if (c.item && simt::extend_walked_indices(*c.item)) c.analyses.invalidate(*c.item);
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
  if (c.stacked) return done();
  if (const unsigned warps = simt::make_whole_group(c.item, c.straight, c.specialization, target::vectors(), c.forced_warps(), c.analyses)) {
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

}  // namespace weft::compiler::pipeline
