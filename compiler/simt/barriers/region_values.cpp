#include "compiler/simt/barriers/region_values.h"

#include <algorithm>

#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/sub_groups.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::BitVector;
using llvm::Instruction;

/// The most instructions for recomputing one value in place of a load and a store of a slot.
constexpr unsigned kMaxSteps = 20;
/// Of a divergent value, those that are uniform are counted apart: they are scalars, mostly the same for all warps.
constexpr unsigned kMaxScalarSteps = 32;
/// The same for a uniform value recomputed from other slots: its own slot would be only one scalar a warp.
constexpr unsigned kMaxUniformSteps = 4;
constexpr unsigned kMaxLeaves = 3;

/// The cost, in steps, of computing `instruction` from its operands; 0: it must not be recomputed.
unsigned steps(const Instruction& instruction) {
  if (instruction.getType()->isVoidTy()) return 0;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return load->hasMetadata(llvm::LLVMContext::MD_invariant_load) && !load->isVolatile() ? 1 : 0;
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
    switch (intrinsic->getIntrinsicID()) {
      case llvm::Intrinsic::smin:
      case llvm::Intrinsic::smax:
      case llvm::Intrinsic::umin:
      case llvm::Intrinsic::umax:
      case llvm::Intrinsic::abs:
        return 1;
      case llvm::Intrinsic::fma:
      case llvm::Intrinsic::fmuladd:
      case llvm::Intrinsic::fabs:
        return 2;
      default:
        return 0;
    }
  }
  if (llvm::isa<llvm::CallInst>(instruction)) {
    const llvm::StringRef name = called_name(instruction);
    if (const auto call = sub_group_call(instruction))
      return call->kind == SubGroupCall::Kind::kLane || call->kind == SubGroupCall::Kind::kId ? 1 : 0;
    return name.starts_with(primitive::kLocalId) || name.starts_with(primitive::kGlobalId) ||
                   name == primitive::kPrivate
               ? 1
               : 0;
  }
  switch (instruction.getOpcode()) {
    case Instruction::UDiv:
    case Instruction::URem:
    case Instruction::SDiv:
    case Instruction::SRem:
      return llvm::isa<llvm::Constant>(instruction.getOperand(1)) ? 4 : 0;
    case Instruction::FDiv:
    case Instruction::FRem:
      return 0;
    case Instruction::Alloca:
    case Instruction::GetElementPtr:
    case Instruction::Select:
    case Instruction::ICmp:
      return 1;
    case Instruction::FCmp:
    case Instruction::FNeg:
    case Instruction::ExtractElement:
    case Instruction::InsertElement:
    case Instruction::ShuffleVector:
      return 2;
    default:
      break;
  }
  if (instruction.isCast()) return 1;
  if (instruction.isBinaryOp()) return instruction.getType()->isFPOrFPVectorTy() ? 2 : 1;
  return 0;
}

/// What recomputing a value takes, each instruction counted once.
struct Effort {
  unsigned steps = 0;         ///< of divergent instructions
  unsigned scalar_steps = 0;  ///< of uniform ones

  void add(const Instruction& instruction, const llvm::UniformityInfo& uniformity) {
    (uniformity.isUniform(&instruction) ? scalar_steps : steps) += simt::steps(instruction);
  }
  bool within(unsigned most, unsigned most_scalar) const {
    return steps <= most && scalar_steps <= most_scalar;
  }
};

/// Adds all that `value` is computed from to `effort`; false if it must not be recomputed, or takes so much that
/// nothing is to spare for users of it.
bool add_effort(const llvm::Value& value, const llvm::UniformityInfo& uniformity, Effort& effort,
                llvm::SmallPtrSetImpl<const Instruction*>& taken) {
  const auto* instruction = llvm::dyn_cast<Instruction>(&value);
  if (!instruction || !taken.insert(instruction).second) return true;
  if (steps(*instruction) == 0) return false;
  effort.add(*instruction, uniformity);
  return effort.within(kMaxSteps - 4, kMaxScalarSteps - 4) &&
         llvm::all_of(instruction->operands(), [&](const llvm::Use& operand) {
           return add_effort(*operand, uniformity, effort, taken);
         });
}

/// How a value is recomputed.
struct Recipe {
  bool possible = false;
  bool forced = false;  ///< a region's alloca or a pointer into it: must never go through a slot
  Effort effort;
  llvm::SmallVector<Instruction*, 4> computed;  ///< the instructions that are computed anew, each of them once
  llvm::SmallVector<Instruction*, 4> leaves;
};

class Planner {
 public:
  Planner(llvm::Function& item, llvm::ArrayRef<Barrier> barriers, Analyses& analyses)
      : item_(item),
        barriers_(barriers),
        uniformity_(analyses.uniformity(item)),
        cycles_(analyses.functions().getResult<llvm::CycleAnalysis>(item)) {
    for (unsigned i = 0; i < barriers.size(); ++i) entry_of_[barriers[i].entry] = i;
  }

  RegionValues plan() {
    const llvm::ReversePostOrderTraversal<llvm::Function*> order(&item_);
    for (BasicBlock* block : order)
      for (Instruction& instruction : *block) find_live(instruction);
    for (BasicBlock* block : order)
      for (Instruction& instruction : *block) make_recipe(instruction);

    RegionValues result;
    llvm::DenseMap<Instruction*, BitVector> needed;
    for (const auto& [value, live] : live_) {
      const Recipe& recipe = recipes_[value];
      add(needed, value, live);
      if (recipe.possible)
        for (Instruction* leaf : recipe.leaves) add(needed, leaf, live);
    }
    for (BasicBlock* block : order) {
      for (Instruction& instruction : *block) {
        const auto found = needed.find(&instruction);
        if (found == needed.end()) continue;
        CrossingValue& value = result.values[&instruction];
        value.needed = found->second;
        value.live = live_.contains(&instruction) ? live_[&instruction] : BitVector(barriers_.size());
        if (recipes_[&instruction].possible) {
          value.leaves = recipes_[&instruction].leaves;
          continue;
        }
        groups_.push_back(
            {{&instruction}, value.needed, instruction.getType(), uniform(instruction, value.needed)});
      }
    }
    join_phis();
    assign_slots(result);
    return result;
  }

 private:
  /// Values that share a slot: no two are needed at the same barrier.
  struct Group {
    llvm::SmallVector<Instruction*, 4> values;
    BitVector needed;
    llvm::Type* type;
    bool uniform;

    bool joins(const Group& other) const {
      return type == other.type && uniform == other.uniform && !needed.anyCommon(other.needed);
    }
  };

  /// Gives a loop variable and its next value one slot: a barrier that no new value reaches then stores nothing.
  void join_phis() {
    llvm::DenseMap<const llvm::Value*, unsigned> group_of;
    for (auto [number, group] : llvm::enumerate(groups_)) group_of[group.values.front()] = number;
    for (unsigned number = 0; number < groups_.size(); ++number) {
      auto* phi = groups_[number].values.empty()
                      ? nullptr
                      : llvm::dyn_cast<llvm::PHINode>(groups_[number].values.front());
      if (!phi) continue;
      for (const llvm::Value* source : phi->incoming_values()) {
        const auto found = group_of.find(source);
        if (found == group_of.end()) continue;
        Group& into = groups_[group_of[phi]];
        Group& from = groups_[found->second];
        if (&into == &from || !into.joins(from)) continue;
        into.needed |= from.needed;
        for (Instruction* value : from.values) {
          into.values.push_back(value);
          group_of[value] = group_of[phi];
        }
        from.values.clear();
      }
    }
  }

  void assign_slots(RegionValues& result) {
    std::vector<Group> taken;  // by slot
    for (const Group& group : groups_) {
      if (group.values.empty()) continue;
      auto slot = llvm::find_if(taken, [&](const Group& other) { return other.joins(group); });
      if (slot == taken.end()) {
        taken.push_back(group);
        slot = std::prev(taken.end());
      } else {
        slot->needed |= group.needed;
      }
      for (Instruction* value : group.values)
        result.values[value].slot = static_cast<int>(slot - taken.begin());
    }
    for (const Group& group : taken) result.slots.push_back({group.type, group.uniform});
  }

  void add(llvm::DenseMap<Instruction*, BitVector>& map, Instruction* value, const BitVector& barriers) {
    BitVector& bits = map.try_emplace(value, BitVector(barriers_.size())).first->second;
    bits |= barriers;
  }

  /// Walks up from each use of `value` to its definition, and notes the barriers passed.
  void find_live(Instruction& value) {
    if (value.getType()->isVoidTy()) return;
    llvm::SmallVector<BasicBlock*, 16> pending;
    llvm::DenseSet<BasicBlock*> seen;
    const auto live_at_start = [&](BasicBlock* block) {
      if (seen.insert(block).second) pending.push_back(block);
    };
    BasicBlock* home = value.getParent();
    for (llvm::Use& use : value.uses()) {
      auto* user = llvm::cast<Instruction>(use.getUser());
      auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
      BasicBlock* block = phi ? phi->getIncomingBlock(use) : user->getParent();
      if (block != home) live_at_start(block);
    }
    while (!pending.empty()) {
      BasicBlock* block = pending.pop_back_val();
      if (const auto entry = entry_of_.find(block); entry != entry_of_.end())
        live_.try_emplace(&value, BitVector(barriers_.size())).first->second.set(entry->second);
      for (BasicBlock* before : llvm::predecessors(block))
        if (before != home) live_at_start(before);
    }
  }

  /// Called on operands before their users, except on those of phis, which are not recomputed.
  void make_recipe(Instruction& value) {
    Recipe recipe;
    const auto live = live_.find(&value);
    if (steps(value) != 0) {
      recipe.possible = true;
      recipe.effort.add(value, uniformity_);
      recipe.computed.push_back(&value);
      recipe.forced = llvm::isa<llvm::AllocaInst>(value);
      for (llvm::Value* operand : value.operands()) {
        auto* instruction = llvm::dyn_cast<Instruction>(operand);
        if (!instruction) continue;
        const Recipe& from = recipes_[instruction];
        recipe.forced |= from.forced && value.getType()->isPointerTy();
        if (!from.possible) {
          if (!llvm::is_contained(recipe.leaves, instruction)) recipe.leaves.push_back(instruction);
          continue;
        }
        for (Instruction* step : from.computed) {
          if (llvm::is_contained(recipe.computed, step)) continue;
          recipe.computed.push_back(step);
          recipe.effort.add(*step, uniformity_);
        }
        for (Instruction* leaf : from.leaves)
          if (!llvm::is_contained(recipe.leaves, leaf)) recipe.leaves.push_back(leaf);
      }
      if (!recipe.forced)
        recipe.possible = worthwhile(value, recipe, live == live_.end() ? nullptr : &live->second);
    }
    if (!recipe.possible) recipe = Recipe();
    recipes_[&value] = std::move(recipe);
  }

  bool worthwhile(const Instruction& value, const Recipe& recipe, const BitVector* live) {
    const bool value_uniform = uniformity_.isUniform(&value);
    if (!recipe.effort.within(kMaxSteps, value_uniform ? kMaxSteps : kMaxScalarSteps)) return false;
    if (recipe.leaves.size() > kMaxLeaves) return false;
    if (!live || recipe.leaves.empty()) return true;  // not live itself, only a step of other values
    for (Instruction* leaf : recipe.leaves) {
      const auto leaf_live = live_.find(leaf);
      const bool there_anyway = leaf_live != live_.end() && !live->test(leaf_live->second);
      if (!there_anyway && (value_uniform || !uniform(*leaf, *live))) return false;
    }
    return !value_uniform || recipe.effort.scalar_steps <= kMaxUniformSteps;
  }

  /// Whether all lanes of a warp agree on `value` at the barriers `at`: at its definition, at its uses, and
  /// after the loops between, whose iterations may differ from lane to lane.
  bool uniform(const Instruction& value, const BitVector& at) {
    if (uniformity_.isDivergent(&value)) return false;
    if (llvm::any_of(value.uses(), [&](const llvm::Use& use) { return uniformity_.isDivergentUse(use); }))
      return false;
    for (unsigned barrier : at.set_bits()) {
      for (const llvm::Cycle* cycle = cycles_.getCycle(value.getParent());
           cycle && !cycle->contains(barriers_[barrier].exit); cycle = cycle->getParentCycle()) {
        for (BasicBlock* block : cycle->blocks())
          if (uniformity_.hasDivergentTerminator(*block) &&
              llvm::any_of(llvm::successors(block), [&](BasicBlock* next) { return !cycle->contains(next); }))
            return false;
      }
    }
    return true;
  }

  llvm::Function& item_;
  llvm::ArrayRef<Barrier> barriers_;
  llvm::UniformityInfo& uniformity_;
  llvm::CycleInfo& cycles_;
  llvm::DenseMap<const BasicBlock*, unsigned> entry_of_;
  llvm::MapVector<Instruction*, BitVector> live_;
  llvm::DenseMap<Instruction*, Recipe> recipes_;
  std::vector<Group> groups_;
};

}  // namespace

RegionValues plan_region_values(llvm::Function& item, llvm::ArrayRef<Barrier> barriers, Analyses& analyses) {
  return Planner(item, barriers, analyses).plan();
}

bool cheap_to_recompute(const llvm::Value& value, const llvm::UniformityInfo& uniformity) {
  Effort effort;
  llvm::SmallPtrSet<const Instruction*, 32> taken;
  return add_effort(value, uniformity, effort, taken);
}

}  // namespace weft::compiler::simt
