#include "compiler/simt/analysis/buffer_places.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <cstddef>
#include <string>

#include "device/kernel_abi.h"

namespace weft::compiler::simt {
namespace {

using llvm::GetElementPtrInst;
using llvm::Value;

/// Bytes: far less than an index that has wrapped around is away from 0.
constexpr std::uint64_t kMostConstant = 1 << 20;

/// Offsets in the launch's arguments, with commas.
constexpr llvm::StringLiteral kStartsAttribute = "weft-starts";

/// What `pointer` points to, and how far behind it that lies.
std::pair<const Value*, std::uint64_t> base_of(const Value& pointer, const llvm::DataLayout& layout) {
  llvm::APInt offset(64, 0);
  const Value* base = pointer.stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  return {base, offset.getZExtValue()};
}

bool adds_constant(const GetElementPtrInst& place) {
  llvm::APInt offset(64, 0);
  return place.accumulateConstantOffset(place.getModule()->getDataLayout(), offset) && offset.abs().ult(kMostConstant);
}

/// Whether work-items that get to `pointer` access what it points to before anything else: as a rule a loop that goes on from there.
bool is_accessed_at_once(const llvm::PHINode& pointer) {
  return llvm::any_of(*pointer.getParent(), [&](const llvm::Instruction& access) { return llvm::getLoadStorePointerOperand(&access) == &pointer; });
}

/// Whether `place`, and what is a constant away, are only accessed, if need be by a loop's first iteration.
bool is_only_accessed(const GetElementPtrInst& place) {
  return llvm::all_of(place.users(), [&](const llvm::User* user) {
    if (llvm::getLoadStorePointerOperand(user) == &place)
      return !llvm::isa<llvm::StoreInst>(user) || llvm::cast<llvm::StoreInst>(user)->getValueOperand() != &place;
    if (const auto* pointer = llvm::dyn_cast<llvm::PHINode>(user)) return is_accessed_at_once(*pointer);
    const auto* next = llvm::dyn_cast<GetElementPtrInst>(user);
    return next && next->getPointerOperand() == &place && adds_constant(*next) && is_only_accessed(*next);
  });
}

}  // namespace

void add_buffer_start(llvm::Function& item, std::uint64_t offset) {
  const llvm::StringRef known = item.getFnAttribute(kStartsAttribute).getValueAsString();
  item.addFnAttr(kStartsAttribute, known.empty() ? std::to_string(offset) : (known + "," + std::to_string(offset)).str());
}

bool is_buffer_start(const Value& value) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&value);
  const llvm::StringRef starts = load ? load->getFunction()->getFnAttribute(kStartsAttribute).getValueAsString() : "";
  if (starts.empty()) return false;
  const llvm::DataLayout& layout = load->getDataLayout();
  const auto [block, offset] = base_of(*load->getPointerOperand(), layout);
  const auto* arguments = llvm::dyn_cast<llvm::LoadInst>(block);
  if (!arguments || base_of(*arguments->getPointerOperand(), layout) !=
                        std::pair<const Value*, std::uint64_t>(load->getFunction()->getArg(0), offsetof(abi::LaunchInfo, arguments)))
    return false;
  llvm::SmallVector<llvm::StringRef, 8> offsets;
  starts.split(offsets, ',');
  return llvm::is_contained(offsets, std::to_string(offset));
}

bool is_place_in_buffer(const llvm::Instruction& index) {
  return !index.use_empty() && llvm::all_of(index.users(), [&](const llvm::User* user) {
    const auto* place = llvm::dyn_cast<GetElementPtrInst>(user);
    if (!place || place->getType()->isVectorTy()) return false;
    const Value* start = place->getPointerOperand();
    if (const auto* before = llvm::dyn_cast<GetElementPtrInst>(start); before && adds_constant(*before)) start = before->getPointerOperand();
    llvm::MapVector<Value*, llvm::APInt> parts;
    llvm::APInt offset(64, 0);
    if (!is_buffer_start(*start) || !place->collectOffset(place->getModule()->getDataLayout(), 64, parts, offset)) return false;
    const bool is_alone = parts.size() == 1 && parts.front().first == &index && parts.front().second.isStrictlyPositive();
    return is_alone && offset.abs().ult(kMostConstant) && is_only_accessed(*place);
  });
}

bool has_places(const llvm::Argument& argument) {
  return llvm::any_of(argument.users(), [](const llvm::User* user) {
    const auto* place = llvm::dyn_cast<GetElementPtrInst>(user);
    return place && llvm::any_of(place->indices(), [](const llvm::Use& index) {
      const auto* operation = llvm::dyn_cast<llvm::Instruction>(index.get());
      if (const auto* extension = llvm::dyn_cast<llvm::ZExtInst>(index.get())) return !extension->hasNonNeg();
      return operation && (operation->getOpcode() == llvm::Instruction::SExt || operation->getOpcode() == llvm::Instruction::AShr);
    });
  });
}

}  // namespace weft::compiler::simt
