#include "compiler/simt/item/retried_updates.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include <optional>

#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/memory_order.h"

namespace weft::compiler::simt {
namespace {

using llvm::AtomicCmpXchgInst;
using llvm::AtomicRMWInst;
using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

/// What `value` has the bits of.
Value* bits_of(Value* value) {
  while (auto* cast = llvm::dyn_cast<llvm::BitCastInst>(value)) value = cast->getOperand(0);
  return value;
}

/// Whether `value` is part `index` of what `exchange` gives: 0 is what it found, 1 whether it succeeded.
bool is_part(Value* value, unsigned index, const Value* exchange) {
  const auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(bits_of(value));
  return part && part->getAggregateOperand() == exchange && part->getIndices().front() == index;
}

/// What a number in memory is replaced by: `operation` of it and of `operand`.
struct Update {
  AtomicRMWInst::BinOp operation;
  Value* operand;

  bool operator==(const Update&) const = default;
};

std::optional<AtomicRMWInst::BinOp> operation_of(const Instruction& instruction) {
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
    switch (call->getIntrinsicID()) {
      case llvm::Intrinsic::maxnum: return AtomicRMWInst::FMax;
      case llvm::Intrinsic::minnum: return AtomicRMWInst::FMin;
      default: return std::nullopt;
    }
  }
  switch (instruction.getOpcode()) {
    case Instruction::FAdd: return AtomicRMWInst::FAdd;
    case Instruction::FSub: return AtomicRMWInst::FSub;
    case Instruction::Add: return AtomicRMWInst::Add;
    case Instruction::Sub: return AtomicRMWInst::Sub;
    default: return std::nullopt;
  }
}

/// What `exchange` does to what it expects; nothing if that is no single operation.
std::optional<Update> update_by(AtomicCmpXchgInst& exchange) {
  auto* made = llvm::dyn_cast<Instruction>(bits_of(exchange.getNewValOperand()));
  if (!made || !(made->getType()->isFloatTy() || made->getType()->isDoubleTy() || made->getType()->isIntegerTy())) return std::nullopt;
  const auto operation = operation_of(*made);
  if (!operation) return std::nullopt;
  Value* expected = bits_of(exchange.getCompareOperand());
  Value *left = made->getOperand(0), *right = made->getOperand(1);
  if (bits_of(left) == expected && bits_of(right) != expected) return Update{*operation, right};
  const bool ordered = *operation == AtomicRMWInst::FSub || *operation == AtomicRMWInst::Sub;
  if (!ordered && bits_of(right) == expected && bits_of(left) != expected) return Update{*operation, left};
  return std::nullopt;
}

/// The exchange of `block`, if it and at most a load of the same number are all that `block` does with memory, and it ends by asking for success. `done`
/// is where it goes then, `again` where it goes else.
AtomicCmpXchgInst* attempt_of(BasicBlock& block, BasicBlock*& done, BasicBlock*& again) {
  auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  if (!branch || !branch->isConditional()) return nullptr;
  AtomicCmpXchgInst* exchange = nullptr;
  for (Instruction& instruction : llvm::reverse(block))
    if (instruction.mayReadOrWriteMemory() && !instruction.isDebugOrPseudoInst()) {
      exchange = llvm::dyn_cast<AtomicCmpXchgInst>(&instruction);
      break;
    }
  if (!exchange || exchange->getPointerAddressSpace() != kLocalSpace || !exchange->getCompareOperand()->getType()->isIntegerTy()) return nullptr;
  bool on_success = true;
  Value *condition = branch->getCondition(), *inner = nullptr;
  while (llvm::PatternMatch::match(condition, llvm::PatternMatch::m_Not(llvm::PatternMatch::m_Value(inner)))) {
    condition = inner;
    on_success = !on_success;
  }
  if (!is_part(condition, 1, exchange)) {
    const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(condition);
    if (!compare || !compare->isEquality()) return nullptr;
    if (compare->getPredicate() == llvm::CmpInst::ICMP_NE) on_success = !on_success;
    Value *a = compare->getOperand(0), *b = compare->getOperand(1), *expected = bits_of(exchange->getCompareOperand());
    if (!(is_part(a, 0, exchange) && bits_of(b) == expected) && !(is_part(b, 0, exchange) && bits_of(a) == expected)) return nullptr;
  }
  done = branch->getSuccessor(on_success ? 0 : 1);
  again = branch->getSuccessor(on_success ? 1 : 0);
  return exchange;
}

bool is_removable_load(const Instruction& instruction) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  return load && !load->isAtomic() && !asked_volatile(*load);
}

/// Whether all that `block`, a loop of its own, does is `update` again and again, by `exchange`, until it succeeds.
bool is_retried(BasicBlock& block, AtomicCmpXchgInst& exchange, const Update& update) {
  const auto inside = [&](Value* value) {
    auto* instruction = llvm::dyn_cast<Instruction>(value);
    return instruction && instruction->getParent() == &block;
  };
  if (inside(exchange.getPointerOperand()) || inside(update.operand)) return false;
  // What it expects has been read this time around, or found by the exchange before.
  Value* expected = bits_of(exchange.getCompareOperand());
  Value* carried = expected;
  if (auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(expected); part && part->getIndices().front() == 0) carried = part->getAggregateOperand();
  llvm::LoadInst* load = nullptr;
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(carried); phi && phi->getParent() == &block) {
    Value* next = phi->getIncomingValueForBlock(&block);
    if (carried == expected ? !is_part(next, 0, &exchange) : next != &exchange) return false;
  } else {
    load = llvm::dyn_cast<llvm::LoadInst>(expected);
    if (!load || !inside(load) || load->getPointerOperand() != exchange.getPointerOperand() || !is_removable_load(*load)) return false;
  }
  for (Instruction& instruction : block) {
    if (&instruction != &exchange && &instruction != load && (instruction.mayReadOrWriteMemory() || instruction.mayHaveSideEffects()) &&
        !instruction.isDebugOrPseudoInst())
      return false;
    if (llvm::any_of(instruction.users(), [&](llvm::User* user) { return !inside(user); })) return false;
  }
  return true;
}

/// Collects all that is made of what `exchange` gives, but for `branch`. False if any of that does something.
bool collect_uses(AtomicCmpXchgInst& exchange, const Instruction* branch, llvm::SmallVectorImpl<Instruction*>& uses) {
  llvm::SmallVector<Value*, 8> pending{&exchange};
  while (!pending.empty())
    for (llvm::User* user : pending.pop_back_val()->users()) {
      auto* instruction = llvm::cast<Instruction>(user);
      if (instruction == branch || llvm::is_contained(uses, instruction)) continue;
      if (instruction->mayHaveSideEffects() || instruction->isTerminator() || instruction->mayReadOrWriteMemory()) return false;
      uses.push_back(instruction);
      pending.push_back(instruction);
    }
  return true;
}

/// Removes `exchange` with `uses`, all that is made of it.
void remove_exchange(AtomicCmpXchgInst& exchange, llvm::ArrayRef<Instruction*> uses) {
  for (Instruction* use : uses) use->replaceAllUsesWith(llvm::PoisonValue::get(use->getType()));
  for (Instruction* use : uses) use->eraseFromParent();
  llvm::SmallVector<llvm::WeakTrackingVH, 2> dead{exchange.getNewValOperand(), exchange.getCompareOperand()};
  exchange.eraseFromParent();
  llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
}

/// Removes what only exchanges asked for, loads too.
void remove_unused(BasicBlock& block) {
  for (Instruction& instruction : llvm::make_early_inc_range(llvm::reverse(block))) {
    if (!instruction.use_empty()) continue;
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (llvm::isInstructionTriviallyDead(&instruction) || (load && load->getPointerAddressSpace() == kLocalSpace && is_removable_load(*load)))
      instruction.eraseFromParent();
  }
}

/// Whether code at the begin of `done` can tell by which of two blocks it was reached.
bool tells_apart(const BasicBlock& done, const BasicBlock* a, const BasicBlock* b) {
  return llvm::any_of(done.phis(), [&](const llvm::PHINode& phi) { return phi.getIncomingValueForBlock(a) != phi.getIncomingValueForBlock(b); });
}

bool does_nothing(const BasicBlock& block) {
  return llvm::none_of(block, [](const Instruction& one) { return one.mayReadOrWriteMemory() || one.mayHaveSideEffects(); });
}

/// Takes along attempts in front of `made`, behind which comes `done`: where one fails the update is made all the same.
void take_attempts(AtomicRMWInst& made, const Update& update, BasicBlock& done) {
  BasicBlock* last = made.getParent();
  llvm::SmallVector<BasicBlock*, 16> pending{last};
  while (!pending.empty()) {
    BasicBlock* behind = pending.pop_back_val();
    for (BasicBlock* block : llvm::SmallVector<BasicBlock*, 4>(llvm::predecessors(behind))) {
      if (block->getSingleSuccessor() == behind) {
        if (does_nothing(*block)) pending.push_back(block);
        continue;
      }
      BasicBlock *succeeds = nullptr, *fails = nullptr;
      AtomicCmpXchgInst* exchange = attempt_of(*block, succeeds, fails);
      if (!exchange || succeeds != &done || fails != behind || exchange->getPointerOperand() != made.getPointerOperand()) continue;
      const auto attempted = update_by(*exchange);
      llvm::SmallVector<Instruction*, 8> uses;
      Instruction* branch = block->getTerminator();
      if (!attempted || *attempted != update || tells_apart(done, block, last) || !collect_uses(*exchange, branch, uses)) continue;
      llvm::BranchInst::Create(behind, block)->setDebugLoc(branch->getDebugLoc());
      branch->eraseFromParent();
      done.removePredecessor(block, /*KeepOneInputPHIs=*/true);
      remove_exchange(*exchange, uses);
      remove_unused(*block);
      if (does_nothing(*block)) pending.push_back(block);
    }
  }
}

/// Makes one update of the loop that `block` is, which ends at `done`, and of the attempts in front of it.
void join(BasicBlock& block, AtomicCmpXchgInst& exchange, const Update& update, BasicBlock& done) {
  auto* made = new AtomicRMWInst(update.operation, exchange.getPointerOperand(), update.operand, exchange.getAlign(), exchange.getSuccessOrdering(),
                                 exchange.getSyncScopeID(), exchange.getIterator());
  made->setVolatile(exchange.isVolatile());
  made->copyMetadata(exchange);
  block.getTerminator()->eraseFromParent();
  llvm::BranchInst::Create(&done, &block)->setDebugLoc(exchange.getDebugLoc());
  block.removePredecessor(&block, /*KeepOneInputPHIs=*/true);
  llvm::SmallVector<Instruction*, 8> uses;
  collect_uses(exchange, nullptr, uses);
  remove_exchange(exchange, uses);
  for (llvm::PHINode& phi : llvm::make_early_inc_range(block.phis()))
    if (phi.use_empty()) phi.eraseFromParent();
  take_attempts(*made, update, done);
}

/// A loop that a lane runs until the number that it has stored is still there: `count = p[i]; p[i] = f(count)`, again where `p[i] != f(count)`. Programs for
/// GPUs without atomics on local memory made updates of that, with tags of the lanes in numbers that would be equal else.
struct CheckedStore {
  llvm::LoadInst* before;
  llvm::StoreInst* store;
  llvm::LoadInst* behind;
  llvm::ICmpInst* compare;
};

/// What `block` is, if it is such a loop.
std::optional<CheckedStore> checked_store(BasicBlock& block) {
  auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  auto* compare = branch && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
  if (!compare || !compare->isEquality() || branch->getSuccessor(compare->getPredicate() == llvm::CmpInst::ICMP_NE ? 0 : 1) != &block ||
      branch->getSuccessor(0) == branch->getSuccessor(1))
    return std::nullopt;
  llvm::LoadInst *before = nullptr, *behind = nullptr;
  llvm::StoreInst* store = nullptr;
  for (Instruction& instruction : block) {
    if (llvm::any_of(instruction.users(), [&](llvm::User* user) { return llvm::cast<Instruction>(user)->getParent() != &block; })) return std::nullopt;
    if (instruction.isDebugOrPseudoInst() || (!instruction.mayReadOrWriteMemory() && !instruction.mayHaveSideEffects())) continue;
    if (instruction.isAtomic()) return std::nullopt;
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      llvm::LoadInst*& place = store ? behind : before;
      if (place) return std::nullopt;
      place = load;
    } else if (store || !(store = llvm::dyn_cast<llvm::StoreInst>(&instruction))) {
      return std::nullopt;
    }
  }
  if (!before || !store || !behind || store->getPointerAddressSpace() != kLocalSpace || !store->getValueOperand()->getType()->isIntegerTy()) return std::nullopt;
  if (before->getType() != behind->getType() || store->getValueOperand()->getType() != before->getType()) return std::nullopt;
  const Value* pointer = store->getPointerOperand();
  if (before->getPointerOperand() != pointer || behind->getPointerOperand() != pointer) return std::nullopt;
  if (const auto* address = llvm::dyn_cast<Instruction>(pointer); address && address->getParent() == &block) return std::nullopt;
  Value *a = compare->getOperand(0), *b = compare->getOperand(1);
  const bool is_checked = (a == behind && b == store->getValueOperand()) || (b == behind && a == store->getValueOperand());
  if (!is_checked || !block.phis().empty() || !behind->hasOneUse()) return std::nullopt;
  return CheckedStore{before, store, behind, compare};
}

/// Makes an exchange of the store, which succeeds where the number that has been read is still there: so do lanes that update one after the other.
void exchange_checked(const CheckedStore& checked) {
  const auto [read, stored, check, compare] = checked;
  llvm::StoreInst& store = *stored;
  read->setVolatile(true);
  read->setMetadata(primitive::kNonVolatileMetadata, llvm::MDNode::get(store.getContext(), {}));
  auto* exchange = new AtomicCmpXchgInst(store.getPointerOperand(), read, store.getValueOperand(), store.getAlign(), llvm::AtomicOrdering::Monotonic,
                                         llvm::AtomicOrdering::Monotonic, llvm::SyncScope::System, store.getIterator());
  exchange->setDebugLoc(store.getDebugLoc());
  auto* found = llvm::ExtractValueInst::Create(exchange, 0, "found", store.getIterator());
  compare->setOperand(0, found);
  compare->setOperand(1, read);
  check->eraseFromParent();
  store.eraseFromParent();
}

}  // namespace

bool join_retried_updates(llvm::Function& item, Analyses& analyses) {
  bool any = false;
  for (BasicBlock& block : item)
    if (const std::optional<CheckedStore> checked = checked_store(block)) {
      exchange_checked(*checked);
      any = true;
    }
  for (BasicBlock& block : item) {
    BasicBlock *done = nullptr, *again = nullptr;
    AtomicCmpXchgInst* exchange = attempt_of(block, done, again);
    if (!exchange || again != &block || done == &block) continue;
    const auto update = update_by(*exchange);
    if (!update || !is_retried(block, *exchange, *update)) continue;
    join(block, *exchange, *update, *done);
    any = true;
  }
  if (!any) return false;
  for (BasicBlock* block : llvm::post_order(&item)) remove_unused(*block);
  analyses.invalidate(item);
  return true;
}

}  // namespace weft::compiler::simt
