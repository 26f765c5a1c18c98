#include "compiler/simt/analysis/local_objects.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/memory_order.h"

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::Value;

constexpr unsigned kMaxCells = 1u << 14;  // 64 KiB

struct Place {
  unsigned object;
  std::vector<std::int64_t> offsets;  ///< bytes, by lane
};

class Finder {
 public:
  Finder(llvm::Function& function, LaneValues& values)
      : function_(function), values_(values), layout_(function.getParent()->getDataLayout()), dominators_(function),
        loops_(dominators_) {}

  std::vector<LocalObject> run() {
    for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function_)) {
      mask_ = nullptr;
      mask_known_ = true;
      for (Instruction& instruction : *block) visit(instruction);
    }
    std::vector<LocalObject> result;
    for (unsigned i = 0; i < objects_.size(); ++i)
      if (!rejected_[i] && !rejected_[any_object_] && !objects_[i].accesses.empty()) result.push_back(std::move(objects_[i]));
    return result;
  }

 private:
  unsigned add_object() {
    objects_.emplace_back();
    rejected_.push_back(false);
    return static_cast<unsigned>(objects_.size() - 1);
  }
  static bool is_local(const Value& value) {
    return value.getType()->isPtrOrPtrVectorTy() && value.getType()->getScalarType()->getPointerAddressSpace() == kLocalSpace;
  }
  /// Rejects the object that the local pointer `value` points to: this use does not tell what each lane accesses.
  void reject(const Value& value) {
    const auto found = places_.find(&value);
    if (found != places_.end()) rejected_[found->second.object] = true;
    else if (is_local(value) && !llvm::isa<llvm::Constant>(value)) rejected_[any_object_] = true;  // may point anywhere
  }

  void visit(Instruction& instruction) {
    if (called_name(instruction) == primitive::kMask) {
      const Value& mask = *llvm::cast<llvm::CallBase>(instruction).getArgOperand(0);
      mask_ = values_.of(mask);
      mask_known_ = mask_ != nullptr;
      return;
    }
    if (auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(&instruction); cast && is_local(*cast)) {
      // Either the base of local memory or a generic pointer.
      if (!is_marked_load(cast->getOperand(0))) {
        rejected_[any_object_] = true;
        return;
      }
      if (bases_.empty()) variables_ = add_object();
      bases_.insert(cast);
      places_[cast] = {variables_, std::vector<std::int64_t>(values_.lanes(), 0)};
      return;
    }
    // A generic pointer to local memory may be what an update, or anything else, goes through.
    for (const Value* operand : instruction.operands())
      if (operand->getType()->isPointerTy() && is_marked_load(operand)) rejected_[any_object_] = true;
    if (auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction); gep && is_local(*gep)) return visit_gep(*gep);
    if (llvm::isa<llvm::LoadInst>(instruction) || llvm::isa<llvm::StoreInst>(instruction)) {
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction); store && is_local(*store->getValueOperand()))
        reject(*store->getValueOperand());
      const Value& pointer = *llvm::getLoadStorePointerOperand(&instruction);
      if (is_local(pointer)) return visit_access(instruction, pointer);
      if (pointer.getType()->getPointerAddressSpace() == kGenericSpace) rejected_[any_object_] = true;
      return;
    }
    for (const Value* operand : instruction.operands())
      if (is_local(*operand)) reject(*operand);
  }

  static bool is_marked_load(const Value* value) {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(value);
    return load && load->hasMetadata(primitive::kLocalMetadata);
  }

  void visit_gep(llvm::GetElementPtrInst& gep) {
    const auto found = places_.find(gep.getPointerOperand());
    if (found == places_.end()) return reject(*gep.getPointerOperand());
    Place place = found->second;
    const Value* index = gep.getNumIndices() == 1 ? gep.idx_begin()->get() : nullptr;
    if (index && is_marked_load(index) && bases_.contains(gep.getPointerOperand())) {
      const auto [argument, is_new] = arguments_.try_emplace(index, 0);
      if (is_new) argument->second = add_object();
      place.object = argument->second;
      places_[&gep] = std::move(place);
      return;
    }
    llvm::MapVector<Value*, llvm::APInt> variables;
    llvm::APInt constant(64, 0);
    if (!gep.collectOffset(layout_, 64, variables, constant)) return reject(*gep.getPointerOperand());
    for (std::int64_t& offset : place.offsets) offset += constant.getSExtValue();
    for (const auto& [variable, scale] : variables) {
      const LaneValues::Lanes* lanes = values_.of(*variable);
      if (!lanes) {
        rejected_[place.object] = true;
        break;
      }
      const unsigned width = variable->getType()->getIntegerBitWidth();
      for (unsigned lane = 0; lane < values_.lanes(); ++lane)
        place.offsets[lane] += llvm::APInt(width, (*lanes)[lane]).getSExtValue() * scale.getSExtValue();
    }
    places_[&gep] = std::move(place);
  }

  void visit_access(Instruction& instruction, const Value& pointer) {
    const auto found = places_.find(&pointer);
    if (found == places_.end()) return reject(pointer);
    const Place& place = found->second;
    if (rejected_[place.object]) return;
    LocalObject& object = objects_[place.object];
    llvm::Type* type = llvm::getLoadStoreType(&instruction);
    const bool plain = is_plain_access(instruction);
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    llvm::Type* element = type->getScalarType();
    const bool is_supported = (element->isIntegerTy() || element->isFloatingPointTy()) &&
                              (!vector || element->getPrimitiveSizeInBits() == 8 * kCellBytes) &&
                              (element->getPrimitiveSizeInBits() == 32 || element->getPrimitiveSizeInBits() == 64);
    if (!plain || !is_supported || !mask_known_) {
      rejected_[place.object] = true;
      return;
    }
    LocalAccess access{&instruction, type, static_cast<unsigned>(type->getPrimitiveSizeInBits() / (8 * kCellBytes)),
                       std::vector<std::int32_t>(values_.lanes(), -1)};
    for (unsigned lane = 0; lane < values_.lanes(); ++lane) {
      if (mask_ && !(*mask_)[lane]) continue;
      const std::int64_t offset = place.offsets[lane];
      const std::int64_t end = offset / kCellBytes + access.cells;
      if (offset < 0 || offset % kCellBytes != 0 || end > kMaxCells) {
        rejected_[place.object] = true;
        return;
      }
      access.first[lane] = static_cast<std::int32_t>(offset / kCellBytes);
      object.cells = std::max(object.cells, static_cast<unsigned>(end));
    }
    object.in_loops |= loops_.getLoopFor(instruction.getParent()) != nullptr;
    object.accesses.push_back(std::move(access));
  }

  llvm::Function& function_;
  LaneValues& values_;
  const llvm::DataLayout& layout_;
  const llvm::DominatorTree dominators_;
  const llvm::LoopInfo loops_;
  const LaneValues::Lanes* mask_ = nullptr;
  bool mask_known_ = true;
  llvm::SmallPtrSet<const Value*, 2> bases_;  ///< pointers to the base of local memory
  unsigned variables_ = 0;                    ///< the object that the kernel's own variables form
  llvm::DenseMap<const Value*, Place> places_;
  llvm::DenseMap<const Value*, unsigned> arguments_;  ///< objects of `local` arguments, by the loads of their offsets
  std::vector<LocalObject> objects_;
  std::vector<bool> rejected_;
  unsigned any_object_ = add_object();  ///< rejected: an unknown pointer may access any object
};

}  // namespace

std::vector<LocalObject> known_local_objects(llvm::Function& function, LaneValues& values) {
  return Finder(function, values).run();
}

}  // namespace weft::compiler::simt
