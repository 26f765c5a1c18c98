// How many registers the values of a range take.
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

#include "compiler/target/target.h"
#include "compiler/wide/splittable_range.h"

namespace weft::compiler::wide {
using llvm::Instruction;
using llvm::Value;

unsigned register_count() { return register_bits() >= 512 ? 32 : 16; }

unsigned SplittableRange::registers_for(const Value& value, unsigned elements) const {
  const auto* type = vector_of(value);
  if (!type) return 0;  // a store
  if (is_mask(value) && register_bits() >= 512) return 0;
  const unsigned bits = is_mask(value) ? 32 : type->getScalarSizeInBits();
  return static_cast<unsigned>(llvm::divideCeil(std::uint64_t{bits} * elements, register_bits()));
}

/// The most registers that a piece of `group` occupies at once in the instructions' order; null: all groups, whole.
unsigned SplittableRange::peak(const unsigned* group) const {
  const unsigned end = static_cast<unsigned>(instructions_.size());
  struct Life {
    unsigned from = 0;
    unsigned to = 0;
    unsigned registers = 0;
  };
  llvm::DenseMap<const Value*, Life> lives;
  for (unsigned i = 0; i < end; ++i) {
    Instruction& instruction = *instructions_[i];
    if (group && group_[i] != *group) continue;
    const Group& own = groups_[group_[i]];
    const unsigned elements = group ? own.elements : own.elements * own.pieces;
    const bool phi = llvm::isa<llvm::PHINode>(instruction);
    Life& life = lives[&instruction];
    life = {phi ? 0 : i, is_result(instruction) ? end : i, registers_for(instruction, elements)};
    // Its only user reads it straight from memory.
    if (llvm::isa<llvm::LoadInst>(instruction)) {
      if (instruction.hasOneUse() && life.to != end) life.registers = 0;
      continue;
    }
    for (Value* operand : instruction.operands()) {
      if (!vector_of(*operand) || llvm::isa<llvm::Constant>(operand)) continue;
      if (contains(operand)) continue;
      if (phi && !loop_) continue;
      if (phi && llvm::cast<llvm::PHINode>(instruction).getIncomingValueForBlock(loop_) != operand) continue;
      Life& outer = lives[operand];
      if (!outer.registers) {
        if (group && shared_.contains(operand)) {
          outer.registers = 0;
        } else if (is_broadcast(*operand)) {
          outer.registers = group ? 0 : 1;
        } else if (const auto row = repeated_row(*operand)) {
          outer.registers = group ? 0 : registers_of(*row->load->getType());
        } else {
          outer.registers = registers_for(*operand, elements);
        }
        outer.from = loop_ || i == 0 ? 0 : i - 1;
      }
      outer.to = loop_ ? end : std::max(outer.to, i);
    }
  }
  for (unsigned i = 0; i < end; ++i) {
    if (group && group_[i] != *group) continue;
    for (const Value* operand : instructions_[i]->operands())
      if (const auto found = lives.find(operand); found != lives.end() && contains(operand))
        found->second.to = llvm::isa<llvm::PHINode>(instructions_[i]) ? end : std::max(found->second.to, i);
  }
  llvm::SmallVector<int, 128> change(end + 2, 0);
  for (const auto& [value, life] : lives) {
    change[life.from] += static_cast<int>(life.registers);
    change[std::max(life.to, life.from + 1)] -= static_cast<int>(life.registers);
  }
  int now = 0;
  int most = 0;
  for (const int step : change) most = std::max(most, now += step);
  return static_cast<unsigned>(most);
}

/// The most registers of the loop at once if in each iteration a piece comes after the other: of what iterations carry all
/// pieces live, of all else that an iteration computes those of one piece.
unsigned SplittableRange::peak_in_turn() const {
  unsigned carried = 0, beside = 0;
  llvm::SmallVector<unsigned, 16> own(groups_.size(), 0);
  llvm::SmallPtrSet<const Value*, 32> seen;
  for (unsigned i = 0; i < instructions_.size(); ++i) {
    const Instruction& instruction = *instructions_[i];
    const Group& group = groups_[group_[i]];
    if (llvm::isa<llvm::PHINode>(instruction)) {
      own[group_[i]] += registers_for(instruction, group.elements);
      continue;
    }
    // Results that are no next value of a phi live to the loop's end, too.
    const bool is_next = llvm::any_of(instruction.users(), [&](const llvm::User* user) {
      return contains(user) && llvm::isa<llvm::PHINode>(user);
    });
    if (is_result(instruction) && !is_next) own[group_[i]] += registers_for(instruction, group.elements);
    if (llvm::isa<llvm::LoadInst>(instruction)) continue;
    for (const Value* operand : instruction.operands()) {
      if (!vector_of(*operand) || llvm::isa<llvm::Constant>(operand) || contains(operand)) continue;
      if (!seen.insert(operand).second) continue;
      if (is_broadcast(*operand)) beside += 1;
      else if (const auto row = repeated_row(*operand)) beside += registers_of(*row->load->getType());
      else beside += registers_for(*operand, group.elements) * group.pieces;
    }
  }
  unsigned rest = 0;
  for (unsigned group = 0; group < groups_.size(); ++group) {
    carried += own[group] * groups_[group].pieces;
    rest = std::max(rest, groups_[group].registers - std::min(groups_[group].registers, own[group]));
  }
  return carried + beside + rest;
}

unsigned SplittableRange::spills() const {
  const unsigned whole = peak(nullptr);
  return whole > register_count() ? 2 * (whole - register_count()) : 0;
}

}  // namespace weft::compiler::wide
