#include "compiler/simt/memory/chosen_updates.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <iterator>

#include "compiler/simt/ir/hidden_values.h"
#include "compiler/simt/ir/kept_forms.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

/// Operations behind a condition, and values that they change: less than what a wrong guess takes every third time.
constexpr unsigned kMostUpdates = 4;
/// Operations from a load to a condition.
constexpr unsigned kMostParts = 16;

bool is_quick(const Instruction& instruction) {
  switch (instruction.getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor:
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
    case Instruction::FAdd:
    case Instruction::FSub:
    case Instruction::FMul:
    case Instruction::FNeg:
    case Instruction::Select:
    case Instruction::ZExt:
    case Instruction::SExt:
    case Instruction::Trunc: return !instruction.getType()->isVectorTy() && llvm::isSafeToSpeculativelyExecute(&instruction);
    default: return false;
  }
}

/// Whether what `loop` loads in this iteration decides on `condition`.
bool is_loaded(const Value& condition, const llvm::Loop& loop) {
  llvm::SmallPtrSet<const Value*, kMostParts> seen;
  llvm::SmallVector<const Value*, kMostParts> pending = {&condition};
  while (!pending.empty() && seen.size() < kMostParts) {
    const auto* part = llvm::dyn_cast<Instruction>(pending.pop_back_val());
    if (!part || !loop.contains(part) || llvm::isa<llvm::PHINode>(part) || !seen.insert(part).second) continue;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(part); load && !loop.isLoopInvariant(load->getPointerOperand())) return true;
    for (const Value* operand : part->operand_values()) pending.push_back(operand);
  }
  return false;
}

bool may_be_chosen(const llvm::Type& type) { return type.isIntegerTy() || type.isFloatTy() || type.isDoubleTy(); }

/// What `then` adds to `before`, if that is all; null if it is not.
Value* added(const Value& then, const Value& before, const BasicBlock& block) {
  const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(&then);
  if (!sum || sum->getParent() != &block || !sum->hasOneUse()) return nullptr;
  if (sum->getOpcode() != Instruction::Add && sum->getOpcode() != Instruction::FAdd) return nullptr;
  if (sum->getOperand(0) == &before) return sum->getOperand(1);
  return sum->getOperand(1) == &before ? sum->getOperand(0) : nullptr;
}

/// Whether `then`, which its only predecessor branches round, is made of a few updates; `branch` is that predecessor's end.
bool may_choose(const BasicBlock& then, const llvm::Loop& loop, llvm::BranchInst*& branch) {
  const BasicBlock* head = then.getSinglePredecessor();
  const BasicBlock* join = then.getSingleSuccessor();
  if (!head || !join || head == &then || join == &then) return false;
  branch = llvm::dyn_cast<llvm::BranchInst>(const_cast<BasicBlock*>(head)->getTerminator());
  if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) return false;
  if (!llvm::is_contained(branch->successors(), join) || !loop.contains(head) || !loop.contains(join)) return false;
  unsigned operations = 0;
  for (const Instruction& instruction : then.instructionsWithoutDebug()) {
    if (instruction.isTerminator()) break;
    if (!is_quick(instruction) || ++operations > kMostUpdates) return false;
  }
  // Of a choice alone LLVM thinks itself.
  if (operations < 2) return false;
  const auto phis = join->phis();
  if (std::distance(phis.begin(), phis.end()) > kMostUpdates || !llvm::all_of(phis, [](const llvm::PHINode& phi) { return may_be_chosen(*phi.getType()); }))
    return false;
  return is_loaded(*branch->getCondition(), loop);
}

/// `chosen` where `condition` holds, else `other`. LLVM makes branches of choices between floats whose condition others ask, too.
Value* select(llvm::IRBuilder<>& builder, Value& condition, Value* chosen, Value* other) {
  llvm::Type* type = chosen->getType();
  llvm::Type* bits = type->isFloatingPointTy() ? builder.getIntNTy(type->getScalarSizeInBits()) : type;
  Value* value = kept_choice(builder, &condition, builder.CreateBitCast(chosen, bits), builder.CreateBitCast(other, bits));
  return bits == type ? value : builder.CreateBitCast(hidden(builder, *value), type);
}

/// Of `sum`, which adds `term` to `before`: it adds nothing where `condition` does not hold.
void add_chosen(Instruction& sum, const Value& before, Value* term, Value& condition) {
  llvm::IRBuilder<> builder(&sum);
  const bool is_float = sum.getOpcode() == Instruction::FAdd;
  Value* nothing = is_float ? llvm::ConstantFP::getNegativeZero(sum.getType()) : llvm::Constant::getNullValue(sum.getType());
  sum.setOperand(sum.getOperand(0) == &before ? 1 : 0, select(builder, condition, term, nothing));
  if (!is_float) sum.dropPoisonGeneratingFlags();
}

void choose(BasicBlock& then, llvm::BranchInst& branch) {
  BasicBlock* head = branch.getParent();
  BasicBlock* join = then.getSingleSuccessor();
  const bool if_true = branch.getSuccessor(0) == &then;
  llvm::IRBuilder<> builder(&branch);
  Value* condition = if_true ? branch.getCondition() : builder.CreateNot(branch.getCondition());
  while (!then.front().isTerminator()) {
    then.front().dropUBImplyingAttrsAndMetadata();
    then.front().moveBefore(&branch);
  }
  for (llvm::PHINode& phi : join->phis()) {
    Value *changed = phi.getIncomingValueForBlock(&then), *before = phi.getIncomingValueForBlock(head);
    if (Value* term = added(*changed, *before, *head))
      add_chosen(llvm::cast<Instruction>(*changed), *before, term, *condition);
    else
      changed = select(builder, *condition, changed, before);
    phi.setIncomingValueForBlock(head, changed);
    phi.removeIncomingValue(&then, /*DeletePHIIfEmpty=*/false);
  }
  llvm::BranchInst::Create(join, branch.getIterator());
  branch.eraseFromParent();
  then.eraseFromParent();
}

/// The same where LLVM has made a choice already, between a sum of floats and what it adds to.
void choose(llvm::SelectInst& choice) {
  for (const bool if_true : {true, false}) {
    Value *sum = if_true ? choice.getTrueValue() : choice.getFalseValue(), *before = if_true ? choice.getFalseValue() : choice.getTrueValue();
    Value* term = added(*sum, *before, *choice.getParent());
    if (!term) continue;
    auto& addition = llvm::cast<Instruction>(*sum);
    addition.moveBefore(&choice);
    llvm::IRBuilder<> builder(&addition);
    add_chosen(addition, *before, term, if_true ? *choice.getCondition() : *builder.CreateNot(choice.getCondition()));
    choice.replaceAllUsesWith(sum);
    choice.eraseFromParent();
    return;
  }
}

}  // namespace

void choose_updates(llvm::Function& lane) {
  const llvm::DominatorTree dominators(lane);
  const llvm::LoopInfo loops(dominators);
  llvm::SmallVector<std::pair<BasicBlock*, llvm::BranchInst*>, 4> chosen;
  llvm::SmallVector<llvm::SelectInst*, 4> choices;
  for (BasicBlock& block : lane) {
    const llvm::Loop* loop = loops.getLoopFor(&block);
    if (!loop || !loop->isInnermost()) continue;
    llvm::BranchInst* branch = nullptr;
    if (may_choose(block, *loop, branch)) chosen.emplace_back(&block, branch);
    for (Instruction& instruction : block) {
      auto* choice = llvm::dyn_cast<llvm::SelectInst>(&instruction);
      if (!choice || !(choice->getType()->isFloatTy() || choice->getType()->isDoubleTy()) || choice->getCondition()->hasOneUse()) continue;
      if (is_loaded(*choice->getCondition(), *loop)) choices.push_back(choice);
    }
  }
  for (const auto& [then, branch] : chosen) choose(*then, *branch);
  for (const auto& choice : choices) choose(*choice);
}

}  // namespace weft::compiler::simt
