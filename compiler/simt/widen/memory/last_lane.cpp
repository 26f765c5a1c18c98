// Strategy "last-lane-store".
// Matches: a store by all lanes to one address. The value of the last live lane is the one that stays.
// Costs: one store.
#include "compiler/simt/widen/memory/strategies.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

std::optional<AccessPlan> plan_last_lane_store(Widening& w, const Access& access) {
  if (access.is_load() || !w.is_uniform(access.pointer)) return std::nullopt;
  AccessPlan plan{.cost = 1, .emit = {}, .fall_back = {}};
  plan.emit = [&w, &access] {
    Value* pointer = w.values.uniform(access.pointer);
    Value* last =
        w.is_uniform(access.value) ? w.values.uniform(access.value) : w.values.in_live_lane(access.value, llvm::Intrinsic::ctlz);
    copy_alias_metadata(*w.builder.CreateAlignedStore(last, pointer, access.align, access.is_volatile), access.instruction);
    return Parts{};
  };
  return plan;
}

}  // namespace weft::compiler::simt
