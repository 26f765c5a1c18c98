#include "compiler/simt/analysis/lane_repeats.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/IntrinsicInst.h>

#include <bit>

#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/primitives.h"

namespace weft::compiler::simt {
namespace {

using llvm::Value;

/// What a value follows from, beyond which it is not looked at.
constexpr unsigned kMostValues = 64;

/// Of a call that gives an id.
unsigned period_of_id(const Specialization& specialization, unsigned lanes, llvm::StringRef name) {
  const auto& size = specialization.local_size;
  unsigned period = 1;
  for (int d = 0; d <= name.back() - 'x'; ++d) period *= size[static_cast<unsigned>(d)];
  return period && std::has_single_bit(period) && lanes % period == 0 ? period : lanes;
}

bool is_id(llvm::StringRef name) {
  for (const llvm::StringRef prefix : {llvm::StringRef(primitive::kLocalId), llvm::StringRef(primitive::kGlobalId)})
    if (name.starts_with(prefix) && name.size() == prefix.size() + 1) return true;
  return false;
}

}  // namespace

unsigned repeats_after(const Value& value, const Shapes& shapes, const Specialization& specialization) {
  const unsigned lanes = shapes.lanes();
  // From the best that could be, until nothing changes: loops' values follow from themselves.
  llvm::MapVector<const llvm::Instruction*, unsigned> periods;
  const auto period = [&](const Value& of) -> unsigned {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&of);
    if (!instruction || shapes.is_uniform(*instruction)) return 1;
    return periods.insert({instruction, 1}).first->second;
  };
  period(value);
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned i = 0; i < periods.size(); ++i) {
      if (periods.size() > kMostValues) return lanes;
      const llvm::Instruction* instruction = periods.begin()[i].first;
      const llvm::StringRef name = called_name(*instruction);
      unsigned now = 1;
      if (!name.empty() && is_id(name)) {
        now = period_of_id(specialization, lanes, name);
      } else if (is_source_of_divergence(*instruction) ||
                 (!name.empty() && !llvm::isa<llvm::IntrinsicInst>(instruction) && !is_arithmetic_primitive(*instruction))) {
        now = lanes;
      } else {
        for (const Value* operand : instruction->operand_values()) now = std::max(now, period(*operand));
      }
      if (now == periods.begin()[i].second) continue;
      if (now == lanes && instruction == &value) return lanes;
      periods.begin()[i].second = now;
      changed = true;
    }
  }
  return period(value);
}

}  // namespace weft::compiler::simt
