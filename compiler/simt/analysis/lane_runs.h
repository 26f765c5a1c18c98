// Runs of lanes whose addresses are expected to be neighbours: work-items dealt out over the rows of a tile, `l % 19` along a row and `l /
// 19` rows down, or rows of a group that a warp has several of, also where an edge bounds or mirrors the index. A guess, from what is known
// of each lane: code has to ask whether it holds.
#pragma once

#include <cstdint>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>

#include "compiler/compiler_api.h"
#include "compiler/simt/analysis/shape.h"

namespace llvm {
class DataLayout;
class GEPOperator;
class Instruction;
class Value;
}  // namespace llvm

namespace weft::compiler::simt {

/// Of the values that one access is made of, for the lanes of one body.
class LaneRuns {
 public:
  LaneRuns(const Shapes& shapes, const llvm::DataLayout& layout, const Specialization& specialization, unsigned lanes)
      : shapes_(shapes), layout_(layout), specialization_(specialization), lanes_(lanes) {}

  /// The first lanes of the runs in which each lane's `pointer` is expected `unit` bytes behind that of the lane before; lane 0 is one of
  /// them.
  llvm::SmallVector<unsigned, 16> begins(llvm::Value& pointer, std::int64_t unit);

 private:
  /// Number `base`, of which nothing is known but that those of one number are one value, and `place`. No base, 0, is a value that is
  /// known.
  struct Number {
    std::int64_t place = 0;
    std::uint64_t base = 0;
  };
  using Numbers = llvm::SmallVector<Number, 64>;

  Numbers of(llvm::Value& value, unsigned depth);
  Numbers compute(llvm::Value& value, unsigned depth);
  Numbers of_gep(llvm::GEPOperator& gep, unsigned depth);
  Numbers of_operation(llvm::Instruction& instruction, unsigned depth);
  /// Of operands between which a bound or an edge chooses: what counts along the lanes.
  Numbers of_choice(llvm::ArrayRef<llvm::Value*> operands, unsigned depth);
  Numbers combined(unsigned opcode, const Numbers& left, const Numbers& right) const;
  /// Whose lanes are told apart by `value` alone.
  Numbers unknown(const llvm::Value& value) const;

  const Shapes& shapes_;
  const llvm::DataLayout& layout_;
  const Specialization& specialization_;
  const unsigned lanes_;
  llvm::DenseMap<llvm::Value*, Numbers> known_;
};

}  // namespace weft::compiler::simt
