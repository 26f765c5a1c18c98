// What each register block of a loop makes for itself.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>

#include <utility>

namespace llvm {
class BasicBlock;
class Instruction;
class Value;
}  // namespace llvm

namespace weft::compiler::wide {

/// What stands in a loop's block beside its range: what cannot be split, and what that alone is made of, as loads that are shuffled.
class RepeatedWork {
 public:
  explicit RepeatedWork(const llvm::BasicBlock& loop);

  /// Loads of `loop` that chains share which have nothing else in common, each of which multiplies by a number that all lanes have alike: as
  /// columns of a product by several rows. Where they stand beside the range, a register block need not have all of these chains.
  void leave_shared_loads(const llvm::BasicBlock& loop);

  bool is_beside(const llvm::Instruction& instruction) const { return beside_.contains(&instruction); }
  /// Operations that all beside the range take of which `values` are made, for one register of each.
  double to_make(llvm::ArrayRef<const llvm::Value*> values) const;

 private:
  llvm::SmallPtrSet<const llvm::Instruction*, 32> beside_;
};

/// Of each element of a vector, what it is an element of, through all shuffles, and which; null: any.
llvm::SmallVector<std::pair<const llvm::Value*, unsigned>, 128> origins(const llvm::Value& value);
/// Of each piece of `elements` elements of `value`, the first piece that is the same.
llvm::SmallVector<unsigned, 8> equal_pieces(const llvm::Value& value, unsigned elements);

}  // namespace weft::compiler::wide
