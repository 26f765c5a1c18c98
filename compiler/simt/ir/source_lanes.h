// Reads the table of weft.lanes (primitives.h), which takes values from other lanes.
#pragma once

#include <optional>

namespace llvm {
class CallBase;
}

namespace weft::compiler::simt {

struct SourceLane {
  unsigned value;  ///< operand: 0 is v0
  unsigned lane;
  bool operator==(const SourceLane&) const = default;
};

/// The value and lane that `call` reads for `lane`; nullopt if any value will do.
std::optional<SourceLane> source_of_lane(const llvm::CallBase& call, unsigned lane);

/// The source of `call`'s lanes if all that have one share it, else nullopt.
std::optional<SourceLane> common_lane(const llvm::CallBase& call);

}  // namespace weft::compiler::simt
