// Shapes of operations that split a number by bits, extend it, bound it or choose it.
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <bit>

#include "compiler/simt/analysis/buffer_places.h"
#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/analysis/shape_limits.h"

namespace weft::compiler::simt {

Shape Shapes::of_sign_extension(const llvm::Instruction& instruction) const {
  Shape shape = (*this)[*instruction.getOperand(0)];
  const auto* amount = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1));
  if (!amount || !shape.is_affine() || instruction.getType()->isVectorTy()) return of_constants(instruction);
  const std::uint64_t shift = amount->getValue().getLimitedValue(64);
  const bool is_exact = instruction.isExact() || shape.base_log2 >= shift;
  if (shape.stride == 0 || shift >= 63 || !is_exact || divisor_log2(static_cast<std::uint64_t>(shape.stride)) < shift)
    return of_constants(instruction);
  const bool wraps = !shape.no_signed_wrap;
  shape.no_signed_wrap = true;
  shape.no_unsigned_wrap = false;
  shape.stride >>= shift;
  if (wraps && !(is_short(shape, 64 - static_cast<unsigned>(shift)) && instruction.getType()->isIntegerTy(64) && is_place_in_buffer(instruction)))
    shape.checked = true;
  shape.base_log2 = static_cast<std::uint8_t>(shape.base_log2 - std::min<std::uint64_t>(shape.base_log2, shift));
  return shape;
}

Shape Shapes::of_low_bits(const llvm::Instruction& instruction) const {
  Shape shape = (*this)[*instruction.getOperand(0)];
  const llvm::APInt& mask = llvm::cast<llvm::ConstantInt>(instruction.getOperand(1))->getValue();
  // At most about one segment in eight may cross the mask's end, where each lane goes its own way.
  if (!mask.isMask() || shape.stride * shape.segment > kLargestStride ||
      mask.ult(static_cast<std::uint64_t>(shape.stride) * shape.segment * 8 - 1))
    return Shape::varying();
  shape.checked = true;
  shape.no_signed_wrap = shape.no_unsigned_wrap = true;
  shape.base_log2 = static_cast<std::uint8_t>(std::min<unsigned>(shape.base_log2, mask.countr_one()));
  return shape;
}

Shape Shapes::of_bits(const llvm::Instruction& instruction) const {
  const Shape shape = (*this)[*instruction.getOperand(0)];
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1));
  if (instruction.getOpcode() == llvm::Instruction::Xor && constant && constant->isMinusOne() && shape.is_affine() && !shape.checked) {
    // -1 - x, in which nothing wraps that does not in x: so LLVM writes `n - 1 - x`.
    Shape mirrored = shape;
    mirrored.stride = -shape.stride;
    mirrored.base_log2 = 0;
    return mirrored;
  }
  if (!constant || !shape.is_affine() || shape.checked || shape.stride <= 0) return of_constants(instruction);
  if (!std::has_single_bit(static_cast<std::uint64_t>(shape.stride)))
    return instruction.getOpcode() == llvm::Instruction::And ? of_low_bits(instruction) : of_constants(instruction);
  // The stride is 2^step and the bases are multiples of it, so the bits below `step` are zero and those above
  // count. Aligned blocks of 2^low lanes agree in all bits from step + low up.
  const unsigned step = divisor_log2(static_cast<std::uint64_t>(shape.stride));
  const unsigned width = instruction.getType()->getScalarSizeInBits();
  if (shape.base_log2 < step || step >= width) return of_constants(instruction);
  const unsigned aligned = std::min(shape.base_log2 - step, divisor_log2(shape.segment));
  const llvm::APInt& bits = constant->getValue();
  unsigned low = 0;
  std::int64_t stride = 0;
  if (instruction.getOpcode() == llvm::Instruction::LShr) {
    const unsigned shift = static_cast<unsigned>(bits.getLimitedValue(width));
    low = shift <= step ? aligned : std::min(shift - step, aligned);
    stride = shift <= step ? shape.stride >> shift : 0;
  } else {
    const llvm::APInt counted = bits.lshr(step);
    const unsigned ones = counted.countr_one();
    const bool is_xor = instruction.getOpcode() == llvm::Instruction::Xor;
    // The constant has all low bits of the count or none of them: `and` keeps or drops them, `xor` inverts or keeps
    // them.
    const bool all = ones != 0;
    low = std::min(all ? ones : std::min(counted.countr_zero(), width), aligned);
    stride = all == is_xor ? (is_xor ? -shape.stride : 0) : shape.stride;
  }
  if (instruction.getOpcode() == llvm::Instruction::And && (1u << low) < kShortestSegment) {
    const Shape checked = of_low_bits(instruction);
    if (checked.is_affine()) return checked;
  }
  if (step + low >= width) return of_constants(instruction);  // blocks would cross the sign bit
  Shape result = Shape::affine(1u << low, stride);
  if (stride > 0 && instruction.getOpcode() != llvm::Instruction::Xor)
    result.base_log2 = static_cast<std::uint8_t>(low + divisor_log2(static_cast<std::uint64_t>(stride)));
  return result;
}

std::optional<unsigned> ring_operand(const llvm::Instruction& instruction, llvm::function_ref<Shape(const llvm::Value&)> shape) {
  const unsigned opcode = instruction.getOpcode();
  const bool is_mask = opcode == llvm::Instruction::And;
  if ((!is_mask && opcode != llvm::Instruction::URem && opcode != llvm::Instruction::SRem) || instruction.getType()->isVectorTy())
    return std::nullopt;
  for (unsigned i = 0; i < (is_mask ? 2 : 1); ++i) {
    const llvm::Value& size = *instruction.getOperand(1 - i);
    if (is_mask && llvm::isa<llvm::Constant>(size)) continue;
    const Shape counting = shape(*instruction.getOperand(i));
    if (counting.is_affine() && counting.stride != 0 && shape(size).is_constant_in_segment() &&
        shape(size).segment >= counting.segment)
      return i;
  }
  return std::nullopt;
}

std::optional<Shape> Shapes::of_ring(const llvm::Instruction& instruction) const {
  const auto counting = ring_operand(instruction, [this](const llvm::Value& value) { return (*this)[value]; });
  if (!counting) return std::nullopt;
  Shape shape = (*this)[*instruction.getOperand(*counting)];
  const std::uint64_t distance = static_cast<std::uint64_t>(std::abs(shape.stride)) * shape.segment;
  if (!llvm::isUIntN(instruction.getType()->getScalarSizeInBits() - 1, distance)) return Shape::varying();
  // At most about one segment in eight may cross the ring's end, as far as that is known.
  if (const auto* size = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1 - *counting));
      size && size->getValue().abs().ult(distance * 8))
    return Shape::varying();
  shape.checked = true;
  shape.base_log2 = 0;
  // Checked, too: the ends are in order, so that what lies between them did not wrap around.
  shape.no_signed_wrap = instruction.getOpcode() != llvm::Instruction::URem;
  shape.no_unsigned_wrap = instruction.getOpcode() != llvm::Instruction::SRem;
  return shape;
}

std::optional<unsigned> counting_operand(const llvm::Instruction& instruction,
                                         llvm::function_ref<Shape(const llvm::Value&)> shape) {
  const auto* bound = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&instruction);
  if (!bound || bound->getType()->isVectorTy()) return std::nullopt;
  for (unsigned i : {0u, 1u}) {
    const Shape counting = shape(*bound->getArgOperand(i));
    if (counting.is_affine() && counting.stride != 0 && shape(*bound->getArgOperand(1 - i)).is_constant_in_segment())
      return i;
  }
  return std::nullopt;
}

Shape Shapes::of_bound(const llvm::IntrinsicInst& call) const {
  const auto counting = counting_operand(call, [this](const llvm::Value& value) { return (*this)[value]; });
  if (!counting) return of_constants(call);
  Shape shape = (*this)[*call.getArgOperand(*counting)];
  const Shape bound = (*this)[*call.getArgOperand(1 - *counting)];
  if (bound.checked) return Shape::varying();
  const std::uint64_t distance = static_cast<std::uint64_t>(std::abs(shape.stride)) * shape.segment;
  if (!llvm::isUIntN(call.getType()->getScalarSizeInBits() - 1, distance)) return Shape::varying();
  shape.segment = std::min(shape.segment, bound.segment);
  shape.checked = true;
  // Checked, too: the numbers that are bounded do not wrap around.
  (llvm::cast<llvm::MinMaxIntrinsic>(call).isSigned() ? shape.no_signed_wrap : shape.no_unsigned_wrap) = true;
  shape.base_log2 = std::min(shape.base_log2, bound.base_log2);
  return shape;
}

/// Whether `condition` follows from comparisons of progressions with numbers that lanes share, so that it changes seldom from lane to lane.
static bool compares_with_bounds(const llvm::Value& condition, llvm::function_ref<Shape(const llvm::Value&)> shape, unsigned depth = 0) {
  constexpr unsigned kDeepest = 3;
  if (shape(condition).is_constant_in_segment()) return true;
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&condition);
  if (!instruction || depth == kDeepest || instruction->getType()->isVectorTy()) return false;
  if (llvm::isa<llvm::ICmpInst>(instruction)) {
    const Shape left = shape(*instruction->getOperand(0));
    const Shape right = shape(*instruction->getOperand(1));
    return left.is_affine() && right.is_affine() && (left.stride == 0) != (right.stride == 0);
  }
  const unsigned opcode = instruction->getOpcode();
  if (opcode != llvm::Instruction::And && opcode != llvm::Instruction::Or && opcode != llvm::Instruction::Xor &&
      opcode != llvm::Instruction::Select)
    return false;
  return llvm::all_of(instruction->operands(), [&](const llvm::Use& part) { return compares_with_bounds(*part, shape, depth + 1); });
}

std::optional<Choice> choice_of(const llvm::Instruction& instruction, llvm::function_ref<Shape(const llvm::Value&)> shape) {
  if (!instruction.getType()->isIntegerTy()) return std::nullopt;
  const auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction);
  const llvm::Value* added = nullptr;
  for (unsigned i = 0; !select && instruction.getOpcode() == llvm::Instruction::Add && i < 2; ++i) {
    select = llvm::dyn_cast<llvm::SelectInst>(instruction.getOperand(i));
    added = instruction.getOperand(1 - i);
  }
  if (!select || !shape(*select->getCondition()).is_varying() || !compares_with_bounds(*select->getCondition(), shape)) return std::nullopt;
  const Shape a = shape(*select->getTrueValue());
  const Shape b = shape(*select->getFalseValue());
  if (!a.is_affine() || !b.is_affine()) return std::nullopt;
  if (!added) return (a.stride == 0) != (b.stride == 0) ? std::optional(Choice{select, a.stride != 0, b.stride != 0}) : std::nullopt;
  const Shape counting = shape(*added);
  const bool is_shared = a.stride == 0 && b.stride == 0 && std::min(a.segment, b.segment) >= counting.segment;
  return counting.is_affine() && counting.stride != 0 && is_shared ? std::optional(Choice{select, true, true}) : std::nullopt;
}

Shape Shapes::of_choice(const llvm::Instruction& instruction) const {
  const auto choice = choice_of(instruction, [this](const llvm::Value& value) { return (*this)[value]; });
  if (!choice) return Shape::varying();
  const bool is_sum = choice->if_true && choice->if_false;
  const llvm::Value* counting = choice->if_true ? choice->select->getTrueValue() : choice->select->getFalseValue();
  if (is_sum) counting = instruction.getOperand(instruction.getOperand(0) == choice->select ? 1 : 0);
  Shape shape = (*this)[*counting];
  const std::uint64_t distance = static_cast<std::uint64_t>(std::abs(shape.stride)) * shape.segment;
  if (!llvm::isUIntN(instruction.getType()->getScalarSizeInBits() - 1, distance)) return Shape::varying();
  shape.checked = true;
  shape.base_log2 = 0;
  if (is_sum) {
    shape.no_signed_wrap &= instruction.hasNoSignedWrap();
    shape.no_unsigned_wrap &= instruction.hasNoUnsignedWrap() && runs_for_all(instruction);
  }
  return shape;
}

}  // namespace weft::compiler::simt
