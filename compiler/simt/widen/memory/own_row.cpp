// Strategy "own-row".
// Matches: all lanes access one index of a private variable whose lanes lie side by side (interleave.h). Lanes that are not live
// have memory there, too, which nothing else uses, so no mask is needed.
// Costs: the registers of a row; a store under a mask loads the row first.
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/widen/memory/strategies.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

/// Of the variables themselves, as WideValues makes them.
const llvm::Align kVariableAlign(64);

Value* load_row(Widening& w, const Access& access, llvm::Align align) {
  auto* row = llvm::FixedVectorType::get(access.element, w.lanes * access.count);
  return w.builder.CreateAlignedLoad(row, w.values.scalar_at(access.pointer, 0), align, access.instruction.getName());
}

void store_row(Widening& w, const Access& access, llvm::Align align) {
  Value* value = w.values.as_in_memory(access.value);
  Value* row = w.values.scalar_at(access.pointer, 0);
  if (Value* live = w.mask.segment(0, w.lanes, access.count))
    value = w.builder.CreateSelect(live, value, w.builder.CreateAlignedLoad(value->getType(), row, align));
  w.builder.CreateAlignedStore(value, row, align);
}

}  // namespace

std::optional<AccessPlan> plan_own_row(Widening& w, const Access& access) {
  const std::uint64_t unit = interleaved_unit(access.instruction);
  // Addresses that are checked at run time go the general way.
  const Shape shape = w.shape(access.pointer);
  if (!unit || !access.bits || !access.is_contiguous() || shape.checked || shape.segment != w.lanes ||
      shape.stride != static_cast<std::int64_t>(unit))
    return std::nullopt;
  AccessPlan plan{.cost = registers_of(w, access), .emit = {}, .fall_back = {}};
  if (!access.is_load() && w.mask) plan.cost *= 2;
  plan.emit = [&w, &access, align = llvm::commonAlignment(kVariableAlign, unit * w.lanes)]() -> Parts {
    if (access.is_load()) return {load_row(w, access, align)};
    store_row(w, access, align);
    return {};
  };
  return plan;
}

}  // namespace weft::compiler::simt
