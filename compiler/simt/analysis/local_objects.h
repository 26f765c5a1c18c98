// Finds the objects of local memory that a function accesses, and the cells of them that each lane accesses.
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
  unsigned cells;                  ///< the value's size
  std::vector<std::int32_t> first; ///< by lane: the first cell; -1 where the lane is not live
};

struct LocalObject {
  std::vector<LocalAccess> accesses;  ///< in reverse post-order
  unsigned cells = 0;                 ///< the size that the accesses need
  bool in_loops = false;              ///< some of the accesses are
};

/// The objects of `function` whose every access is a plain load or store, by known lanes at known addresses: in loops, the same ones in each iteration.
std::vector<LocalObject> known_local_objects(llvm::Function& function, LaneValues& values);

}  // namespace weft::compiler::simt
