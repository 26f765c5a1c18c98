// Integers and addresses of which each lane's distance from the first lane's is known, though they do not lie evenly: `i >> 1`, `i & ~1`,
// `i ^ 3`, and sums of such with what lanes share. Their low bits are those of a progression whose bases are multiples of a power of two
// (Shape::base_log2).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>

#include "compiler/simt/analysis/shape.h"

namespace llvm {
class DataLayout;
class GEPOperator;
class Instruction;
class MinMaxIntrinsic;
class Value;
}  // namespace llvm

namespace weft::compiler::simt {

/// Lane l holds base(l / segment) + places[l], modulo 2^bits.
struct LanePattern {
  unsigned segment = 0;                          ///< lanes that share a base; a power of two that divides W
  llvm::SmallVector<std::int64_t, 64> places;    ///< of all W lanes, in units of the value; bytes for a pointer
  unsigned base_log2 = 0;                        ///< every base is a multiple of 2^base_log2
  /// A segment's lanes are as far apart as `places` says as numbers with a sign, or without one, too, not modulo 2^bits alone.
  bool no_signed_wrap = false;
  bool no_unsigned_wrap = false;

  /// Of the lanes of the segment that begins at `lane`.
  unsigned lowest_lane(unsigned lane) const;
  unsigned highest_lane(unsigned lane) const;
};

/// What has to hold at run time, in each segment of a pattern: its lanes' numbers do not wrap around, and are on their side of a bound.
struct PatternCheck {
  llvm::Value* value = nullptr;
  const LanePattern* pattern = nullptr;
  bool is_signed = false;
  llvm::MinMaxIntrinsic* bound = nullptr;  ///< of `value` and a number that the segments share; may be null
};

/// The operand of a `min` or `max` that lanes do not share.
llvm::Value& bounded_operand(const llvm::MinMaxIntrinsic& bound, const Shapes& shapes);

/// Whether the pattern of `cast` is that of a sign extension: of a number that is said not to be negative, too, since lanes that are off may
/// have others.
bool extends_signed(const llvm::Instruction& cast);

/// Of the values that one access is made of. Patterns are those of all lanes, of lanes that are off what extensions by extends_signed and sums
/// in place of `or disjoint` give; and of `min` and `max` those of what they bound. `all_run`: there are no such, and what instructions say of not wrapping around holds.
class LanePatterns {
 public:
  LanePatterns(const Shapes& shapes, const llvm::DataLayout& layout, bool all_run) : shapes_(shapes), layout_(layout), all_run_(all_run) {}

  /// Null where nothing is known, or too little to be of use. The result lives as long as this object.
  const LanePattern* of(llvm::Value& value) { return of(value, 0); }
  /// Of all values asked for.
  llvm::ArrayRef<PatternCheck> checks() const { return checks_; }

 private:
  const LanePattern* of(llvm::Value& value, unsigned depth);
  std::optional<LanePattern> compute(llvm::Value& value, unsigned depth);
  std::optional<LanePattern> of_sum(llvm::Instruction& instruction, unsigned depth);
  std::optional<LanePattern> of_scaled(llvm::Instruction& instruction, llvm::Value& value, std::int64_t factor, unsigned depth);
  std::optional<LanePattern> of_bits(llvm::Instruction& instruction, std::int64_t bits, unsigned depth);
  std::optional<LanePattern> of_shift(llvm::Instruction& instruction, unsigned amount, unsigned depth);
  std::optional<LanePattern> of_cast(llvm::Instruction& cast, unsigned depth);
  std::optional<LanePattern> of_bound(llvm::MinMaxIntrinsic& bound, unsigned depth);
  std::optional<LanePattern> of_gep(llvm::GEPOperator& gep, unsigned depth);

  const Shapes& shapes_;
  const llvm::DataLayout& layout_;
  const bool all_run_;
  llvm::DenseMap<llvm::Value*, std::unique_ptr<LanePattern>> known_;
  llvm::SmallVector<PatternCheck, 2> checks_;
};

}  // namespace weft::compiler::simt
