// What the functions of a sub-group give when work-items run one after the other.
//
// A work-item that comes to such a function stops there until all of its sub-group have stopped somewhere. Those that are furthest back
// in the program, at one place of it and in the same iterations of the loops around it, are those that execute the call together: nobody
// else can come there any more. They exchange their values and go on; the others go on waiting.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compiler/fuzz/fibers.h"

namespace weft::fuzz {

/// A call of a primitive (__weft_sub_group_KIND_OP_TYPE, __weft_warp_KIND_OP_TYPE).
struct MeetingPoint {
  enum class Kind { kBallot, kFirst, kBroadcast, kShuffle, kReduce, kCluster, kInclusive, kExclusive };
  enum class Operation { kNone, kAdd, kMul, kMin, kMax, kMinUnsigned, kMaxUnsigned, kAnd, kOr, kXor };
  Kind kind = Kind::kBallot;
  Operation operation = Operation::kNone;
  unsigned bits = 32;           ///< of a value
  bool is_float = false;
  bool of_warp = false;         ///< of all sub-groups of a warp: in functions of the work-group, to which all of them come
  unsigned position_length = 0;
};

class Meetings {
 public:
  /// Of a group with `items` work-items, none of which has stopped; `lanes` are a sub-group.
  void begin(std::size_t items, std::size_t lanes);

  /// Called by the fiber with this number: its value, extended with zeros, and the function's second argument, if it has one. `position`
  /// is of the point's length, and compares with others of the sub-group: less is further back in the program.
  std::uint64_t meet(Fibers& fibers, std::size_t fiber, std::size_t item, const MeetingPoint& point, std::uint64_t value,
                     std::uint32_t argument, const std::uint32_t* position);

  /// When all fibers have stopped: lets those of each sub-group go on that execute a call together.
  void hold(Fibers& fibers);

 private:
  struct Visitor {
    std::size_t item = 0;
    std::size_t fiber = 0;
    const MeetingPoint* point = nullptr;  ///< null: it has not stopped at one
    std::span<const std::uint32_t> position;
    std::uint64_t value = 0;
    std::uint32_t argument = 0;
    std::uint64_t result = 0;
  };
  /// Those from work-item `first` on, `lanes` at most, that are furthest back.
  std::vector<Visitor*> furthest_back(std::size_t first, std::size_t lanes);
  /// Of `lanes` work-items; lets them go on.
  static void exchange(Fibers& fibers, std::span<Visitor* const> together, std::size_t lanes);

  std::size_t lanes_ = 0;
  std::vector<Visitor> visitors_;  ///< by work-item
};

}  // namespace weft::fuzz
