#include "compiler/simt/item/load_order.h"

#include "compiler/simt/item/specialize_images.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/GenericUniformityInfo.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Instructions.h"

#include <queue>
#include <vector>

namespace weft::compiler::simt {

using llvm::Instruction;

namespace {

/// Whether it takes registers: arguments and what a launch says are known before anything is, and what all lanes share is an operand in memory.
bool is_read(const Instruction& instruction, const llvm::UniformityInfo& uniformity) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  if (!load) return false;
  return load->hasMetadata(kTexelMetadata) || (!load->hasMetadata(llvm::LLVMContext::MD_invariant_load) && uniformity.isDivergent(load));
}

/// Puts instructions in front of a block's terminator one by one.
class LoadOrder {
 public:
  LoadOrder(llvm::BasicBlock& block, const llvm::UniformityInfo& uniformity) : block_(block) {
    unsigned number = 0;
    for (Instruction& instruction : block) {
      if (instruction.isTerminator() || llvm::isa<llvm::PHINode>(instruction)) continue;
      numbers_[&instruction] = number++;
      const bool reads = is_read(instruction, uniformity);
      if (!reads && llvm::isa<llvm::LoadInst>(instruction)) shared_.push_back(&instruction);
      bool depends = reads || llvm::isa<llvm::StoreInst>(instruction);
      for (const llvm::Value* operand : instruction.operands()) depends |= depends_.contains(operand);
      if (!depends) continue;
      depends_.insert(&instruction);
      (reads ? loads_ : rest_).push_back(&instruction);
    }
  }

  void run() {
    for (Instruction* instruction : llvm::concat<Instruction*>(loads_, rest_)) {
      unsigned& waits = waits_[instruction];
      for (const llvm::Value* operand : instruction->operands()) waits += depends_.contains(operand);
    }
    for (Instruction* instruction : rest_)
      if (!waits_[instruction]) ready_.push(numbers_[instruction]);
    in_order_.assign(numbers_.size(), nullptr);
    for (const auto& [instruction, number] : numbers_) in_order_[number] = instruction;
    while (true) {
      if (!ready_.empty()) {
        Instruction& next = *in_order_[ready_.top()];
        ready_.pop();
        // Stores stay behind all loads, and in their order.
        if (llvm::isa<llvm::StoreInst>(next)) stores_.push_back(&next);
        else place(next);
      } else if (Instruction* load = next_load()) {
        llvm::erase(loads_, load);
        place(*load);
      } else {
        break;
      }
    }
    for (Instruction* load : shared_) place(*load);
    llvm::sort(stores_, [&](Instruction* a, Instruction* b) { return numbers_[a] < numbers_[b]; });
    for (Instruction* store : stores_) place(*store);
    // Results that nothing here depends on: addresses and uniform values that other blocks use.
    for (Instruction* instruction : in_order_)
      if (!placed_.contains(instruction)) place(*instruction);
  }

 private:
  /// Of what meets other values behind `value`, and of what ends here, how much can follow it, and how much there is.
  void count_meetings(const Instruction& value, unsigned& ready, unsigned& all) const {
    for (const llvm::User* user : value.users()) {
      const auto* instruction = llvm::cast<Instruction>(user);
      if (instruction->getParent() != &block_ || instruction->isTerminator()) continue;
      // The components of a vector that is put together come together.
      const auto depends = [&](const llvm::Value* operand) { return depends_.contains(operand); };
      const bool meets = !llvm::isa<llvm::InsertElementInst>(instruction) && llvm::count_if(instruction->operands(), depends) > 1;
      if (!meets && !instruction->use_empty()) {
        count_meetings(*instruction, ready, all);
      } else {
        ++all;
        ready += waits_.lookup(instruction) == 1;
      }
    }
  }

  /// The load after which the largest part of what is made of it can follow.
  Instruction* next_load() {
    Instruction* best = nullptr;
    double most = -1;
    for (Instruction* load : loads_) {
      if (waits_[load]) continue;
      unsigned users = 0, ready = 0;
      count_meetings(*load, ready, users);
      const double part = users ? 1.0 * ready / users : 0;
      if (part > most) {
        best = load;
        most = part;
      }
    }
    return best;
  }

  void place(Instruction& instruction) {
    if (!placed_.insert(&instruction).second) return;
    for (llvm::Value* operand : instruction.operands()) {
      auto* before = llvm::dyn_cast<Instruction>(operand);
      if (before && numbers_.contains(before)) place(*before);
    }
    instruction.moveBefore(block_.getTerminator());
    if (!depends_.contains(&instruction)) return;
    for (llvm::Use& use : instruction.uses()) {
      auto* user = llvm::cast<Instruction>(use.getUser());
      if (numbers_.contains(user) && --waits_[user] == 0 && !llvm::isa<llvm::LoadInst>(user)) ready_.push(numbers_[user]);
    }
  }

  llvm::BasicBlock& block_;
  llvm::DenseMap<Instruction*, unsigned> numbers_;   ///< places in the block as it was
  std::vector<Instruction*> in_order_;
  llvm::DenseSet<const llvm::Value*> depends_;       ///< loads, and what is computed from them
  llvm::SmallVector<Instruction*, 64> loads_, rest_, stores_;
  llvm::SmallVector<Instruction*, 64> shared_;       ///< loads in front of what needs them first, and of the stores
  llvm::DenseMap<const Instruction*, unsigned> waits_;  ///< for so many operands
  std::priority_queue<unsigned, std::vector<unsigned>, std::greater<>> ready_;
  llvm::DenseSet<const Instruction*> placed_;
};

}  // namespace

void order_by_loads(llvm::BasicBlock& block, const llvm::UniformityInfo& uniformity) { LoadOrder(block, uniformity).run(); }

}  // namespace weft::compiler::simt
