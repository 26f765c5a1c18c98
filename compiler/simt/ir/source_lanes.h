// Where a call of weft.lanes (primitives.h), which takes values from other lanes, takes them from.
#pragma once

#include <optional>

namespace llvm {
class CallBase;
}

namespace weft::compiler::simt {

struct SourceLane {
  unsigned value;  ///< 0 is v0
  unsigned lane;
  bool operator==(const SourceLane&) const = default;
};

/// Where a call of weft.lanes finds its value for `lane`; nothing: anywhere.
std::optional<SourceLane> source_of_lane(const llvm::CallBase& call, unsigned lane);

/// The same for all lanes that find one, where that is so.
std::optional<SourceLane> common_lane(const llvm::CallBase& call);

}  // namespace weft::compiler::simt
