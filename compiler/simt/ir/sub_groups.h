// Primitives through which the work-items of a sub-group speak to each other: work-items of consecutive linear local ids, of which those
// take part that execute the call together. A sub-group is a warp of 32. Where a kernel requires less it is 8 or 16 lanes of one until
// narrow_sub_groups (item/sub_group_size.h), which leaves primitives of warps alone. These have the same names with __weft_warp_.
//
//   i32 __weft_sub_group_lane()                     0 to 31
//   i32 __weft_sub_group_id()                       of the sub-group in its group; uniform
//   i32 __weft_sub_group_ballot(i1)                 a bit for each participant whose argument is true; uniform
//   T __weft_sub_group_first_T(T)                   the value of the first participant; uniform
//   T __weft_sub_group_broadcast_T(T, i32 lane)     the value in `lane`, which is the same in all lanes; uniform
//   T __weft_sub_group_shuffle_T(T, i32 lane)       the value in `lane` modulo 32; any value if that does not take part
//   T __weft_sub_group_reduce_OP_T(T)               of all participants; uniform
//   T __weft_sub_group_cluster_OP_T(T, i32 size)    of those in the same `size` lanes, a power of two
//   T __weft_sub_group_inclusive_OP_T(T)            of participants in lanes up to this one
//   T __weft_sub_group_exclusive_OP_T(T)            of participants in lanes before this one; the identity where there is none
//   T __weft_warp_segment_inclusive_OP_T(T, i32 size), _exclusive_: of those in the same `size` lanes, a constant power of two
//
// T is i8, i16, i32, i64, f16, f32 or f64; shuffles, broadcasts and `first` know integers only. All but the first two are convergent.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <optional>

namespace llvm {
class Function;
class Value;
}  // namespace llvm

namespace weft::compiler::simt {

struct SubGroupCall {
  enum class Kind { kLane, kId, kBallot, kFirst, kBroadcast, kShuffle, kReduce, kCluster, kInclusive, kExclusive };
  enum class Operation { kNone, kAdd, kMul, kMin, kMax, kMinUnsigned, kMaxUnsigned, kAnd, kOr, kXor };
  Kind kind;
  Operation operation = Operation::kNone;

  /// Depends on which work-items execute it together.
  bool is_convergent() const { return kind != Kind::kLane && kind != Kind::kId; }
  /// The same in all lanes of the warp, whatever the arguments are.
  bool is_uniform() const {
    return kind != Kind::kLane && kind != Kind::kShuffle && kind != Kind::kCluster && kind != Kind::kInclusive &&
           kind != Kind::kExclusive;
  }
};

/// What the function of this name is, if it is one of a sub-group's or a warp's primitives.
std::optional<SubGroupCall> sub_group_primitive(llvm::StringRef name);
/// What `value` is a call of, if it is one of them.
std::optional<SubGroupCall> sub_group_call(const llvm::Value& value);

/// True if the code has to run as bodies of one warp of one group: in larger ones, what is a sub-group's would not be the body's.
bool uses_sub_groups(const llvm::Function& function);

}  // namespace weft::compiler::simt
