#include "compiler/simt/masks/block_values.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <map>
#include <queue>
#include <vector>

namespace weft::compiler::simt {
namespace {

using llvm::AllocaInst;
using llvm::BasicBlock;
using llvm::Instruction;
using llvm::PHINode;
using llvm::Value;

/// A value's variable, and the blocks, by their numbers, in which it holds what may still be asked for.
struct Slot {
  AllocaInst* variable;
  unsigned first, last;
  void meet(unsigned block) {
    first = std::min(first, block);
    last = std::max(last, block);
  }
};

/// The edges that lead back in the order, for the question how far back edges into a range come from.
class BackEdges {
 public:
  explicit BackEdges(unsigned num_blocks) : furthest_(1, std::vector<unsigned>(num_blocks, 0)) {}
  void add(unsigned from, unsigned to) { furthest_[0][to] = std::max(furthest_[0][to], from); }
  /// After the last add().
  void index() {
    const unsigned size = furthest_[0].size();
    for (unsigned width = 1; 2 * width <= size; width *= 2) {
      const std::vector<unsigned>& half = furthest_.back();
      std::vector<unsigned> row(size - 2 * width + 1);
      for (unsigned i = 0; i < row.size(); ++i) row[i] = std::max(half[i], half[i + width]);
      furthest_.push_back(std::move(row));
    }
  }
  /// The last block from which an edge leads back to one of `first` to `last`; 0 for none.
  unsigned furthest(unsigned first, unsigned last) const {
    if (first > last) return 0;
    const unsigned level = llvm::Log2_32(last - first + 1);
    return std::max(furthest_[level][first], furthest_[level][last + 1 - (1u << level)]);
  }

 private:
  std::vector<std::vector<unsigned>> furthest_;  ///< by log2 of the number of blocks and the first one
};

/// Takes the parts of structs, which atomics and arithmetic that may overflow give, where those are made: a part can be kept.
void take_structs_apart(llvm::ArrayRef<BasicBlock*> order) {
  for (BasicBlock* block : order) {
    for (Instruction& instruction : llvm::make_early_inc_range(*block)) {
      auto* whole = llvm::isa<llvm::ExtractValueInst>(instruction) ? llvm::dyn_cast<Instruction>(instruction.getOperand(0)) : nullptr;
      if (whole && whole->getParent() != block) instruction.moveBefore(*whole->getParent(), *whole->getInsertionPointAfterDef());
    }
  }
}

class BlockValues {
 public:
  explicit BlockValues(llvm::ArrayRef<BasicBlock*> order) : order_(order), entry_(*order.front()), back_edges_(order.size()) {
    for (unsigned i = 0; i < order.size(); ++i) {
      number_[order[i]] = i;
      front_.push_back(&*order[i]->getFirstInsertionPt());
    }
    for (unsigned i = 0; i < order.size(); ++i)
      for (BasicBlock* next : llvm::successors(order[i]))
        if (number_[next] <= i) back_edges_.add(i, number_[next]);
    back_edges_.index();
  }

  void run() {
    llvm::SmallVector<PHINode*, 0> phis;
    llvm::SmallVector<llvm::Use*, 0> uses;
    for (BasicBlock* block : order_)
      for (Instruction& instruction : *block) {
        if (auto* phi = llvm::dyn_cast<PHINode>(&instruction)) {
          phis.push_back(phi);
          continue;
        }
        for (llvm::Use& use : instruction.operands())
          if (crosses(use.get(), *block)) uses.push_back(&use);
      }
    // What is stored for phis is found while they are phis: each holds what it had when its block began.
    struct Incoming {
      PHINode* phi;
      BasicBlock* from;
      Value* value;
    };
    llvm::SmallVector<Incoming, 0> incoming;
    for (PHINode* phi : phis) {
      llvm::SmallPtrSet<BasicBlock*, 8> seen;
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
        BasicBlock* from = phi->getIncomingBlock(i);
        Value* value = phi->getIncomingValue(i);
        if (!seen.insert(from).second || llvm::isa<llvm::UndefValue>(value)) continue;
        incoming.push_back({phi, from, crosses(value, *from) ? in_block(value, *from) : value});
      }
    }
    for (llvm::Use* use : uses) use->set(in_block(use->get(), *llvm::cast<Instruction>(use->getUser())->getParent()));
    for (const auto& [value, slot] : slots_) store_where_defined(*value, slot);
    extend_over_cycles();
    for (const Incoming& entry : incoming) {
      Slot& slot = phi_slot(*entry.phi);
      slot.meet(number_[entry.from]);
      store(*entry.value, slot, *entry.from->getTerminator());
    }
    for (PHINode* phi : phis) replace(*phi);
    share_variables();
  }

 private:
  /// Whether `value` is of a block that neither is `block` nor dominates all.
  bool crosses(const Value* value, const BasicBlock& block) const {
    const auto* instruction = llvm::dyn_cast<Instruction>(value);
    return instruction && instruction->getParent() != &block && instruction->getParent() != &entry_;
  }

  static bool is_address(const Instruction& instruction) {
    return llvm::isa<llvm::GetElementPtrInst, llvm::AddrSpaceCastInst>(instruction) && !instruction.getType()->isVectorTy();
  }

  Slot new_slot(llvm::Type* type, const llvm::Twine& name, unsigned block) {
    llvm::IRBuilder<> builder(&entry_, entry_.begin());
    if (type->isIntegerTy(1)) type = builder.getInt8Ty();
    return {builder.CreateAlloca(type, nullptr, name), block, block};
  }

  Slot& slot_of(Instruction& value) {
    const auto [found, is_new] = slots_.insert({&value, {}});
    if (is_new) found->second = new_slot(value.getType(), value.getName() + ".slot", number_[value.getParent()]);
    return found->second;
  }
  Slot& phi_slot(PHINode& phi) {
    const auto [found, is_new] = phi_slots_.insert({&phi, {}});
    if (is_new) found->second = new_slot(phi.getType(), phi.getName() + ".next", number_[phi.getParent()]);
    return found->second;
  }

  static Value* load(const Slot& slot, llvm::Type* type, const llvm::Twine& name, Instruction& before) {
    llvm::IRBuilder<> builder(&before);
    Value* value = builder.CreateLoad(slot.variable->getAllocatedType(), slot.variable, name);
    return type->isIntegerTy(1) ? builder.CreateTrunc(value, type, name) : value;
  }
  static void store(Value& value, const Slot& slot, Instruction& before) {
    llvm::IRBuilder<> builder(&before);
    builder.CreateStore(value.getType()->isIntegerTy(1) ? builder.CreateZExt(&value, builder.getInt8Ty()) : &value, slot.variable);
  }

  /// `value`, which crosses() to `block`, as an instruction at its front.
  Value* in_block(Value* value, BasicBlock& block) {
    const auto key = std::make_pair(value, &block);
    if (Value* known = copies_.lookup(key)) return known;
    auto& instruction = llvm::cast<Instruction>(*value);
    const unsigned number = number_[&block];
    Value* made = nullptr;
    if (is_address(instruction)) {
      Instruction* clone = instruction.clone();
      for (llvm::Use& operand : clone->operands())
        if (crosses(operand.get(), block)) operand.set(in_block(operand.get(), block));
      clone->setName(instruction.getName());
      clone->insertBefore(front_[number]);
      made = clone;
    } else {
      Slot& slot = slot_of(instruction);
      slot.meet(number);
      made = load(slot, value->getType(), value->getName(), *front_[number]);
    }
    copies_[key] = made;
    return made;
  }

  void store_where_defined(Instruction& value, const Slot& slot) {
    const auto after = llvm::isa<PHINode>(value) ? value.getParent()->getFirstInsertionPt() : std::next(value.getIterator());
    store(value, slot, *after);
  }

  /// Values stay alive as long as a path leads to a use: one that leaves the blocks between the definition and the last use comes
  /// back by an edge into them. (It cannot come back to the definition's block or before, which is a new definition.)
  void extend_over_cycles() {
    for (auto& [value, slot] : slots_)
      for (;;) {
        const unsigned furthest = back_edges_.furthest(slot.first + 1, slot.last);
        if (furthest <= slot.last) break;
        slot.last = furthest;
      }
  }

  void replace(PHINode& phi) {
    Value* value = llvm::PoisonValue::get(phi.getType());
    if (phi_slots_.contains(&phi)) value = load(phi_slots_.find(&phi)->second, phi.getType(), phi.getName(), *phi.getParent()->begin());
    phi.replaceAllUsesWith(value);
    phi.eraseFromParent();
  }

  /// Gives values of one type that are not alive in one block one variable.
  void share_variables() {
    std::vector<Slot> slots;
    for (const auto& entry : slots_) slots.push_back(entry.second);
    for (const auto& entry : phi_slots_) slots.push_back(entry.second);
    llvm::stable_sort(slots, [](const Slot& a, const Slot& b) { return a.first < b.first; });
    using Busy = std::pair<unsigned, AllocaInst*>;
    const auto later = [](const Busy& a, const Busy& b) { return a.first > b.first; };
    using Queue = std::priority_queue<Busy, std::vector<Busy>, decltype(later)>;
    llvm::MapVector<llvm::Type*, Queue> variables;
    for (const Slot& slot : slots) {
      Queue& queue = variables.insert({slot.variable->getAllocatedType(), Queue(later)}).first->second;
      AllocaInst* variable = slot.variable;
      if (!queue.empty() && queue.top().first < slot.first) {
        variable = queue.top().second;
        queue.pop();
        slot.variable->replaceAllUsesWith(variable);
        slot.variable->eraseFromParent();
      }
      queue.push({slot.last, variable});
    }
  }

  llvm::ArrayRef<BasicBlock*> order_;
  BasicBlock& entry_;
  BackEdges back_edges_;
  llvm::DenseMap<BasicBlock*, unsigned> number_;
  std::vector<Instruction*> front_;  ///< the first instruction of each block that is no phi, as the program has it
  llvm::MapVector<Instruction*, Slot> slots_;
  llvm::MapVector<PHINode*, Slot> phi_slots_;  ///< what a phi will be when its block begins
  llvm::DenseMap<std::pair<Value*, BasicBlock*>, Value*> copies_;
};

}  // namespace

void keep_values_in_memory(llvm::ArrayRef<BasicBlock*> order) {
  take_structs_apart(order);
  BlockValues(order).run();
}

}  // namespace weft::compiler::simt
