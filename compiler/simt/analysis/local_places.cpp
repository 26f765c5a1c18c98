#include "compiler/simt/analysis/local_places.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>

#include "compiler/simt/ir/primitives.h"

namespace weft::compiler::simt {

using llvm::Value;

bool LocalPlaces::is_base(const Value& value) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&value);
  return load && load->hasMetadata(primitive::kLocalMetadata);
}

const LocalPlaces::Place* LocalPlaces::of(const Value& pointer) {
  if (const auto known = places_.find(&pointer); known != places_.end()) return known->second.get();
  auto& result = places_[&pointer];
  if (const auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(&pointer); cast && is_base(*cast->getOperand(0))) {
    result = std::make_unique<Place>(Place{nullptr, std::vector<std::int64_t>(values_.lanes(), 0)});
    return result.get();
  }
  const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&pointer);
  const Place* from = gep ? of(*gep->getPointerOperand()) : nullptr;
  if (!from) return nullptr;
  Place place = *from;
  if (gep->getNumIndices() == 1 && is_base(*gep->idx_begin()->get())) {
    if (place.object) return nullptr;
    place.object = gep->idx_begin()->get();
    return (places_[&pointer] = std::make_unique<Place>(std::move(place))).get();
  }
  llvm::MapVector<Value*, llvm::APInt> variables;
  llvm::APInt constant(64, 0);
  if (!gep->collectOffset(layout_, 64, variables, constant)) return nullptr;
  for (std::int64_t& offset : place.offsets) offset += constant.getSExtValue();
  for (const auto& [variable, scale] : variables) {
    const LaneValues::Lanes* lanes = values_.of(*variable);
    if (!lanes) return nullptr;
    const unsigned width = variable->getType()->getIntegerBitWidth();
    for (unsigned lane = 0; lane < values_.lanes(); ++lane)
      place.offsets[lane] += llvm::APInt(width, (*lanes)[lane]).getSExtValue() * scale.getSExtValue();
  }
  return (places_[&pointer] = std::make_unique<Place>(std::move(place))).get();
}

}  // namespace weft::compiler::simt
