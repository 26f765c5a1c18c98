#include "compiler/simt/widen/lane_mask.h"

#include "compiler/simt/widen/emitter.h"

namespace weft::compiler::simt {

using llvm::Value;

void LaneMask::set(Value* lanes, bool is_prefix) {
  lanes_ = lanes;
  is_prefix_ = is_prefix;
}

Value* LaneMask::bits() const {
  return emitter_.builder.CreateBitCast(lanes_, emitter_.builder.getIntNTy(emitter_.lanes));
}

Value* LaneMask::segment(unsigned first, unsigned count, unsigned components) const {
  if (!lanes_) return nullptr;
  if (count == emitter_.lanes && components == 1) return lanes_;
  llvm::SmallVector<int, 128> chosen;
  for (unsigned lane = first; lane < first + count; ++lane) chosen.append(components, static_cast<int>(lane));
  return emitter_.builder.CreateShuffleVector(lanes_, chosen);
}

std::optional<unsigned> LaneMask::known_prefix() const {
  if (!lanes_) return emitter_.lanes;
  const auto live = known_lanes();
  if (!live || (!live->empty() && live->back() + 1 != live->size())) return {};
  return static_cast<unsigned>(live->size());
}

std::optional<llvm::SmallVector<unsigned, 16>> LaneMask::known_lanes() const {
  const auto* mask = llvm::dyn_cast_or_null<llvm::Constant>(lanes_);
  if (!mask) return {};
  llvm::SmallVector<unsigned, 16> live;
  for (unsigned lane = 0; lane < emitter_.lanes; ++lane) {
    const auto* bit = llvm::dyn_cast_or_null<llvm::ConstantInt>(mask->getAggregateElement(lane));
    if (!bit) return {};
    if (bit->isOne()) live.push_back(lane);
  }
  return live;
}

}  // namespace weft::compiler::simt
