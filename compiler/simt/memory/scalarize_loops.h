// Loops that run for one lane after the other.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/STLFunctionalExtras.h>

#include <cstdint>
#include <memory>

#include "compiler/compiler_api.h"
#include "compiler/passes/pass_control.h"
#include "compiler/target/vectors.h"

namespace llvm {
class Function;
class Loop;
class TargetMachine;
}  // namespace llvm

namespace weft::compiler::simt {

class Analyses;

/// Of lanes whose functions run beside each other (widen/lanes_beside.h): as many as programs for CPUs take at once, and values that differ between them for
/// which x86-64 has registers, beside those of the moment.
inline constexpr unsigned kMostLanesBeside = 4, kMostValuesBeside = 16;

/// A loop that reads what nothing in it writes, and otherwise writes nothing but private memory, gives each lane the same
/// whether the lanes run it side by side or one after the other (docs/lockstep.md). Where its accesses lie in all
/// directions (bytes of a block for each lane, counted in a private array), a lane at a time is faster: plain loads in
/// place of gathers, and a loop that LLVM knows how to unroll. Sums of products are fused or not, as is faster (awaited_sums.h).
///
/// Its stores to other memory may go along if no order of theirs can be told (same_stores.h).
///
/// So does a loop that tries an update again until nobody has come between (retry_loops.h), always: side by side its lanes would let one
/// through each time around.
///
/// Loops of a handful of iterations stay as they are (few_iterations.h), and of those that do not, lanes with short rows go along theirs in vectors
/// (short_rows.h), or those of all lanes are one loop (flat_rows.h).
///
/// Each such loop of `region`, with the stores before it that fill its private arrays, becomes a call of a function of one
/// lane, `<region>.by_lane`, which takes and returns what crosses its border. Widening makes a loop over the live lanes of
/// the call; then it is inlined.
/// `private_stride` is as in Shapes.
void scalarize_loops(llvm::Function& region, const Specialization& specialization, unsigned lanes,
                     llvm::function_ref<std::uint32_t(unsigned)> private_stride, const VectorTraits& traits,
                     const llvm::TargetMachine& machine, Analyses& analyses, const passes::PassControl& control);

/// Whether it is worth it (loop_costs.cpp).
class LoopCosts {
 public:
  LoopCosts(llvm::Function& region, const Specialization& specialization, unsigned lanes,
            llvm::function_ref<std::uint32_t(unsigned)> private_stride, const VectorTraits& traits,
            const llvm::TargetMachine& machine, Analyses& analyses);
  ~LoopCosts();
  LoopCosts(const LoopCosts&) = delete;
  LoopCosts& operator=(const LoopCosts&) = delete;
  /// Of several loops together.
  bool faster_scalar(llvm::ArrayRef<const llvm::Loop*> some);
  /// Iterations of the lane with the most up to which the innermost `loop`, which lanes leave one by one, is faster side by side; 0 where
  /// memory of each lane's own lies for one of the two.
  unsigned few_iterations(const llvm::Loop& loop);
  /// Of 32 lanes that get to the innermost `loop` those up to which it is faster for one after the other; 0 where memory of each lane's own lies for one
  /// of the two.
  unsigned few_lanes(const llvm::Loop& loop);
  /// Whether the innermost `loop` is worth a copy of its own for one lane alone (lone_lanes.h).
  bool gains_alone(const llvm::Loop& loop);
  /// Whether both access a private variable, which then lies for both as it serves one.
  static bool share_memory(const llvm::Loop& loop, const llvm::Loop& other);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace weft::compiler::simt
