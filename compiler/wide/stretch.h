// A stretch of pure wide instructions, and how it falls into strips that fit the vector registers.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>

#include "compiler/target/costs.h"

namespace llvm {
class BasicBlock;
class Instruction;
class Type;
class Value;
}  // namespace llvm

namespace weft::compiler::wide {

/// One register's worth of every value of a group of instructions that use each other.
struct Piece {
  unsigned group;
  unsigned index;
};
using Strip = llvm::SmallVector<Piece, 16>;

/// Instructions in their order, each of which computes an element of its value from the same element of its operands.
class Stretch {
 public:
  /// All of `loop`, a block that is a loop; null: a part of a block.
  Stretch(const llvm::BasicBlock* loop, const target::Costs& costs) : loop_(loop), costs_(&costs) {}

  static bool can_split(const llvm::Instruction& instruction);
  /// Of an instruction that cannot be split: a stretch may be moved behind it.
  static bool can_be_passed(const llvm::Instruction& instruction);

  void add(llvm::Instruction& instruction);
  llvm::ArrayRef<llvm::Instruction*> instructions() const { return instructions_; }
  bool contains(const llvm::Value* value) const { return place_.contains(value); }
  bool feeds(const llvm::Instruction& user) const;
  /// Others than the stretch use `instruction`.
  bool is_result(const llvm::Instruction& instruction) const;

  /// Divides the stretch into strips; none if it is best left whole. To be called before what follows.
  llvm::SmallVector<Strip, 8> strips();
  unsigned operations() const;  ///< of all pieces
  unsigned group(const llvm::Instruction* instruction) const;
  unsigned pieces(const llvm::Instruction* instruction) const { return groups_[group(instruction)].pieces; }
  unsigned piece_elements(const llvm::Instruction* instruction) const { return groups_[group(instruction)].elements; }

 private:
  struct Group {
    unsigned pieces = 1;
    unsigned elements = 0;  ///< of a piece
    unsigned registers = 0;  ///< the most that a piece's values occupy at once
  };
  void find_groups();
  void size_group(unsigned group);
  unsigned peak(const unsigned* group) const;
  unsigned depth() const;
  bool computes_enough() const;
  unsigned weight(const llvm::Value& value, unsigned elements) const;

  const llvm::BasicBlock* loop_;
  const target::Costs* costs_;
  llvm::SmallVector<llvm::Instruction*, 64> instructions_;
  llvm::DenseMap<const llvm::Value*, unsigned> place_;  ///< in instructions_
  llvm::SmallVector<unsigned, 64> group_;               ///< of each instruction
  llvm::SmallVector<Group, 16> groups_;
};

/// `value` has the same elements again and again, so that a piece of it costs one register for all.
bool is_broadcast(const llvm::Value& value);
/// The vector registers that a value of `type` occupies.
unsigned registers_of(llvm::Type& type);

}  // namespace weft::compiler::wide
