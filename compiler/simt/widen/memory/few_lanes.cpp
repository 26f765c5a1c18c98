// Strategy "few-lanes".
// Matches: numbers that few lanes access, all of which the compiler knows: the rim of a tile that `if (get_local_id(0) == 0)` reads in
// groups of 16x16 is lanes 0 and 16 of a warp. A gather or scatter takes as long for one lane as for all.
// Costs: an access for each of those lanes.
#include <llvm/IR/Module.h>

#include "compiler/simt/widen/memory/strategies.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

/// Of a body's lanes, one in so many at most: then their accesses take less time than a gather or scatter of all.
constexpr unsigned kFewLanesOneIn = 4;

}  // namespace

std::optional<AccessPlan> plan_few_lanes(Widening& w, const Access& access) {
  if (access.is_volatile || access.is_seldom || access.type->isVectorTy() || !access.bits) return std::nullopt;
  auto live = w.mask.known_lanes();
  if (!live || kFewLanesOneIn * live->size() > w.lanes) return std::nullopt;
  AccessPlan plan{.cost = static_cast<unsigned>(live->size()), .emit = {}, .fall_back = {}};
  plan.emit = [&w, &access, live = std::move(*live)]() -> Parts {
    Value* loaded = access.is_load() ? llvm::PoisonValue::get(w.wide(access.type)) : nullptr;
    for (const unsigned lane : live) {
      Value* pointer = w.values.value_in_lane(access.pointer, lane);
      llvm::Instruction* made = nullptr;
      if (loaded) {
        made = w.builder.CreateAlignedLoad(access.type, pointer, access.align, access.instruction.getName());
        loaded = w.builder.CreateInsertElement(loaded, made, lane);
      } else {
        made = w.builder.CreateAlignedStore(w.values.value_in_lane(access.value, lane), pointer, access.align);
      }
      copy_alias_metadata(*made, access.instruction);
    }
    return loaded ? Parts{loaded} : Parts{};
  };
  return plan;
}

}  // namespace weft::compiler::simt
