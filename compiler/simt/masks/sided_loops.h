// Loops whose lanes load on one side of a diagonal or on the other.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/UniformityAnalysis.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace llvm {
class DominatorTree;
class Function;
class ICmpInst;
class Loop;
class SCEV;
class ScalarEvolution;
}  // namespace llvm

namespace weft::compiler::simt {

class Analyses;

/// A number in any iteration: `base` and between `low` and `high` more, as 32 bits wrap around.
struct Range {
  const llvm::SCEV* base;
  std::int64_t low = 0, high = 0;

  void include(const Range& other) {
    low = std::min(low, other.low);
    high = std::max(high, other.high);
  }
};

/// Comparisons of what differs by the same number in front of a loop, and how far both go from there.
struct Sides {
  Range left, right;
  bool has_unsigned = false;
  llvm::SmallVector<std::pair<llvm::ICmpInst*, bool>, 16> comparisons = {};  ///< true: their operands the other way round
};

/// The comparisons in `loop`, of a count that is known, by which lanes part, of two numbers that keep their distance for most of them, and which choose what lanes
/// load from global memory, or whether they do; none if there are none or few.
std::optional<Sides> sides_of(const llvm::Loop& loop, llvm::ScalarEvolution& evolution, const llvm::UniformityInfo& uniformity,
                              const llvm::DominatorTree& dominators);

/// Loops of `kernel` that a program asks to unroll, and that choose so, stay loops, and those of few iterations around them: what is known of a side then
/// is known of one iteration, and each copy for a side is as small. Loops whose counters index private arrays are unrolled as before, and small ones.
void keep_sided_loops(llvm::Function& kernel, Analyses& analyses);

/// Such loops are as the program has them from here on.
void release_sided_loops(llvm::Function& item);

/// Such loops are as any, which are unrolled where that gains.
void forget_sided_loops(llvm::Function& region);

/// Whether `loop` is one that the program asks to unroll and that has been kept.
bool is_kept(const llvm::Loop& loop);

}  // namespace weft::compiler::simt
