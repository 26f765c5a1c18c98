// Eight iterations of a loop over one lane's row at once, as vectors.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>

#include <cstdint>
#include <optional>

#include "compiler/target/vectors.h"

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
class Loop;
class LoopInfo;
class PHINode;
class ScalarEvolution;
class Value;
}  // namespace llvm

namespace weft::compiler::simt {

/// Elements that vectors hold: of 4 bytes a register of 256 bits.
inline constexpr unsigned kRowVector = 8;

/// A loop over a row: what its iterations make side by side, and what they carry from one to the next.
class RowVectors {
 public:
  /// Of an innermost loop with one way out, at its end, that stores nothing, and gives nothing but what it carries. None where it does more
  /// than loads of numbers, from one place after the other or from all over, and arithmetic; carries much; or chooses its way by what it
  /// carries.
  static std::optional<RowVectors> find(const llvm::Loop& loop, const llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution,
                                        const VectorTraits& traits);

  const llvm::Loop& loop() const { return *loop_; }
  /// Made of what the iterations before have left.
  bool is_carried(const llvm::Instruction& instruction) const { return carried_.contains(&instruction); }
  bool is_gathered(const llvm::Instruction& load) const { return !rows_.contains(&load); }

  /// What goes on by a step with each iteration.
  struct Counter {
    llvm::PHINode* phi;
    std::int64_t step;
  };
  llvm::ArrayRef<Counter> counters() const { return counters_; }
  /// Whatever else iterations have from the ones before.
  llvm::ArrayRef<llvm::PHINode*> sums() const { return sums_; }
  /// What is made of these, in an order in which it may be.
  llvm::ArrayRef<const llvm::Instruction*> carried() const { return order_; }
  /// What the loop takes from outside, beside where those begin.
  llvm::ArrayRef<llvm::Value*> inputs() const { return inputs_; }

  /// A function of one lane for up to kRowVector iterations, `piece(again, counters, sums, inputs)`: `again`, of 32 bits, is how many come
  /// after the first one. It returns the sums, of which there is one at least, in a struct if there are more.
  llvm::Function* emit(llvm::Function& region) const;

 private:
  explicit RowVectors(const llvm::Loop& loop) : loop_(&loop) {}
  bool take_phis(llvm::ScalarEvolution& evolution);
  bool may_take(const llvm::Instruction& instruction, llvm::ScalarEvolution& evolution, const VectorTraits& traits);
  void take_inputs();

  const llvm::Loop* loop_;
  llvm::SmallVector<Counter, 4> counters_;
  llvm::SmallVector<llvm::PHINode*, 4> sums_;
  llvm::SmallVector<llvm::Value*, 8> inputs_;
  llvm::SmallPtrSet<const llvm::Instruction*, 16> carried_;
  llvm::SmallVector<const llvm::Instruction*, 16> order_;
  llvm::SmallPtrSet<const llvm::Instruction*, 8> rows_;  ///< loads of one element after the other, or of one place
};

}  // namespace weft::compiler::simt
