// The shape of a value over the lanes of a warp.
//
// Lane l of W holds base(l / S) + stride * (l mod S): affine in segments of S lanes, each with a base of
// its own. Uniform is S = W and stride = 0; stride 0 with S < W is a value that a segment shares, such as
// a matrix row when a 16x16 group puts two rows in a warp. Anything else is varying.
//
// Runs on linearized functions, where every branch is uniform, so shapes follow data flow alone.
#pragma once

#include <cstdint>
#include <optional>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLFunctionalExtras.h>

#include "compiler/compiler_api.h"
#include "compiler/simt/analysis/uniformity.h"

namespace llvm {
class DataLayout;
class Function;
class IntrinsicInst;
class SelectInst;
class Value;
}  // namespace llvm

namespace weft::compiler::simt {

struct Shape {
  enum class Kind : std::uint8_t { kUnknown, kAffine, kVarying };
  Kind kind = Kind::kUnknown;
  /// The progression is known not to wrap, signed or unsigned, so that extension keeps the shape.
  bool no_signed_wrap = false;
  bool no_unsigned_wrap = false;
  /// Lanes follow the progression only if an extension did not wrap; code must check that at run time before
  /// it relies on the shape. Bases are exact in any case.
  bool checked = false;
  /// Every segment's base is a multiple of 2^base_log2; 0 if nothing is known.
  std::uint8_t base_log2 = 0;
  unsigned segment = 0;      ///< S, lanes; a power of two that divides W
  std::int64_t stride = 0;   ///< in units of the value; bytes for a pointer

  static Shape varying() { return {.kind = Kind::kVarying}; }
  static Shape uniform(unsigned lanes) {
    return {.kind = Kind::kAffine, .no_signed_wrap = true, .no_unsigned_wrap = true, .segment = lanes};
  }
  static Shape affine(unsigned segment, std::int64_t stride) {
    return {.kind = Kind::kAffine, .no_signed_wrap = true, .no_unsigned_wrap = true, .segment = segment,
            .stride = stride};
  }
  bool is_varying() const { return kind == Kind::kVarying; }
  bool is_affine() const { return kind == Kind::kAffine; }
  bool is_constant_in_segment() const { return is_affine() && stride == 0; }
  bool is_uniform(unsigned lanes) const { return is_constant_in_segment() && segment == lanes; }
  bool operator==(const Shape&) const = default;
};

class Shapes {
 public:
  /// `lanes` is 32 * J; `private_stride(i)` the bytes from one lane's copy of weft.private(i) to the next.
  Shapes(llvm::Function& function, const Specialization& specialization, unsigned lanes,
         llvm::function_ref<std::uint32_t(unsigned)> private_stride);

  Shape operator[](const llvm::Value& value) const;
  bool is_uniform(const llvm::Value& value) const { return (*this)[value].is_uniform(lanes_); }
  unsigned lanes() const { return lanes_; }

 private:
  Shape compute(const llvm::Instruction& instruction) const;
  Shape of_call(const llvm::CallBase& call) const;
  Shape of_add(const llvm::Instruction& instruction) const;
  Shape of_scaled(const llvm::Instruction& instruction, const llvm::Value& value, std::int64_t factor) const;
  Shape of_cast(const llvm::CastInst& cast) const;
  /// `ashr` that drops only zero bits: instcombine turns `sext (trunc x)` into it, as in
  /// `int i = get_global_id(1) * width + get_global_id(0)`.
  Shape of_sign_extension(const llvm::Instruction& instruction) const;
  /// `and` with a mask of low bits: instcombine turns `zext (trunc x)` into it.
  Shape of_low_bits(const llvm::Instruction& instruction) const;
  /// `and`, `xor` and `lshr` that split a progression at a bit.
  Shape of_bits(const llvm::Instruction& instruction) const;
  /// A place in a ring, as in `(i + k) & (n - 1)` or `(i + k) % n`; none if `instruction` is no such.
  std::optional<Shape> of_ring(const llvm::Instruction& instruction) const;
  /// `min` or `max` of a progression and a bound, as in `clamp(x + k, 0, width - 1)`.
  Shape of_bound(const llvm::IntrinsicInst& call) const;
  Shape of_gep(const llvm::Instruction& gep) const;
  Shape of_phi(const llvm::Instruction& phi) const;
  Shape of_select(const llvm::Instruction& select) const;
  /// A progression that some lanes leave, as in `i == n - 1 ? 0 : i + 1`, or one of two, as in `i < n ? i + n : i - n`.
  Shape of_choice(const llvm::Instruction& instruction) const;
  Shape of_id(unsigned dimension) const;
  /// For operations without a rule of their own: constant in segments if all operands are.
  Shape of_constants(const llvm::User& user) const;

  /// False under a mask: masked-off lanes, lane 0 among them, may break an instruction's promise not to wrap.
  bool runs_for_all(const llvm::Instruction& instruction) const;

  unsigned lanes_;
  const Specialization& specialization_;
  const llvm::DataLayout& layout_;
  llvm::function_ref<std::uint32_t(unsigned)> private_stride_;  ///< valid only during construction
  llvm::DenseMap<const llvm::Value*, Shape> shapes_;
  llvm::DenseSet<const llvm::BasicBlock*> masked_;
};

/// The operand that is a progression, if `instruction` is an integer `min` or `max` of one and a bound that lanes share.
std::optional<unsigned> counting_operand(const llvm::Instruction& instruction,
                                         llvm::function_ref<Shape(const llvm::Value&)> shape);
/// What lanes that all choose alike follow the progression by.
struct Choice {
  const llvm::SelectInst* select = nullptr;
  bool if_true = false;
  bool if_false = false;
};
/// If `instruction` is a select of a progression or a number that lanes share, or the sum of a progression and a select of two such
/// numbers. None if its condition does not compare progressions with bounds that lanes share: others may change from any lane to the next.
std::optional<Choice> choice_of(const llvm::Instruction& instruction, llvm::function_ref<Shape(const llvm::Value&)> shape);
/// The operand that is a progression, if `instruction` is its remainder by a number that lanes share, or its bits in a mask that they
/// share and that is no constant.
std::optional<unsigned> ring_operand(const llvm::Instruction& instruction, llvm::function_ref<Shape(const llvm::Value&)> shape);

}  // namespace weft::compiler::simt
