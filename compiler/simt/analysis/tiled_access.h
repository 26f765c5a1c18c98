// Accesses by work-items in two dimensions, whose slower one is contiguous in memory.
//
// `out[x * height + y]` in groups of 16x16: a warp, numbered along x, touches 16 columns with two neighbours in each. A body of
// 256 lanes touches 16 columns of 16 neighbours: whole lines, once the lanes are transposed (ir/transpose.h). The
// distance from one column to the next need not be known now, but must be the same for all.
#pragma once

#include <cstdint>
#include <optional>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>

#include "compiler/compiler_api.h"

namespace llvm {
class DataLayout;
class Function;
class Instruction;
class Value;
}  // namespace llvm

namespace weft::compiler::simt {

class Shapes;

/// Lanes as a block: lane l is in column l mod `columns` and row l / `columns`. Sizes are powers of two.
struct LaneBlock {
  unsigned columns = 0;
  unsigned rows = 0;
  unsigned column_dimension = 0;  ///< of local ids
  unsigned row_dimension = 0;
};

/// The lanes of each body of `lanes` work-items; none where they are no block, or where one row is all.
std::optional<LaneBlock> lane_block(const Specialization& specialization, unsigned lanes);

/// An extension of a narrower number that may wrap within the block: the form holds if the number is in range at the block's corners.
struct TileCheck {
  llvm::Instruction* extension = nullptr;
  std::optional<std::int64_t> across;      ///< from a column to the next, where known now
  std::int64_t along = 0;                  ///< from a row to the next
  unsigned bits = 0;                       ///< of the narrower number
  bool is_signed = false;
};

/// A load or store whose rows are neighbours.
struct TiledAccess {
  std::int64_t unit = 0;              ///< bytes of an element
  std::optional<std::int64_t> pitch;  ///< bytes from a column to the next, where known now
  llvm::SmallVector<TileCheck, 4> checks;
};

class TiledAccesses {
 public:
  /// `shapes` are of as many lanes as `block` has.
  TiledAccesses(const LaneBlock& block, const Shapes& shapes, const llvm::DataLayout& layout)
      : block_(block), shapes_(shapes), layout_(layout) {}

  /// `instruction` as such an access, of numbers or OpenCL vectors of 8 to 128 bits in global or local memory.
  std::optional<TiledAccess> access(llvm::Instruction& instruction);

 private:
  /// A value that is base + column * across + row * along; `across` the same for all, though perhaps not known.
  struct Form {
    std::optional<std::int64_t> across = 0;
    std::int64_t along = 0;
    bool no_signed_wrap = true;
    bool no_unsigned_wrap = true;
    unsigned zero_bits = 0;  ///< so many lowest bits are zero in all lanes
    bool is_uniform() const { return across == 0 && along == 0; }
  };
  using Result = std::optional<Form>;

  Result of(const llvm::Value& value);
  Result compute(const llvm::Instruction& instruction);
  Result of_sum(const llvm::Instruction& instruction);
  Result of_product(const llvm::Instruction& instruction, const llvm::Value& value, const llvm::Value& factor, bool is_shift);
  Result of_cast(const llvm::Instruction& instruction);
  Result of_gep(const llvm::Instruction& instruction);
  Result of_high_bits(const llvm::Instruction& instruction);
  Result of_low_bits(const llvm::Instruction& instruction);
  Result checked(const llvm::Instruction& instruction, Form form, unsigned bits, bool is_signed);

  const LaneBlock block_;
  const Shapes& shapes_;
  const llvm::DataLayout& layout_;
  llvm::DenseMap<const llvm::Value*, Result> forms_;
  llvm::DenseMap<const llvm::Value*, TileCheck> checks_;
};

}  // namespace weft::compiler::simt
