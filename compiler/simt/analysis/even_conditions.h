// Conditions on which the lanes of a warp agree almost always.
#pragma once

#include <llvm/ADT/GenericUniformityInfo.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Analysis/UniformityAnalysis.h>

#include <cstdint>

namespace llvm {
class Instruction;
class Loop;
class ScalarEvolution;
class Value;
}  // namespace llvm

namespace weft::compiler::simt {

class Shapes;

/// On the branch past all of a kernel for work-items beyond the last group, which the last block of groups side by side in a row may have (item/lower_args.cpp):
/// a bound of the range, though nothing in it is a place there.
inline constexpr llvm::StringLiteral kBeyondGroupsMetadata = "weft.beyond.groups";

/// Whether lanes leave `loop` by `condition`, which its latch branches on, in the same iteration or one apart: a progression over the
/// lanes is compared with what they share, and an iteration steps over all of them. So a loop ends that strides by the size of a
/// group or of all groups.
bool is_even_exit(const llvm::Value& condition, const llvm::Loop& loop, const Shapes& shapes, llvm::ScalarEvolution& evolution);

/// Whether `condition` compares a place in the whole range with what lanes share, so that it is `value` in the last groups alone, as in
/// `if (get_global_id(0) < n)`, or in those that have single places, as in `if (x == 0 || x == width - 1) return`.
bool is_bound_of_range(const llvm::Value& condition, bool value, const Shapes& shapes);

/// Says of `load`, which brings `condition` to another region of the kernel, for which values it is such a bound: seen from there it has no shape.
void mark_bound_of_range(llvm::Instruction& load, const llvm::Value& condition, const llvm::UniformityInfo& uniformity);

/// Whether `condition` compares a place in a group of `items` work-items, several warps, with what lanes share, so that at most one warp's lanes
/// differ, as in the steps of a tree: `if (l < s) t[l] += t[l + s]`. Nothing that no warp could have for all of its lanes.
bool is_bound_of_group(const llvm::Value& condition, const Shapes& shapes, std::uint32_t items);

}  // namespace weft::compiler::simt
