// The passes of one kernel, for one specialization (Scope::kKernel), on its regions.
#include "compiler/codegen/kept_order.h"
#include "compiler/codegen/loop_vectors.h"
#include "compiler/passes/pass_list.h"
#include "compiler/pipeline/compilation.h"
#include "compiler/sooner_code.h"
#include "compiler/simt/analysis/print_shapes.h"
#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/analysis/group_fusion.h"
#include "compiler/simt/barriers/coarsen.h"
#include "compiler/simt/barriers/flush_denormals.h"
#include "compiler/simt/barriers/group.h"
#include "compiler/simt/barriers/group_pairs.h"
#include "compiler/simt/barriers/group_phases.h"
#include "compiler/simt/barriers/group_runs.h"
#include "compiler/simt/barriers/warp_barriers.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/item/byte_tables.h"
#include "compiler/simt/item/dot_products.h"
#include "compiler/simt/item/half_texels.h"
#include "compiler/simt/item/join_components.h"
#include "compiler/simt/item/kept_calls.h"
#include "compiler/simt/item/lower_args.h"
#include "compiler/simt/item/narrow_phis.h"
#include "compiler/simt/item/narrow_sums.h"
#include "compiler/simt/item/padded_rows.h"
#include "compiler/simt/item/point_functions.h"
#include "compiler/simt/item/probes.h"
#include "compiler/simt/item/threes_as_fours.h"
#include "compiler/simt/masks/canonicalize_cfg.h"
#include "compiler/simt/masks/chosen_bounds.h"
#include "compiler/simt/masks/clamped_windows.h"
#include "compiler/simt/masks/exit_values.h"
#include "compiler/simt/masks/first_iterations.h"
#include "compiler/simt/masks/full_branches.h"
#include "compiler/simt/masks/full_guards.h"
#include "compiler/simt/masks/full_iterations.h"
#include "compiler/simt/masks/joined_stores.h"
#include "compiler/simt/masks/linearize.h"
#include "compiler/simt/masks/mask_phis.h"
#include "compiler/simt/masks/masked_loads.h"
#include "compiler/simt/masks/select_cases.h"
#include "compiler/simt/masks/settled_sides.h"
#include "compiler/simt/masks/taken_exits.h"
#include "compiler/simt/memory/accumulators.h"
#include "compiler/simt/memory/byte_rows.h"
#include "compiler/simt/memory/common_iterations.h"
#include "compiler/simt/memory/common_steps.h"
#include "compiler/simt/memory/joined_loads.h"
#include "compiler/simt/memory/interleave.h"
#include "compiler/simt/memory/joined_places.h"
#include "compiler/simt/memory/kept_loads.h"
#include "compiler/simt/memory/promote_local.h"
#include "compiler/simt/memory/repeated_loads.h"
#include "compiler/simt/memory/scalarize_loops.h"
#include "compiler/simt/memory/struct_rows.h"
#include "compiler/simt/memory/turned_rows.h"
#include "compiler/simt/memory/walked_rows.h"
#include "compiler/simt/memory/worker_copies.h"
#include "compiler/simt/memory/written_walks.h"
#include "compiler/simt/widen/primitives.h"
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

llvm::Error done() { return llvm::Error::success(); }

}  // namespace

llvm::Error run_NarrowPhis(Compilation& c) {
  for (llvm::Function* region : c.set.regions) simt::narrow_phis(*region);
  return done();
}

llvm::Error run_NarrowSums(Compilation& c) {
  if (c.lanes == 1) return done();
  for (llvm::Function* region : c.set.regions) simt::narrow_sums(*region, c.analyses);
  return done();
}

llvm::Error run_JoinedStores(Compilation& c) {
  if (c.lanes == 1) return done();
  for (llvm::Function* region : c.set.regions) simt::join_stores(*region, c.analyses);
  return done();
}

llvm::Error run_ChosenBounds(Compilation& c) {
  if (c.lanes == 1) return done();
  for (llvm::Function* region : c.set.regions) simt::split_chosen_bounds(*region, c.analyses);
  return done();
}

llvm::Error run_SettledSides(Compilation& c) {
  if (c.lanes == 1) return done();
  c.lay_out_frame();
  for (llvm::Function* region : c.set.regions)
    simt::settle_sides(*region, c.specialization, c.lanes, [&](unsigned index) { return c.private_stride(index); }, c.analyses);
  return done();
}

llvm::Error run_ClampedWindows(Compilation& c) {
  if (c.lanes == 1) return done();
  c.lay_out_frame();
  for (llvm::Function* region : c.set.regions)
    simt::widen_clamped_windows(*region, c.specialization, c.lanes, [&](unsigned index) { return c.private_stride(index); }, c.analyses);
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

llvm::Error run_CommonIterations(Compilation& c) {
  if (c.lanes == 1) return done();
  c.lay_out_frame();
  for (llvm::Function* region : c.set.regions)
    simt::run_common_iterations_first(*region, c.specialization, c.lanes, [&](unsigned index) { return c.private_stride(index); }, c.analyses);
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
    simt::read_walked_rows(*region, c.specialization, c.lanes, [&](unsigned index) { return c.private_stride(index); }, c.analyses, c.leaves_out);
  return done();
}

/// A function of one lane, in which primitives are calls that LLVM does not know.
static void vectorize_row(Compilation& c, llvm::Function& row) {
  simt::expand_arithmetic_primitives(row, target::vectors());
  codegen::vectorize_loops(row, *c.machine);
}

llvm::Error run_TurnedRows(Compilation& c) {
  if (c.lanes == 1) return done();
  c.lay_out_frame();
  for (llvm::Function* region : c.set.regions)
    for (llvm::Function* row : simt::turn_rows(*region, c.specialization, c.lanes, [&](unsigned index) { return c.private_stride(index); }, c.analyses))
      vectorize_row(c, *row);
  return done();
}

llvm::Error run_TurnedChunks(Compilation& c) {
  if (c.lanes == 1) return done();
  c.lay_out_frame();
  for (llvm::Function* region : c.set.regions)
    for (llvm::Function* row : simt::turn_chunks(*region, c.specialization, c.lanes, [&](unsigned index) { return c.private_stride(index); }, c.analyses))
      vectorize_row(c, *row);
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

llvm::Error run_ThreesAsFours(Compilation& c) {
  if (c.lanes == 1) return done();
  for (llvm::Function* region : c.set.regions)
    if (simt::widen_threes(*region)) c.analyses.invalidate(*region);
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
  if (c.whole_group || c.forced_warps() || !c.specialization.local_size[0]) return done();
  c.lay_out_frame();
  const auto regions = llvm::ArrayRef(c.set.regions).take_front(simt::without_copies(c.set.regions));
  c.coarsen_to(c.stacked ? simt::coarsen_stacked_rows(regions, c.specialization, c.frame, target::vectors())
                         : simt::choose_coarsening(regions, c.specialization, c.frame, target::vectors(), *c.machine, c.analyses));
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

llvm::Error run_CommonSteps(Compilation& c) {
  if (c.lanes == 1) return done();
  c.lay_out_frame();
  for (llvm::Function* region : c.set.regions)
    simt::share_steps(*region, c.specialization, c.lanes, [&](unsigned index) { return c.private_stride(index); }, c.analyses);
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

llvm::Error run_JoinedPlaces(Compilation& c) {
  if (c.lanes == 1) return done();
  for (llvm::Function* region : c.set.regions)
    if (simt::join_places(*region)) c.analyses.invalidate(*region);
  return done();
}

llvm::Error run_WorkerCopies(Compilation& c) {
  c.updated = simt::update_worker_copies(c.set.regions, c.analyses);
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
    packed = simt::choose_packed_values(c.set.regions, c.specialization, c.lanes, target::vectors(), c.frame);
  for (llvm::Function* region : c.set.regions) {
    llvm::Expected<llvm::Function*> wide = simt::widen({.function = *region,
                                                        .specialization = c.specialization,
                                                        .lanes = c.lanes,
                                                        .whole_group = c.whole_group,
                                                        .full_warps = c.full_warps,
                                                        .frame = c.frame,
                                                        .packed = packed,
                                                        .callees = c.callees,
                                                        .traits = target::vectors(),
                                                        .counters = c.specialization.counted ? &c.counters : nullptr},
                                                       c.control);
    if (!wide) return wide.takeError();
    c.analyses.functions().clear(*region, region->getName());
    c.wide.push_back(*wide);
  }
  for (llvm::Function* region : c.set.regions) region->eraseFromParent();
  if (c.is_call) return done();  // their callers' callers may have more to make of them
  for (llvm::Function& function : c.module)
    if (!function.isDeclaration() && simt::is_kept_call(function)) simt::expand_arithmetic_primitives(function, target::vectors());
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

llvm::Error run_GroupPairs(Compilation& c) {
  const auto& size = c.specialization.local_size;
  if (!c.local_bytes || c.wide.size() > 1 || c.run > 1 || c.fill || c.frame.bytes || size[0] * size[1] * size[2] != 1) return done();
  // A worker's copy is added to without atomics, by each group for itself: what both would load alike is not the same.
  if (!c.updated.empty()) return done();
  c.in_pairs = simt::can_run_as_pairs(*c.wide.front(), *c.local_bytes) && (c.control.options().pairs || simt::pays_as_pairs(*c.wide.front()));
  if (c.in_pairs) c.run = 2;
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
  const simt::Runs runs = c.in_phases ? simt::Runs::kPhases : c.in_pairs ? simt::Runs::kPairs : c.run > 1 ? simt::Runs::kRows : simt::Runs::kOne;
  const std::string name = c.kernel + ".group" + std::string(c.leaves_out ? kSoonerCode : "");
  const simt::GroupFunction made = simt::make_group_function(c.module, name, c.wide, c.specialization, c.lanes, c.frame, runs, c.local_bytes.value_or(0));
  c.group = made.function;
  llvm::AlwaysInlinerPass(/*InsertLifetimeIntrinsics=*/true).run(c.module, c.analyses.modules());
  if (made.group_id) simt::number_groups(*c.group, *made.group_id);
  if (c.stacked) {
    codegen::keep_order(*c.group);
    // Those that stay functions of their own.
    for (llvm::Function* region : c.wide) codegen::keep_order(*region);
  }
  if (c.flushes_denormals) simt::flush_denormals(*c.group, c.machine->getMCSubtargetInfo()->checkFeatures("+f16c"));
  for (llvm::Function* region : c.wide)
    if (region->use_empty()) region->eraseFromParent();
  if (made.pair) made.pair->eraseFromParent();
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
