#include "compiler/simt/widen/memory/strategies.h"

#include <algorithm>

#include "compiler/passes/pass_list.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/widen/memory/lane_by_lane.h"
#include "compiler/simt/widen/memory/texels.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {
namespace {

using passes::Pass;

struct MemoryStrategy {
  Pass pass;
  std::optional<AccessPlan> (*plan)(Widening& w, const Access& access);
  bool takes_plain = true;     ///< accesses that are neither of the next two
  bool takes_rows = false;     ///< Access::is_row
  bool takes_atomics = false;  ///< Access::is_atomic
};

/// In order.
constexpr MemoryStrategy kStrategies[] = {
    {Pass::kLastLaneStore, plan_last_lane_store},
    {Pass::kOwnRow, plan_own_row},
    {.pass = Pass::kFieldRows, .plan = plan_field_row, .takes_plain = false, .takes_rows = true},
    {Pass::kContiguous, plan_contiguous},
    {Pass::kStrided, plan_strided},
    {Pass::kOverlappingLanes, plan_overlapping_lanes},
    {Pass::kFewLanes, plan_few_lanes},
    {Pass::kCheckedShapes, plan_checked_shape},
    {Pass::kFlippedLanes, plan_flipped_lanes},
    {Pass::kLanePatterns, plan_lane_pattern},
    {Pass::kTiledAccess, plan_tiled},
    {Pass::kLaneRuns, plan_lane_runs},
    {Pass::kTexelWindow, plan_texel_window},
    {Pass::kNeighbours, plan_neighbours},
    {Pass::kTwoRows, plan_two_rows},
    {Pass::kTwoPlaces, plan_two_places},
    {Pass::kRowPieces, plan_row_pieces},
    {Pass::kSpacedLanes, plan_spaced_lanes},
    {Pass::kRanked, plan_ranked},
    {Pass::kTablePermutes, plan_table_permutes},
    {Pass::kBoundedWindow, plan_bounded_window},
    {Pass::kGather, plan_gather},
    {Pass::kGatherParts, plan_gather_parts},
    {Pass::kLaneByLane, plan_lane_by_lane},
    {.pass = Pass::kLaneLoop, .plan = plan_lane_loop, .takes_atomics = true},
};
static_assert(std::ranges::is_sorted(kStrategies, {}, &MemoryStrategy::pass), "in the order of passes.def");

bool takes(const MemoryStrategy& strategy, const Access& access) {
  if (access.is_atomic) return strategy.takes_atomics;
  return access.is_row ? strategy.takes_rows : strategy.takes_plain;
}

/// The plan for `access`, which fails where there is none.
AccessPlan need_plan(Widening& w, const Access& access, std::optional<AccessPlan> plan) {
  if (plan) return std::move(*plan);
  const bool is_no_row = access.is_row && w.control.is_on(Pass::kFieldRows);
  w.fail(access.instruction, is_no_row ? "a row of structs that do not lie side by side" : "no strategy is left for this access");
  AccessPlan poison;
  poison.emit = [&w, &access] {
    Parts parts;
    if (access.is_load())
      for (llvm::Type* type : w.components(access.type)) parts.push_back(llvm::PoisonValue::get(w.wide(type)));
    return parts;
  };
  return poison;
}

Parts widen_access(Widening& w, const Access& access) {
  AccessPlan plan = need_plan(w, access, plan_access(w, access));
  // Of what is usual: a window serves lanes that meet a bound.
  const bool is_along_row = plan.pass <= Pass::kLanePatterns || plan.pass == Pass::kLaneRuns || plan.pass == Pass::kBoundedWindow;
  if (!is_along_row && access.pointer->getType()->getPointerAddressSpace() != kPrivateSpace)
    w.function.addFnAttr(primitive::kScatteredAttribute);
  if (!plan.fall_back.empty() && w.control.options().remarks)
    w.control.remark(&access.instruction,
                     describe(w, access) + ": " + plan.fall_back + " (" + llvm::Twine(plan.cost) + " memory accesses)");
  w.memory.way = w.builder.GetInsertBlock();
  return plan.emit();
}

}  // namespace

std::optional<AccessPlan> plan_access(Widening& w, const Access& access, std::optional<Pass> before) {
  for (const MemoryStrategy& strategy : kStrategies) {
    if (before && strategy.pass >= *before) break;
    if (!takes(strategy, access) || !w.control.is_on(strategy.pass)) continue;
    if (std::optional<AccessPlan> plan = strategy.plan(w, access)) {
      plan->pass = strategy.pass;
      return plan;
    }
  }
  return std::nullopt;
}

std::optional<AccessPlan> plan_access_after(Widening& w, const Access& access, Pass after) {
  for (const MemoryStrategy& strategy : kStrategies) {
    if (strategy.pass <= after || !takes(strategy, access) || !w.control.is_on(strategy.pass)) continue;
    if (std::optional<AccessPlan> plan = strategy.plan(w, access)) return plan;
  }
  return std::nullopt;
}

Parts emit_otherwise(Widening& w, Access access, bool is_seldom) {
  access.shape = Shape::varying();
  access.is_seldom = is_seldom;
  // Both ways have to give OpenCL vectors in one form, which is not that of row-pieces.
  std::optional<AccessPlan> plan = plan_access(w, access, Pass::kRowPieces);
  return need_plan(w, access, plan ? std::move(plan) : plan_access_after(w, access, Pass::kRowPieces)).emit();
}

const llvm::LoopInfo& scalar_loops(Widening& w) {
  if (!w.memory.loops) {
    w.memory.dominators = std::make_unique<llvm::DominatorTree>(w.scalar);
    w.memory.loops = std::make_unique<llvm::LoopInfo>(*w.memory.dominators);
  }
  return *w.memory.loops;
}

void prepare_memory(Widening& w) {
  w.memory.block = lane_block(w.request.specialization, w.lanes);
  if (w.memory.block && w.control.is_on(Pass::kTiledAccess)) w.memory.tiled.emplace(*w.memory.block, w.shapes, w.layout);
  w.memory.has_few_lists = w.control.is_on(Pass::kNeighbours) && has_few_lists(w);
  w.memory.with_loops_over_lanes = blocks_with_loops_over_lanes(w);
}

void widen_load(Widening& w, llvm::LoadInst& load) {
  Parts parts = widen_access(w, Access(w, load));
  if (load.getType()->isVectorTy() && parts.size() == 1) return w.values.set_packed(load, parts.front());
  w.values.set_vector(load, std::move(parts));
}

void widen_store(Widening& w, llvm::StoreInst& store) {
  widen_access(w, Access(w, store));
}

}  // namespace weft::compiler::simt
