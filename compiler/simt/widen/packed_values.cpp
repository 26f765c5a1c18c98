#include "compiler/simt/widen/packed_values.h"

#include <llvm/ADT/EquivalenceClasses.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <cmath>
#include <deque>
#include <optional>

#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/ir/component_permutes.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/widen/memory/overlapping_lanes.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

bool has_truth_values(const llvm::Type* type) { return type->isVectorTy() && type->getScalarType()->isIntegerTy(1); }

/// The slot that `value`, a call, loads or stores, if it does.
std::optional<unsigned> slot_of(const Value& value, llvm::StringRef primitive) {
  if (!called_name(value).starts_with(primitive)) return std::nullopt;
  return static_cast<unsigned>(llvm::cast<llvm::ConstantInt>(llvm::cast<llvm::CallBase>(value).getArgOperand(0))->getZExtValue());
}

/// A comparison of vectors that only selects follow: masks would be hard to take apart.
bool is_condition_of_selects(const llvm::Instruction& instruction) {
  return llvm::isa<llvm::CmpInst>(instruction) && !has_truth_values(instruction.getOperand(0)->getType()) &&
         llvm::all_of(instruction.uses(),
                      [](const llvm::Use& use) { return llvm::isa<llvm::SelectInst>(use.getUser()) && use.getOperandNo() == 0; });
}

/// A word of the components, which lies as their packed form does.
bool becomes_scalar(const llvm::User& user) { return llvm::isa<llvm::BitCastInst>(user) && !user.getType()->isVectorTy(); }

/// A division that cannot trap, whatever lanes hold that are off.
bool divides_by_constants(const llvm::Instruction& division) {
  const auto* divisors = llvm::dyn_cast<llvm::Constant>(division.getOperand(1));
  if (!divisors) return false;
  for (unsigned i = 0; i < llvm::cast<llvm::FixedVectorType>(divisors->getType())->getNumElements(); ++i) {
    const auto* divisor = llvm::dyn_cast_or_null<llvm::ConstantInt>(divisors->getAggregateElement(i));
    if (!divisor || divisor->isZero() || divisor->isMinusOne()) return false;
  }
  return true;
}

/// The choice for all regions of a kernel.
class Chooser {
 public:
  Chooser(llvm::ArrayRef<llvm::Function*> regions, const Specialization& specialization, unsigned lanes, const VectorTraits& traits, const WarpFrame& frame)
      : lanes_(lanes), traits_(traits) {
    result_.slots.resize(static_cast<unsigned>(frame.slots.size()));
    for (unsigned slot = 0; slot < frame.slots.size(); ++slot) result_.slots[slot] = !frame.slots[slot].uniform && !frame.slots[slot].of_call;
    for (llvm::Function* region : regions)
      if (llvm::any_of(llvm::instructions(*region), [](const llvm::Instruction& i) { return i.getType()->isVectorTy(); }))
        regions_.emplace_back(*region, specialization, lanes, frame);
    for (const Region& region : regions_)
      for (const llvm::Instruction& instruction : llvm::instructions(region.function)) {
        region_of_[&instruction] = &region;
        if (const auto slot = slot_of(instruction, primitive::kSlotLoad); slot && !can_be_packed_slot(*instruction.getType()))
          result_.slots.reset(*slot);
      }
  }

  PackedValues make() {
    for (const Region& region : regions_)
      for (const llvm::Instruction& instruction : llvm::instructions(region.function))
        if (!region.shapes[instruction].is_affine() && can_be_packed(instruction)) result_.values.insert(&instruction);
    for (bool changed = true; changed;) {
      changed = false;
      for (const Region& region : regions_)
        for (const llvm::Instruction& instruction : llvm::instructions(region.function)) {
          if (!is_chosen(instruction) || is_memory(instruction) || slot_of(instruction, primitive::kSlotLoad)) continue;
          const bool users_fit = has_truth_values(instruction.getType())
                                     ? llvm::all_of(instruction.users(), [&](const llvm::User* user) { return is_chosen(*user); })
                                     : !is_taken_apart(instruction);
          if (users_fit && llvm::all_of(instruction.operands(), [&](const llvm::Use& use) { return fits(*use.get()); })) continue;
          result_.values.erase(&instruction);
          changed = true;
        }
    }
    leave_what_is_taken_apart();
    return std::move(result_);
  }

 private:
  struct Region {
    Region(llvm::Function& region, const Specialization& specialization, unsigned lanes, const WarpFrame& frame)
        : function(region), shapes(region, specialization, lanes, [&](unsigned index) { return frame.privates[index].stride; }),
          dominators(region), loops(dominators) {}

    const llvm::Function& function;
    const Shapes shapes;
    const llvm::DominatorTree dominators;
    const llvm::LoopInfo loops;
  };

  static bool can_be_packed_slot(const llvm::Type& type) {
    return type.isVectorTy() && !type.getScalarType()->isIntegerTy(1) && !type.isPtrOrPtrVectorTy();
  }
  static bool is_memory(const llvm::Instruction& instruction) { return llvm::isa<llvm::LoadInst>(instruction); }

  Shape shape(const Value& value) const {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    return instruction ? region_of_.lookup(instruction)->shapes[value] : Shape::uniform(lanes_);
  }
  bool is_chosen(const Value& value) const { return result_.values.contains(&value); }

  /// Whether `instruction` does the same to every component, wherever it lies, and all its operands have a packed form.
  bool can_be_packed(const llvm::Instruction& instruction) const {
    auto* type = llvm::dyn_cast<llvm::FixedVectorType>(instruction.getType());
    if (!type) return false;
    if (has_truth_values(type)) return is_condition_of_selects(instruction);
    switch (instruction.getOpcode()) {
      case llvm::Instruction::Load: {
        const auto& load = llvm::cast<llvm::LoadInst>(instruction);
        if (load.isAtomic()) return false;
        return !find_overlapping_row(*load.getType(), shape(*load.getPointerOperand()), lanes_, traits_, instruction.getDataLayout());
      }
      case llvm::Instruction::UDiv:
      case llvm::Instruction::SDiv:
      case llvm::Instruction::URem:
      case llvm::Instruction::SRem: return divides_by_constants(instruction);
      case llvm::Instruction::PHI:
      case llvm::Instruction::Select:
      case llvm::Instruction::Freeze: return true;
      case llvm::Instruction::ShuffleVector: return instruction.getOperand(0)->getType() == type;
      case llvm::Instruction::Call: {
        if (const auto slot = slot_of(instruction, primitive::kSlotLoad)) return result_.has_slot(*slot);
        if (is_component_permute(instruction)) return true;
        if (called_name(instruction).starts_with(primitive::kLanes)) return !shape(instruction).is_uniform(lanes_);
        const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        if (!intrinsic || !llvm::isTriviallyVectorizable(intrinsic->getIntrinsicID())) return false;
        return llvm::all_of(llvm::enumerate(intrinsic->args()), [&](const auto& argument) {
          const Value& value = *argument.value();
          return value.getType()->isVectorTy() || (llvm::isa<llvm::Constant>(value) && llvm::isVectorIntrinsicWithScalarOpAtArg(
                                                                                           intrinsic->getIntrinsicID(), static_cast<unsigned>(argument.index())));
        });
      }
      default: break;
    }
    if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) {
      auto* source = llvm::dyn_cast<llvm::FixedVectorType>(cast->getSrcTy());
      // The parts of a word lie in it as its packed form has them.
      return source ? !has_truth_values(source) : llvm::isa<llvm::BitCastInst>(cast);
    }
    return llvm::isa<llvm::BinaryOperator>(instruction) || llvm::isa<llvm::UnaryOperator>(instruction);
  }

  /// A number that all components have, one in each lane: the packed form repeats it, the other has it as it is.
  static bool is_repeated_number(const Value& value) {
    return llvm::isa<llvm::ShuffleVectorInst>(value) && !has_truth_values(value.getType()) && llvm::getSplatValue(&value);
  }

  /// Whether a packed value can be made of `operand`: it has that form, or one that lanes share, or one number a lane.
  bool fits(const Value& operand) const {
    if (!operand.getType()->isVectorTy() || is_chosen(operand)) return true;
    return shares_lanes(operand) || is_repeated_number(operand);
  }
  bool shares_lanes(const Value& value) const {
    const Shape own = shape(value);
    return own.is_uniform(lanes_) || (own.is_constant_in_segment() && !own.checked && !has_truth_values(value.getType()));
  }

  /// Whether `user` takes a packed value as it is.
  bool takes_whole(const llvm::User& user) const {
    if (llvm::isa<llvm::StoreInst>(user) || becomes_scalar(user)) return true;
    const auto slot = slot_of(user, primitive::kSlotStore);
    return slot && result_.has_slot(*slot);
  }

  /// Whether all that is made of `value` stays packed until it is stored, or a scalar again.
  bool ends_whole(const Value& value, llvm::SmallPtrSetImpl<const Value*>& seen) const {
    return llvm::all_of(value.users(), [&](const llvm::User* user) {
      if (takes_whole(*user)) return true;
      return is_chosen(*user) && (!seen.insert(user).second || ends_whole(*user, seen));
    });
  }

  /// A scalar's parts as a vector, or components in another order, that are used one by one: by shifts, and by names, they are had for less.
  bool is_taken_apart(const llvm::Instruction& instruction) const {
    const bool is_cut = llvm::isa<llvm::BitCastInst>(instruction) && !instruction.getOperand(0)->getType()->isVectorTy();
    if (!is_cut && !llvm::isa<llvm::ShuffleVectorInst>(instruction)) return false;
    llvm::SmallPtrSet<const Value*, 8> seen;
    return !ends_whole(instruction, seen);
  }

  /// How often `place` runs: a loop counts as ten iterations.
  double times(const llvm::Instruction& place) const {
    return std::pow(10.0, region_of_.lookup(&place)->loops.getLoopDepth(place.getParent()));
  }

  /// Bits of a lane's that change their form at `place`, as often as that runs: a register of floats has a quarter of the components of one of bytes, but
  /// without permutations of bytes takes less.
  double bits_changed(const llvm::Value& value, const llvm::Instruction& place) const {
    const auto* type = llvm::cast<llvm::FixedVectorType>(value.getType());
    const std::uint64_t bits = place.getDataLayout().getTypeSizeInBits(type->getElementType());
    return times(place) * type->getNumElements() * static_cast<double>(bits == 8 && !traits_.byte_permutes ? 32 : bits);
  }

  /// What changes between the forms where values that use each other, and the slots that they go through, are packed, and where they are not.
  struct Changes {
    double packed = 0, unpacked = 0;  ///< bits_changed
    llvm::SmallVector<unsigned, 2> slots;
    llvm::SmallPtrSet<const Value*, 8> operands;  ///< counted already
  };

  /// Adds what `instruction`, a member, changes if all of them are packed, or if none of them is.
  void add_changes(const llvm::Instruction& instruction, Changes& changes) const {
    bool taken_apart = false;
    for (const llvm::User* user : instruction.users()) {
      if (is_chosen(*user) || slot_of(*user, primitive::kSlotStore)) continue;
      if (takes_whole(*user)) changes.unpacked += bits_changed(instruction, *llvm::cast<llvm::Instruction>(user));
      else taken_apart = true;
    }
    if (taken_apart) changes.packed += bits_changed(instruction, instruction);
    for (const Value* operand : instruction.operands()) {
      const auto* made = llvm::dyn_cast<llvm::Instruction>(operand);
      if (!made || !made->getType()->isVectorTy() || (is_chosen(*made) && !is_memory(*made)) || shares_lanes(*made)) continue;
      if (!changes.operands.insert(made).second) continue;
      (is_chosen(*made) ? changes.unpacked : changes.packed) += bits_changed(*made, *made);
    }
  }

  /// Leaves arithmetic unpacked whose results would be taken apart more often than what is loaded for it and stored of it: a point
  /// loaded in front of a loop, whose difference to others is squared and added up in it.
  void leave_what_is_taken_apart() {
    const auto is_arithmetic = [&](const Value& value) { return is_chosen(value) && !llvm::isa<llvm::LoadInst>(value); };
    llvm::EquivalenceClasses<const Value*> together;
    llvm::DenseMap<unsigned, const llvm::Instruction*> first_of_slot;
    for (const Region& region : regions_)
      for (const llvm::Instruction& instruction : llvm::instructions(region.function)) {
        if (!is_arithmetic(instruction)) continue;
        together.insert(&instruction);
        for (const Value* operand : instruction.operands())
          if (is_arithmetic(*operand)) together.unionSets(&instruction, operand);
        if (const auto slot = slot_of(instruction, primitive::kSlotLoad))
          together.unionSets(&instruction, first_of_slot.try_emplace(*slot, &instruction).first->second);
      }
    llvm::SmallVector<std::pair<unsigned, const llvm::CallBase*>, 16> stores;
    for (const Region& region : regions_)
      for (const llvm::Instruction& instruction : llvm::instructions(region.function))
        if (const auto slot = slot_of(instruction, primitive::kSlotStore); slot && first_of_slot.contains(*slot)) {
          stores.emplace_back(*slot, llvm::cast<llvm::CallBase>(&instruction));
          const Value* value = stores.back().second->getArgOperand(1);
          if (is_arithmetic(*value)) together.unionSets(first_of_slot[*slot], value);
        }
    llvm::MapVector<const Value*, Changes> changes;  // by the first of those that are together
    for (const Region& region : regions_)
      for (const llvm::Instruction& instruction : llvm::instructions(region.function))
        if (is_arithmetic(instruction)) add_changes(instruction, changes[together.getLeaderValue(&instruction)]);
    for (const auto& [slot, load] : first_of_slot) changes[together.getLeaderValue(load)].slots.push_back(slot);
    for (const auto& [slot, store] : stores) {
      const Value& value = *store->getArgOperand(1);
      if (is_arithmetic(value) || shares_lanes(value)) continue;
      Changes& own = changes[together.getLeaderValue(first_of_slot[slot])];
      (is_chosen(value) ? own.unpacked : own.packed) += bits_changed(value, *store);
    }
    for (unsigned slot = 0; slot < result_.slots.size(); ++slot)
      if (!first_of_slot.contains(slot)) result_.slots.reset(slot);
    llvm::DenseSet<const Value*> left;
    for (const auto& [leader, own] : changes) {
      if (own.packed <= own.unpacked) continue;
      for (auto member = together.findLeader(leader); member != together.member_end(); ++member) left.insert(*member);
      for (const unsigned slot : own.slots) result_.slots.reset(slot);
    }
    for (const Value* value : left) result_.values.erase(value);
  }

  const unsigned lanes_;
  const VectorTraits& traits_;
  std::deque<Region> regions_;
  llvm::DenseMap<const llvm::Instruction*, const Region*> region_of_;
  PackedValues result_;
};

}  // namespace

PackedValues choose_packed_values(llvm::ArrayRef<llvm::Function*> regions, const Specialization& specialization, unsigned lanes,
                                  const VectorTraits& traits, const WarpFrame& frame) {
  return Chooser(regions, specialization, lanes, traits, frame).make();
}

}  // namespace weft::compiler::simt
