// Strategy "lane-loop".
// Matches: all that is left: atomic accesses, aggregates, and OpenCL vectors with gaps between their elements, as of i1.
// Costs: an access for each live lane, in a loop over them (lane_loop.h), which leaves the remark.
#include "compiler/simt/widen/lane_loop.h"
#include "compiler/simt/widen/memory/strategies.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

std::optional<AccessPlan> plan_lane_loop(Widening& w, const Access& access) {
  AccessPlan plan{.cost = w.lanes, .emit = {}, .fall_back = {}};
  plan.emit = [&w, &access] { return lane_loop(w, access.instruction); };
  return plan;
}

}  // namespace weft::compiler::simt
