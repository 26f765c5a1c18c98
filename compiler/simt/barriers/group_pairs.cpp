#include "compiler/simt/barriers/group_pairs.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

#include "compiler/simt/barriers/group_fields.h"
#include "device/kernel_abi.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

/// Of both groups together: half of a first-level cache.
constexpr std::uint64_t kNearPairBytes = 16 << 10;
/// What is worth its compilation once more.
constexpr unsigned kMostOfPairs = 8000;
/// Instructions that a processor starts in a cycle, of scalar code that waits for nothing.
constexpr unsigned kIssue = 4;

/// Cycles from operands to result.
unsigned latency_of(const Instruction& instruction) {
  if (llvm::isa<llvm::LoadInst>(instruction)) return 4;
  if (llvm::isa<llvm::CastInst, llvm::PHINode, llvm::GetElementPtrInst>(instruction)) return 0;  // mostly parts of other instructions
  if (instruction.getType()->isFPOrFPVectorTy()) return instruction.getOpcode() == Instruction::FDiv ? 12 : 4;
  switch (instruction.getOpcode()) {
    case Instruction::Mul: return 3;
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem: return 12;
    default: return 1;
  }
}

/// What an iteration of a loop takes.
struct PairedIteration {
  unsigned chain = 0;         ///< cycles from what the one before has left to what this one leaves
  unsigned instructions = 0;
};

PairedIteration iteration_of(const llvm::Loop& loop) {
  PairedIteration result;
  llvm::DenseMap<const Value*, unsigned> since;  // cycles behind the header's phis, of what depends on them
  for (const BasicBlock* block : llvm::ReversePostOrderTraversal<const llvm::Function*>(loop.getHeader()->getParent())) {
    if (!loop.contains(block)) continue;
    for (const Instruction& instruction : *block) {
      if (block == loop.getHeader() && llvm::isa<llvm::PHINode>(instruction)) {
        since[&instruction] = 0;
        continue;
      }
      const unsigned latency = latency_of(instruction);
      if (latency > 0 && !instruction.isTerminator()) ++result.instructions;
      std::optional<unsigned> from;
      for (const Value* operand : instruction.operand_values())
        if (const auto known = since.find(operand); known != since.end()) from = std::max(from.value_or(0), known->second);
      if (from) since[&instruction] = *from + latency;
    }
  }
  for (const llvm::PHINode& carried : loop.getHeader()->phis())
    for (const BasicBlock* before : llvm::predecessors(loop.getHeader()))
      if (loop.contains(before)) result.chain = std::max(result.chain, since.lookup(carried.getIncomingValueForBlock(before)));
  return result;
}

/// Whether `pointer` leads to what the group has in a variable of its own.
bool is_private(const Value& pointer) { return llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(&pointer)); }

/// Whether `instruction` writes what others see, or the same work-item once it begins again.
bool has_effect(const Instruction& instruction) {
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return !store->isSimple() || !is_private(*store->getPointerOperand());
  if (const auto* set = llvm::dyn_cast<llvm::AnyMemIntrinsic>(&instruction)) return !is_private(*set->getDest());
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return instruction.mayWriteToMemory() && !(call && (call->isAssumeLikeIntrinsic() || call->isLifetimeStartOrEnd()));
}

/// Whether `instruction` loads the number of `group`, or a part of it.
bool reads_number(const Instruction& instruction, const Value& group) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  const auto offset = load ? field_offset(*load, group) : std::nullopt;
  return offset && is_group_id(*offset);
}

/// Which values of a region are not the same for all groups.
class Differences {
 public:
  explicit Differences(const llvm::Function& region) : group_(*region.getArg(1)) {
    for (const llvm::Argument& argument : region.args())
      if (argument.getArgNo() > 3) values_.insert(&argument);  // of with_group_arguments
    for (bool changed = true; changed;) {
      changed = false;
      for (const Instruction& instruction : llvm::instructions(region))
        if (!values_.contains(&instruction) && is_own(instruction)) changed |= values_.insert(&instruction).second;
    }
  }

  bool contains(const Value& value) const { return values_.contains(&value); }

 private:
  bool is_own(const Instruction& instruction) const {
    if (llvm::isa<llvm::AllocaInst>(instruction) || instruction.isAtomic()) return true;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      const auto offset = field_offset(*load, group_);
      if (load->isVolatile() || reads_number(*load, group_) || offset == offsetof(abi::GroupInfo, local_memory)) return true;
    }
    return llvm::any_of(instruction.operand_values(), [&](const Value* operand) { return values_.contains(operand); });
  }

  const Value& group_;
  llvm::SmallPtrSet<const Value*, 32> values_;
};

bool may_run_beside(const Instruction& instruction) {
  if (instruction.isAtomic() && !llvm::isa<llvm::LoadInst, llvm::StoreInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction)) return false;
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) return llvm::isa<llvm::IntrinsicInst>(call) && !call->isConvergent();
  if (instruction.isTerminator()) {
    const auto* end = llvm::dyn_cast<llvm::ReturnInst>(&instruction);
    return llvm::isa<llvm::BranchInst, llvm::SwitchInst>(instruction) || (end && llvm::isa<llvm::Constant>(end->getReturnValue()));
  }
  return true;
}

/// Whether both groups may go back to the beginning at the end of `block`, and do not so again and again.
bool may_begin_again(const BasicBlock& block, const llvm::LoopInfo& loops) {
  if (loops.getLoopFor(&block) || !llvm::isa<llvm::BranchInst>(block.getTerminator())) return false;
  llvm::SmallPtrSet<const BasicBlock*, 8> seen = {&block};
  llvm::SmallVector<const BasicBlock*, 8> left = {&block};
  while (!left.empty()) {
    const BasicBlock* before = left.pop_back_val();
    if (llvm::any_of(*before, has_effect)) return false;
    for (const BasicBlock* predecessor : llvm::predecessors(before))
      if (seen.insert(predecessor).second) left.push_back(predecessor);
  }
  return true;
}

bool takes_one_way(const llvm::Function& region) {
  const llvm::DominatorTree dominators(const_cast<llvm::Function&>(region));
  const llvm::LoopInfo loops(dominators);
  const Differences differences(region);
  return llvm::all_of(region, [&](const BasicBlock& block) {
    return !differences.contains(*block.getTerminator()) || may_begin_again(block, loops);
  });
}

/// Whether `region` asks for its number: one that does not is launched alone.
bool asks_for_number(const llvm::Function& region) {
  return llvm::any_of(llvm::instructions(region), [&](const Instruction& instruction) { return reads_number(instruction, *region.getArg(1)); });
}

/// Makes the code of two groups.
class Pair {
 public:
  Pair(llvm::Function& region, std::uint64_t local_bytes) : region_(region), differences_(region), builder_(region.getContext()) {
    auto* type = llvm::FunctionType::get(builder_.getInt1Ty(), region.getFunctionType()->params(), false);
    pair_ = llvm::Function::Create(type, region.getLinkage(), region.getAddressSpace(), region.getName() + ".pair", region.getParent());
    pair_->copyAttributesFrom(&region);
    for (auto [old, fresh] : llvm::zip(region.args(), pair_->args())) {
      fresh.setName(old.getName());
      maps_[0][&old] = maps_[1][&old] = &fresh;
    }
    BasicBlock* begin = BasicBlock::Create(region.getContext(), "begin", pair_);
    builder_.SetInsertPoint(begin);
    Value* id = pair_->getArg(pair_->arg_size() - 2);
    Value* local = pair_->getArg(pair_->arg_size() - 1);
    maps_[1][region.getArg(region.arg_size() - 2)] = builder_.CreateAdd(id, builder_.getInt64(1), "next.id", true, true);
    maps_[1][region.getArg(region.arg_size() - 1)] =
        builder_.CreateInBoundsGEP(builder_.getInt8Ty(), local, builder_.getInt64(local_bytes), "next.local");
  }

  llvm::Function* make() {
    for (BasicBlock& block : region_) {
      BasicBlock* made = BasicBlock::Create(region_.getContext(), block.getName(), pair_);
      maps_[0][&block] = maps_[1][&block] = made;
    }
    builder_.CreateBr(llvm::cast<BasicBlock>(maps_[0][&region_.getEntryBlock()]));
    parted_ = BasicBlock::Create(region_.getContext(), "parted", pair_);
    llvm::ReturnInst::Create(region_.getContext(), builder_.getFalse(), parted_);
    for (BasicBlock& block : region_) {
      builder_.SetInsertPoint(llvm::cast<BasicBlock>(maps_[0][&block]));
      for (Instruction& instruction : block) copy(instruction);
    }
    resolve();
    if (parted_->hasNPredecessors(0)) parted_->eraseFromParent();
    return pair_;
  }

 private:
  void copy(Instruction& instruction) {
    if (llvm::isa<llvm::ReturnInst>(instruction)) {
      builder_.CreateRet(builder_.getTrue());
      return;
    }
    const bool differs = differences_.contains(instruction);
    if (instruction.isTerminator()) {
      auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction);
      if (differs) compare(*branch->getCondition());
      add(instruction, 0);
      return;
    }
    maps_[1][&instruction] = add(instruction, 0);
    if (differs) add(instruction, 1);
  }

  Instruction* add(Instruction& instruction, unsigned which) {
    Instruction* made = builder_.Insert(instruction.clone(), instruction.getName());
    maps_[which][&instruction] = made;
    copies_[which].push_back(made);
    return made;
  }

  /// Goes on only if `condition` is the same for both.
  void compare(Value& condition) {
    auto* differ = builder_.Insert(llvm::BinaryOperator::CreateXor(&condition, &condition), "part");  // whose operands follow
    compared_.push_back(differ);
    BasicBlock* from = builder_.GetInsertBlock();
    BasicBlock* on = BasicBlock::Create(region_.getContext(), from->getName() + ".together", pair_);
    builder_.CreateCondBr(differ, parted_, on);
    moved_[from] = on;
    builder_.SetInsertPoint(on);
  }

  void resolve() {
    for (llvm::BinaryOperator* differ : compared_)
      for (const unsigned which : {0u, 1u})
        if (Value* value = maps_[which].lookup(differ->getOperand(which))) differ->setOperand(which, value);
    for (const unsigned which : {0u, 1u})
      for (Instruction* made : copies_[which]) {
        llvm::RemapInstruction(made, maps_[which], llvm::RF_IgnoreMissingLocals | llvm::RF_NoModuleLevelChanges);
        auto* phi = llvm::dyn_cast<llvm::PHINode>(made);
        if (!phi) continue;
        for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
          if (const auto moved = moved_.find(phi->getIncomingBlock(i)); moved != moved_.end()) phi->setIncomingBlock(i, moved->second);
      }
  }

  llvm::Function& region_;
  const Differences differences_;
  llvm::IRBuilder<> builder_;
  llvm::Function* pair_ = nullptr;
  BasicBlock* parted_ = nullptr;
  std::array<llvm::ValueToValueMapTy, 2> maps_;
  std::array<llvm::SmallVector<Instruction*, 64>, 2> copies_;
  llvm::SmallVector<llvm::BinaryOperator*, 2> compared_;
  llvm::DenseMap<const BasicBlock*, BasicBlock*> moved_;  ///< where blocks that end with a question go on
};

}  // namespace

bool can_run_as_pairs(const llvm::Function& region, std::uint64_t local_bytes) {
  if (2 * local_bytes > kNearPairBytes || region.getInstructionCount() > kMostOfPairs || !region.getArg(2)->use_empty()) return false;
  const auto any = [](const llvm::LoadInst&, std::uint64_t) { return true; };
  return asks_for_number(region) && llvm::all_of(llvm::instructions(region), may_run_beside) && loads_fields_alone(region, any) && takes_one_way(region);
}

bool pays_as_pairs(const llvm::Function& region) {
  const llvm::DominatorTree dominators(const_cast<llvm::Function&>(region));
  const llvm::LoopInfo loops(dominators);
  PairedIteration all;
  for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost()) continue;
    const PairedIteration one = iteration_of(*loop);
    all.chain += one.chain;
    all.instructions += one.instructions;
  }
  return all.instructions > 0 && 2 * all.instructions <= kIssue * all.chain;
}

llvm::Function* make_pair(llvm::Function& region, std::uint64_t local_bytes) { return Pair(region, local_bytes).make(); }

}  // namespace weft::compiler::simt
