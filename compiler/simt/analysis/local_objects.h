// The objects of local memory that a function accesses, and where in them each lane does.
#pragma once

#include <cstdint>
#include <vector>

#include <llvm/ADT/SmallVector.h>

#include "compiler/simt/analysis/lane_values.h"

namespace llvm {
class Instruction;
class Type;
}  // namespace llvm

namespace weft::compiler::simt {

/// Bytes of the smallest value that is followed through memory.
inline constexpr unsigned kCellBytes = 4;

struct LocalAccess {
  llvm::Instruction* instruction;  ///< a load or a store
  llvm::Type* type;                ///< of the value
  unsigned cells;                  ///< its size
  std::vector<std::int32_t> first; ///< by lane: the first cell; -1 where the lane is not live
};

struct LocalObject {
  std::vector<LocalAccess> accesses;  ///< in reverse post-order
  unsigned cells = 0;                 ///< the size that the accesses need
};

/// Those objects of `function` of which every access is a plain load or store, outside of loops, by lanes and at addresses
/// that are known.
std::vector<LocalObject> known_local_objects(llvm::Function& function, LaneValues& values);

}  // namespace weft::compiler::simt
