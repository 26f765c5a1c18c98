#include "compiler/simt/analysis/buffer_places.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace weft::compiler::simt {
namespace {

using llvm::GetElementPtrInst;
using llvm::Value;

/// Bytes: far less than an index that has wrapped around is away from 0.
constexpr std::uint64_t kMostConstant = 1 << 20;

bool is_start(const Value& pointer) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&pointer);
  return load && load->hasMetadata(kStartMetadata);
}

bool adds_constant(const GetElementPtrInst& place) {
  llvm::APInt offset(64, 0);
  return place.accumulateConstantOffset(place.getModule()->getDataLayout(), offset) && offset.abs().ult(kMostConstant);
}

/// Whether `place`, and what is a constant away, are only accessed.
bool is_only_accessed(const GetElementPtrInst& place) {
  return llvm::all_of(place.users(), [&](const llvm::User* user) {
    if (llvm::getLoadStorePointerOperand(user) == &place)
      return !llvm::isa<llvm::StoreInst>(user) || llvm::cast<llvm::StoreInst>(user)->getValueOperand() != &place;
    const auto* next = llvm::dyn_cast<GetElementPtrInst>(user);
    return next && next->getPointerOperand() == &place && adds_constant(*next) && is_only_accessed(*next);
  });
}

}  // namespace

bool is_place_in_buffer(const llvm::Instruction& index) {
  return !index.use_empty() && llvm::all_of(index.users(), [&](const llvm::User* user) {
    const auto* place = llvm::dyn_cast<GetElementPtrInst>(user);
    if (!place || place->getType()->isVectorTy()) return false;
    const Value* start = place->getPointerOperand();
    if (const auto* before = llvm::dyn_cast<GetElementPtrInst>(start); before && adds_constant(*before)) start = before->getPointerOperand();
    llvm::MapVector<Value*, llvm::APInt> parts;
    llvm::APInt offset(64, 0);
    if (!is_start(*start) || !place->collectOffset(place->getModule()->getDataLayout(), 64, parts, offset)) return false;
    const bool is_alone = parts.size() == 1 && parts.front().first == &index && parts.front().second.isStrictlyPositive();
    return is_alone && offset.abs().ult(kMostConstant) && is_only_accessed(*place);
  });
}

bool has_places(const llvm::Argument& argument) {
  return llvm::any_of(argument.users(), [](const llvm::User* user) {
    const auto* place = llvm::dyn_cast<GetElementPtrInst>(user);
    return place && llvm::any_of(place->indices(), [](const llvm::Use& index) {
      const auto* operation = llvm::dyn_cast<llvm::Instruction>(index.get());
      return operation && (operation->getOpcode() == llvm::Instruction::SExt || operation->getOpcode() == llvm::Instruction::AShr);
    });
  });
}

}  // namespace weft::compiler::simt
