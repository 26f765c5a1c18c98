// Rows of all lanes as one loop over their elements.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>

#include <cstdint>
#include <optional>

#include "compiler/target/vectors.h"

namespace llvm {
class Argument;
class BasicBlock;
class CallInst;
class Function;
class Instruction;
class Loop;
class PHINode;
class Value;
}  // namespace llvm

namespace weft::compiler::simt {

/// Where a lane's turn at a row ends, the processor does not foresee, and rows of a dozen elements take twice what their elements do. Rows that lie one behind
/// the other, as those of a sparse matrix or the neighbours in a graph, are one loop:
///
///   for each lane: { sum = 0; for (k = begin; k < end; ++k) sum += value[k] * x[column[k]]; }
///   =>
///   for all elements of all lanes: { sum += value[k] * x[column[k]]; sums[k] = sum; sum = goes_on[k] ? sum : 0; }
///   for each lane: sum = sums[end - 1];
///
/// which ends once. As each element waits for the one in front, the lanes are dealt to two such loops that run side by side, in halves of about as many
/// elements. Where rows are all of a length, their ends are foreseen; where they are long, the ends matter little; and elsewhere rows lie anywhere: that is
/// asked in front, and the lanes have their turns then (widen/flat_loop.h).
///
/// This is the loop of a function of one lane (by_lane.h) that may run so: innermost, it writes nothing, and ends at its end.
struct FlatRows {
  /// Null where `one` is no such function; `is_shared` tells of its arguments which are the same for all lanes.
  static std::optional<FlatRows> find(llvm::Function& one, llvm::ArrayRef<bool> is_shared);

  /// What goes on by a step with each iteration: a number.
  struct Counter {
    llvm::PHINode* phi;
    llvm::Value* first;
    std::int64_t step;
  };
  /// Whatever else an iteration has from the one before.
  struct Sum {
    llvm::PHINode* phi;
    llvm::Value *first, *next;
  };

  llvm::BasicBlock* front;  ///< the function's entry: what the lanes share
  llvm::BasicBlock *header, *latch;
  llvm::SmallVector<llvm::BasicBlock*, 4> blocks;
  llvm::SmallVector<Counter, 4> counters;
  llvm::SmallVector<Sum, 4> sums;
  llvm::SmallVector<llvm::Value*, 4> results;              ///< the last iteration's
  llvm::SmallPtrSet<const llvm::Instruction*, 32> needed;  ///< of the loop, for these
  llvm::SmallVector<llvm::Argument*, 4> own;               ///< each lane's, that the iterations take

  /// Whether `loop`, not yet a function of its own, may be one of these: where its rows begin, a list tells. Not where processors gather so fast that pieces of
  /// eight elements are faster (short_rows.h).
  static bool may_serve(const llvm::Loop& loop, const VectorTraits& traits);

 private:
  bool take_loop(llvm::Function& one);
  bool take_results();
  void take_needed();
};

/// Has a call of a function of one lane, where it is a loop over a row, tell how many iterations the lane has: `again` and one. In place of `call`, which is
/// gone then, stands a call of a function that takes that number first.
void tell_iterations(llvm::CallInst& call, llvm::Value& again);

/// The function of one lane that `function` stands for and which it calls with its other arguments; null where its first one is no number of iterations.
llvm::Function* with_iterations(const llvm::Function& function);

}  // namespace weft::compiler::simt
