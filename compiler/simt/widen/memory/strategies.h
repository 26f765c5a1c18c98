// Ways to widen loads and stores, in the order in which they are tried.
//
// The list is in strategies.cpp, a line each, in the order of their lines in passes.def (scope Widening). The first one that is
// not left out and takes an access widens it. To add one: a line in passes.def, a function plan_... in a file of its own, a line
// in the list. An access in one lane's code becomes one or more for all lanes, none of which touches memory for a lane that is
// off, and all of which are done before the next instruction begins.
#pragma once

#include <optional>
#include <string>

#include <llvm/ADT/FunctionExtras.h>

#include "compiler/passes/pass_control.h"
#include "compiler/simt/widen/emitter.h"
#include "compiler/simt/widen/memory/access.h"

namespace llvm {
class LoopInfo;
}

namespace weft::compiler::simt {

class Widening;

/// What a strategy answers for an access that it takes.
struct AccessPlan {
  /// Accesses to memory that the code makes for the W lanes, a vector register at most each and an element of a gather one: an
  /// estimate, for the case that is usual where the code has several ways.
  unsigned cost = 0;
  /// Emits the code. A load gives one vector of W lanes, of an OpenCL vector the packed form, or else a vector for each
  /// component. A store gives nothing. To be called at most once, while the access lives.
  llvm::unique_function<Parts()> emit;
  /// The strategy's.
  passes::Pass pass{};
  /// Says, of a fall-back, what is done in place of vector accesses: "gather". Becomes a remark.
  std::string fall_back;
};

/// The plan of the first strategy that takes `access` and is not left out; where `before` is given, of those in front of it alone.
std::optional<AccessPlan> plan_access(Widening& w, const Access& access, std::optional<passes::Pass> before = std::nullopt);
/// Of those behind `after`.
std::optional<AccessPlan> plan_access_after(Widening& w, const Access& access, passes::Pass after);

/// `access` by a fall-back: for a way that is taken only where the lanes do not lie as a strategy needs them. Where that is seldom, in short
/// code.
Parts emit_otherwise(Widening& w, Access access, bool is_seldom = true);

/// The loops of the scalar code, found where they are asked for first, with its dominators (MemoryState).
const llvm::LoopInfo& scalar_loops(Widening& w);

/// To be called once, before any of the following.
void prepare_memory(Widening& w);
void widen_load(Widening& w, llvm::LoadInst& load);
void widen_store(Widening& w, llvm::StoreInst& store);

// The strategies. What each matches and costs is in its file. One that does not match answers nothing, and emits no code.
std::optional<AccessPlan> plan_last_lane_store(Widening& w, const Access& access);
std::optional<AccessPlan> plan_own_row(Widening& w, const Access& access);
std::optional<AccessPlan> plan_field_row(Widening& w, const Access& access);
std::optional<AccessPlan> plan_contiguous(Widening& w, const Access& access);
std::optional<AccessPlan> plan_strided(Widening& w, const Access& access);
std::optional<AccessPlan> plan_overlapping_lanes(Widening& w, const Access& access);
std::optional<AccessPlan> plan_few_lanes(Widening& w, const Access& access);
std::optional<AccessPlan> plan_checked_shape(Widening& w, const Access& access);
std::optional<AccessPlan> plan_flipped_lanes(Widening& w, const Access& access);
std::optional<AccessPlan> plan_lane_pattern(Widening& w, const Access& access);
std::optional<AccessPlan> plan_tiled(Widening& w, const Access& access);
std::optional<AccessPlan> plan_lane_runs(Widening& w, const Access& access);
std::optional<AccessPlan> plan_texel_window(Widening& w, const Access& access);
std::optional<AccessPlan> plan_bounded_window(Widening& w, const Access& access);
std::optional<AccessPlan> plan_neighbours(Widening& w, const Access& access);
std::optional<AccessPlan> plan_two_rows(Widening& w, const Access& access);
std::optional<AccessPlan> plan_two_places(Widening& w, const Access& access);
std::optional<AccessPlan> plan_row_pieces(Widening& w, const Access& access);
std::optional<AccessPlan> plan_spaced_lanes(Widening& w, const Access& access);
std::optional<AccessPlan> plan_ranked(Widening& w, const Access& access);
std::optional<AccessPlan> plan_table_permutes(Widening& w, const Access& access);
std::optional<AccessPlan> plan_gather(Widening& w, const Access& access);
std::optional<AccessPlan> plan_gather_parts(Widening& w, const Access& access);
std::optional<AccessPlan> plan_lane_by_lane(Widening& w, const Access& access);
std::optional<AccessPlan> plan_lane_loop(Widening& w, const Access& access);

}  // namespace weft::compiler::simt
