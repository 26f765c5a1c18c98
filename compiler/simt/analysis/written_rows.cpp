#include "compiler/simt/analysis/written_rows.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/simt/analysis/item_steps.h"
#include "compiler/simt/analysis/struct_access.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/primitives.h"

namespace weft::compiler::simt {
namespace {

/// From group to group along y, in bytes: more would be another column.
constexpr std::int64_t kLongestStep = 4096;

using Stores = llvm::SmallVector<const llvm::StoreInst*, 8>;

/// A call that does more than arithmetic or waiting for the group.
bool may_access_memory(const llvm::CallInst& call) {
  return call.mayReadOrWriteMemory() && !llvm::isa<llvm::DbgInfoIntrinsic>(call) && !call.isLifetimeStartOrEnd() &&
         !is_barrier(call);
}

const llvm::Value* object_of(const llvm::Instruction& access) {
  return llvm::getUnderlyingObject(llvm::getLoadStorePointerOperand(&access), 0);
}

std::int64_t bytes_of(const llvm::StoreInst& store) {
  return static_cast<std::int64_t>(store.getDataLayout().getTypeStoreSize(store.getValueOperand()->getType()).getFixedValue());
}

FieldBase base(const llvm::StoreInst& store) {
  std::int64_t offset = 0;
  return base_of(*store.getPointerOperand(), store.getDataLayout(), offset);
}

/// Whether all accesses to memory beyond the group's own are plain and outside of loops.
bool goes_once(const llvm::Function& kernel) {
  llvm::SmallVector<std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>, 4> back;
  llvm::FindFunctionBackedges(kernel, back);
  llvm::DominatorTree dominators;
  llvm::LoopInfo loops;
  if (!back.empty()) {
    dominators.recalculate(const_cast<llvm::Function&>(kernel));
    loops.analyze(dominators);
  }
  return llvm::all_of(llvm::instructions(kernel), [&](const llvm::Instruction& instruction) {
    if (instruction.isAtomic()) return false;
    if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) return !may_access_memory(*call);
    const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (!pointer) return true;
    const unsigned space = pointer->getType()->getPointerAddressSpace();
    return space != kGenericSpace && (space != kGlobalSpace || !loops.getLoopFor(instruction.getParent()));
  });
}

/// Bytes that a work-item writes; 0 if some lie otherwise than streamed_bytes says.
std::int64_t bytes_beside_each_other(const llvm::Function& kernel, const Stores& stores) {
  llvm::SmallPtrSet<const llvm::Value*, 8> read;
  for (const llvm::Instruction& instruction : llvm::instructions(kernel))
    if (llvm::isa<llvm::LoadInst>(instruction)) read.insert(object_of(instruction));
  for (const llvm::StoreInst* store : stores)
    if (!llvm::isa<llvm::Argument>(object_of(*store)) || read.contains(object_of(*store))) return 0;
  const ItemSteps along_x(kernel, 0, StepScope::kWithinGroup);
  std::optional<ItemSteps> along_y;
  std::int64_t bytes = 0;
  for (const llvm::StoreInst* store : stores) {
    const std::int64_t own = bytes_of(*store);
    bytes += own;
    Step step = along_x.of(store->getPointerOperand());
    std::int64_t together = 0;  // with others of the work-item, as an element's fields
    std::int64_t fields = 0;    // with others that are constants apart: one of several structs that the work-item writes
    for (const llvm::StoreInst* other : stores) {
      if (object_of(*other) != object_of(*store) || along_x.of(other->getPointerOperand()) != step) continue;
      together += bytes_of(*other);
      if (base(*other) == base(*store)) fields += bytes_of(*other);
    }
    if (step.kind == Step::kBy && (step.local == own || step.local == together || step.local == fields)) continue;
    if (step.kind != Step::kFar) return 0;
    if (!along_y) along_y.emplace(kernel, 1, StepScope::kWithinGroup);
    step = along_y->of(store->getPointerOperand());
    if (step.kind != Step::kBy || step.local != own) return 0;
  }
  return bytes;
}

/// Bytes that a work-item reads of arrays, of each no more than the `written` ones but where one element is more: neighbours read the same.
std::int64_t bytes_read(const llvm::Function& kernel, std::int64_t written) {
  const ItemSteps along_x(kernel, 0, StepScope::kWithinGroup);
  using Place = std::pair<const llvm::Value*, FieldBase>;
  llvm::SmallVector<std::pair<Place, std::int64_t>, 8> places;
  for (const llvm::Instruction& instruction : llvm::instructions(kernel)) {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (!load || load->getPointerAddressSpace() == kLocalSpace || !llvm::isa<llvm::Argument>(object_of(*load))) continue;
    const Step step = along_x.of(load->getPointerOperand());
    if (step.kind == Step::kSame || step.kind == Step::kGroup) continue;
    const auto own = static_cast<std::int64_t>(load->getDataLayout().getTypeStoreSize(load->getType()).getFixedValue());
    std::int64_t offset = 0;
    const Place place{object_of(*load), base_of(*load->getPointerOperand(), load->getDataLayout(), offset)};
    const std::int64_t bytes = step.kind == Step::kBy && step.local != 0 ? std::abs(step.local) : own;
    const auto known = llvm::find_if(places, [&](const auto& other) { return other.first == place; });
    if (known == places.end())
      places.emplace_back(place, bytes);
    else
      known->second = std::max(known->second, bytes);
  }
  llvm::SmallMapVector<const llvm::Value*, std::pair<std::int64_t, std::int64_t>, 4> arrays;  // all places, and the largest
  for (const auto& [place, bytes] : places) {
    auto& [all, largest] = arrays[place.first];
    all += bytes;
    largest = std::max(largest, bytes);
  }
  std::int64_t sum = 0;
  for (const auto& [array, bytes] : arrays) sum += std::min(bytes.first, std::max(bytes.second, written));
  return sum;
}

bool goes_down_columns(const llvm::Function& kernel, const Stores& stores) {
  const ItemSteps along_x(kernel, 0, StepScope::kBetweenGroups);
  if (!llvm::all_of(stores, [&](const llvm::StoreInst* store) { return along_x.of(store->getPointerOperand()).kind == Step::kFar; }))
    return false;
  const ItemSteps along_y(kernel, 1, StepScope::kBetweenGroups);
  return llvm::all_of(stores, [&](const llvm::StoreInst* store) {
    const Step step = along_y.of(store->getPointerOperand());
    return step.kind == Step::kBy && std::abs(step.group) <= kLongestStep;
  });
}

}  // namespace

WrittenRows written_rows(const llvm::Function& kernel) {
  Stores stores;
  for (const llvm::Instruction& instruction : llvm::instructions(kernel))
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction); store && store->getPointerAddressSpace() == kGlobalSpace)
      stores.push_back(store);
  if (stores.empty()) return {};
  WrittenRows result;
  result.goes_once = goes_once(kernel);
  if (result.goes_once) result.streamed_bytes = static_cast<std::uint32_t>(bytes_beside_each_other(kernel, stores));
  if (result.streamed_bytes) result.read_bytes = static_cast<std::uint32_t>(bytes_read(kernel, result.streamed_bytes));
  result.by_columns = goes_down_columns(kernel, stores);
  return result;
}

}  // namespace weft::compiler::simt
