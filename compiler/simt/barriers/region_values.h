// Which values live across which barriers, and how they get there: recomputed or through slots.
#pragma once

#include <vector>

#include "compiler/simt/barriers/regions.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/UniformityAnalysis.h"

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
class Value;
}  // namespace llvm

namespace weft::compiler::simt {

/// A barrier: the last instruction of `exit` before the jump to `entry`, which has no other predecessor.
struct Barrier {
  llvm::BasicBlock* exit = nullptr;
  llvm::BasicBlock* entry = nullptr;  ///< where region <index of the barrier> + 1 starts
};

/// How one value crosses the barriers that it is live across.
struct CrossingValue {
  llvm::BitVector live;    ///< by barrier: computed before it and used behind it
  llvm::BitVector needed;  ///< by barrier: `live`, or used to recompute a live value
  /// Index into RegionValues::slots; -1: recomputed. Values that are needed at the same barrier have
  /// different slots; others may share one, and a phi shares it with its incoming values where it can.
  int slot = -1;
  /// For a recomputed value: the slot values that it is recomputed from.
  llvm::SmallVector<llvm::Instruction*, 4> leaves;
};

struct RegionValues {
  std::vector<Slot> slots;
  llvm::MapVector<llvm::Instruction*, CrossingValue> values;  ///< in the order of their definition
};

/// Analyses `item`, split at `barriers`, without changing it.
///
/// A value is recomputed if it follows in a few cheap and pure steps from constants, the launch's and the
/// group's invariant data, the work-item's ids, the addresses of private variables, and slots that are
/// either uniform or live at the same barriers anyway. (SSA makes that right: while a value is live, nothing
/// that dominates its definition is computed anew.) So the widener still sees the shape of such values:
/// reloaded from a slot, an index that is affine in the lane would be an arbitrary vector.
RegionValues plan_region_values(llvm::Function& item, llvm::ArrayRef<Barrier> barriers, Analyses& analyses);

/// Whether `value` can be recomputed in any region from arguments, ids and constants alone, with a few steps
/// to spare for users of it.
bool cheap_to_recompute(const llvm::Value& value, const llvm::UniformityInfo& uniformity);

}  // namespace weft::compiler::simt
