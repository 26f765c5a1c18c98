// A range of pure wide instructions that splits into register blocks, which fit the vector registers.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>

#include <optional>

#include "compiler/target/costs.h"

namespace llvm {
class BasicBlock;
class FixedVectorType;
class Instruction;
class StoreInst;
class Type;
class Value;
}  // namespace llvm

namespace weft::compiler::wide {

/// One register's worth of every value in a group of instructions that use each other.
struct Piece {
  unsigned group;
  unsigned index;
};
/// Pieces that run together and fit the registers.
using RegisterBlock = llvm::SmallVector<Piece, 16>;

/// Instructions, in order, that each compute an element of their value from the same element of their operands.
class SplittableRange {
 public:
  /// `loop` is a block that is a loop and that the range fills; null: the range is a part of a block.
  SplittableRange(const llvm::BasicBlock* loop, const target::Costs& costs) : loop_(loop), costs_(&costs) {}

  static bool can_split(const llvm::Instruction& instruction);
  /// Whether `store`, of a part of a block, may be one of the range: of a value made in it, and no other access of the range can tell whether the pieces of
  /// one register block are stored before another's are loaded.
  bool can_store(const llvm::StoreInst& store) const;
  /// Whether a range may move behind `instruction`, which cannot be split.
  static bool can_move_past(const llvm::Instruction& instruction);

  void add(llvm::Instruction& instruction);
  llvm::ArrayRef<llvm::Instruction*> instructions() const { return instructions_; }
  bool contains(const llvm::Value* value) const { return place_.contains(value); }
  bool feeds(const llvm::Instruction& user) const;
  /// Whether instructions outside the range use `instruction`.
  bool is_result(const llvm::Instruction& instruction) const;
  bool has_stores() const { return has_stores_; }
  /// Of a part of a block: whether it reads whole lines of 64 bytes of many rows, each loaded in pieces and transposed (simt/memory/walked_pieces.h). Then the
  /// pieces of one register block's rows have to be loaded together, before those of others throw their lines out.
  bool has_lines() const { return has_lines_; }

  /// Of a part of a block, without mask registers: takes out of the range, and returns in order, masks that have their form from outside and all that
  /// follows from them, if that is little. With the comparison behind a hash's rounds all rounds would stay whole.
  llvm::SmallVector<llvm::Instruction*, 8> leave_out_masks();

  /// Divides the range into register blocks; none if it is best left whole. Call this before the functions below. `work`, of a loop, says
  /// what it costs to make a value that is outside of the range, in operations.
  llvm::SmallVector<RegisterBlock, 8> register_blocks(llvm::function_ref<double(const llvm::Value&)> work = {});
  unsigned operations() const;  ///< of all pieces
  /// Of an iteration: the stores and loads of values that the registers do not hold, if the range stays whole.
  unsigned spills() const;
  unsigned group(const llvm::Instruction* instruction) const;
  unsigned pieces(const llvm::Instruction* instruction) const { return groups_[group(instruction)].pieces; }
  unsigned piece_elements(const llvm::Instruction* instruction) const { return groups_[group(instruction)].elements; }

 private:
  struct Group {
    unsigned pieces = 1;
    unsigned elements = 0;  ///< of a piece
    unsigned registers = 0;  ///< the most that a piece's values occupy at once
  };
  class RowsOfBlock;
  void bring_conversions_to_users();
  /// Of the range, where they write what `load` reads.
  llvm::SmallVector<const llvm::Instruction*, 2> stores_over(const llvm::Instruction& load) const;
  void find_groups();
  void find_shared();
  void size_group(unsigned group);
  unsigned elements_of_fewest_operations(unsigned group, unsigned count, unsigned least, unsigned most) const;
  unsigned operations_of(const llvm::Instruction& instruction, unsigned elements) const;
  unsigned peak(const unsigned* group) const;
  unsigned peak_in_turn() const;
  unsigned depth() const;
  unsigned integer_depth() const;
  unsigned blocks_with_chains_beside(unsigned blocks, unsigned pieces, unsigned registers) const;
  bool computes_enough() const;
  bool reads_lines() const;
  bool worth_splitting(unsigned blocks) const;
  llvm::SmallVector<unsigned, 64> order_of_pieces(unsigned most_pieces) const;
  llvm::SmallVector<Piece, 64> pieces_in_order(unsigned most_pieces, llvm::function_ref<double(const llvm::Value&)> work) const;
  unsigned registers_for(const llvm::Value& value, unsigned elements) const;
  llvm::SmallVector<RegisterBlock, 8> tiles(unsigned budget) const;

  const llvm::BasicBlock* loop_;
  const target::Costs* costs_;
  llvm::SmallVector<llvm::Instruction*, 64> instructions_;
  bool has_stores_ = false, has_lines_ = false;
  llvm::DenseMap<const llvm::Value*, unsigned> place_;  ///< in instructions_
  llvm::SmallVector<unsigned, 64> group_;               ///< of each instruction
  llvm::SmallVector<Group, 16> groups_;
  /// Of a loop: values from outside the range that several groups read, as rows and columns of a block of sums; a register block has
  /// them once.
  llvm::DenseSet<const llvm::Value*> shared_;
};

/// Whether `value` repeats the same elements, so that one register serves all its pieces.
bool is_broadcast(const llvm::Value& value);
/// Whether `value` is registers' worth of other values side by side, as lanes' rows are that were transposed.
bool is_put_together(const llvm::Value& value);
/// A row that several warps of a body have alike: each register of a value is one of a load that has fewer.
struct RepeatedRow {
  const llvm::Instruction* load;
  llvm::SmallVector<unsigned, 64> sections;  ///< of each register of the value, which of the load's
};
std::optional<RepeatedRow> repeated_row(const llvm::Value& value);
/// The bits of an element of `type`, also where that is a pointer.
unsigned element_bits(const llvm::Type& type);
/// The vector registers that a value of `type` occupies.
unsigned registers_of(llvm::Type& type);
/// Of the processor.
unsigned register_count();
unsigned register_bits();
/// Null if `value` is none.
const llvm::FixedVectorType* vector_of(const llvm::Value& value);
bool is_mask(const llvm::Value& value);

}  // namespace weft::compiler::wide
