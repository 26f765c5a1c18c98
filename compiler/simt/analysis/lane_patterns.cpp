#include "compiler/simt/analysis/lane_patterns.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>

#include "compiler/simt/analysis/shape_limits.h"

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;

/// Places beyond this are no neighbours, whatever becomes of them: of numbers of 32 bits, and of those that are numbers of 32 bits times 2^32.
constexpr std::int64_t kFarthest = std::int64_t{1} << 24, kFarthestShifted = kFarthest << 32;
constexpr unsigned kDeepestPattern = 12;

bool is_near(const LanePattern& pattern, std::int64_t farthest) {
  return llvm::all_of(pattern.places, [&](std::int64_t place) { return place >= -farthest && place <= farthest; });
}

LanePattern from_shape(const Shape& shape, unsigned lanes) {
  LanePattern pattern{.segment = shape.segment,
                      .places = {},
                      .base_log2 = shape.base_log2,
                      .no_signed_wrap = shape.no_signed_wrap,
                      .no_unsigned_wrap = shape.no_unsigned_wrap};
  for (unsigned lane = 0; lane < lanes; ++lane) pattern.places.push_back(shape.stride * (lane % shape.segment));
  return pattern;
}

/// Bits below the lowest one that a base of `bits` bits may have, but for the one of its sign.
unsigned low_bits(const LanePattern& pattern, const llvm::Value& value) {
  return std::min({pattern.base_log2, value.getType()->getScalarSizeInBits() - 1, 62u});
}

/// Whether all places are numbers of that many bits: then sums with bases are the bits of both, and nothing wraps around.
bool are_low_bits(const LanePattern& pattern, unsigned low) {
  return llvm::all_of(pattern.places, [&](std::int64_t place) { return place >= 0 && (place >> low) == 0; });
}

std::optional<std::int64_t> constant_of(const llvm::Value& value) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value);
  return constant && constant->getValue().getSignificantBits() <= 64 ? std::optional(constant->getSExtValue()) : std::nullopt;
}

}  // namespace

bool extends_signed(const llvm::Instruction& cast) {
  return cast.getOpcode() == Instruction::SExt || (cast.getOpcode() == Instruction::ZExt && cast.hasNonNeg());
}

llvm::Value& bounded_operand(const llvm::MinMaxIntrinsic& bound, const Shapes& shapes) {
  const Shape last = shapes[*bound.getArgOperand(1)];
  return *bound.getArgOperand(last.is_constant_in_segment() && !last.checked ? 0 : 1);
}

unsigned LanePattern::lowest_lane(unsigned lane) const {
  return static_cast<unsigned>(std::min_element(places.begin() + lane, places.begin() + lane + segment) - places.begin());
}

unsigned LanePattern::highest_lane(unsigned lane) const {
  return static_cast<unsigned>(std::max_element(places.begin() + lane, places.begin() + lane + segment) - places.begin());
}

const LanePattern* LanePatterns::of(llvm::Value& value, unsigned depth) {
  if (const auto found = known_.find(&value); found != known_.end()) return found->second.get();
  std::optional<LanePattern> pattern;
  if (depth < kDeepestPattern) pattern = compute(value, depth);
  if (pattern && !is_near(*pattern, value.getType()->getScalarSizeInBits() == 64 ? kFarthestShifted : kFarthest)) pattern.reset();
  auto kept = pattern ? std::make_unique<LanePattern>(std::move(*pattern)) : nullptr;
  return (known_[&value] = std::move(kept)).get();
}

std::optional<LanePattern> LanePatterns::compute(llvm::Value& value, unsigned depth) {
  if (value.getType()->isVectorTy()) return std::nullopt;
  const Shape shape = shapes_[value];
  if (shape.is_affine() && !shape.checked) return from_shape(shape, shapes_.lanes());
  auto* instruction = llvm::dyn_cast<Instruction>(&value);
  if (!instruction) return std::nullopt;
  switch (instruction->getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub: return of_sum(*instruction, depth);
    case Instruction::Or:
      if (llvm::cast<llvm::PossiblyDisjointInst>(instruction)->isDisjoint()) return of_sum(*instruction, depth);
      [[fallthrough]];
    case Instruction::And:
    case Instruction::Xor: {
      const auto bits = constant_of(*instruction->getOperand(1));
      return bits ? of_bits(*instruction, *bits, depth) : std::nullopt;
    }
    case Instruction::Mul: {
      const auto factor = constant_of(*instruction->getOperand(1));
      return factor ? of_scaled(*instruction, *instruction->getOperand(0), *factor, depth) : std::nullopt;
    }
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr: {
      const auto amount = constant_of(*instruction->getOperand(1));
      if (!amount || *amount < 0 || *amount > 32) return std::nullopt;
      if (instruction->getOpcode() == Instruction::Shl)
        return of_scaled(*instruction, *instruction->getOperand(0), std::int64_t{1} << *amount, depth);
      return of_shift(*instruction, static_cast<unsigned>(*amount), depth);
    }
    case Instruction::Trunc:
    case Instruction::ZExt:
    case Instruction::SExt: return of_cast(*instruction, depth);
    case Instruction::Freeze:
    case Instruction::AddrSpaceCast: {
      const LanePattern* pattern = of(*instruction->getOperand(0), depth + 1);
      return pattern ? std::optional(*pattern) : std::nullopt;
    }
    case Instruction::Call: {
      auto* bound = llvm::dyn_cast<llvm::MinMaxIntrinsic>(instruction);
      return bound ? of_bound(*bound, depth) : std::nullopt;
    }
    case Instruction::GetElementPtr: return of_gep(llvm::cast<llvm::GEPOperator>(value), depth);
    default: return std::nullopt;
  }
}

std::optional<LanePattern> LanePatterns::of_sum(Instruction& instruction, unsigned depth) {
  const bool subtracts = instruction.getOpcode() == Instruction::Sub;
  const LanePattern* a = of(*instruction.getOperand(0), depth + 1);
  if (!a) return std::nullopt;
  LanePattern sum = *a;
  const auto* flags = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(&instruction);  // else `or disjoint`
  sum.no_signed_wrap &= !flags || flags->hasNoSignedWrap();
  sum.no_unsigned_wrap &= all_run_ && (!flags || flags->hasNoUnsignedWrap());
  if (const auto constant = constant_of(*instruction.getOperand(1)); constant && std::abs(*constant) <= kFarthest) {
    // Part of the places, so that bases stay multiples of what they are.
    for (std::int64_t& place : sum.places) place += subtracts ? -*constant : *constant;
    return sum;
  }
  const LanePattern* b = of(*instruction.getOperand(1), depth + 1);
  if (!b) return std::nullopt;
  for (unsigned lane = 0; lane < sum.places.size(); ++lane) sum.places[lane] += subtracts ? -b->places[lane] : b->places[lane];
  sum.segment = std::min(sum.segment, b->segment);
  sum.base_log2 = std::min(sum.base_log2, b->base_log2);
  sum.no_signed_wrap &= b->no_signed_wrap;
  sum.no_unsigned_wrap &= b->no_unsigned_wrap;
  return sum;
}

std::optional<LanePattern> LanePatterns::of_scaled(Instruction& instruction, llvm::Value& value, std::int64_t factor, unsigned depth) {
  const LanePattern* from = of(value, depth + 1);
  if (!from) return std::nullopt;
  const auto& flags = llvm::cast<llvm::OverflowingBinaryOperator>(instruction);
  LanePattern scaled = *from;
  for (std::int64_t& place : scaled.places)
    if (llvm::MulOverflow(place, factor, place)) return std::nullopt;
  scaled.base_log2 = std::min(63u, scaled.base_log2 + divisor_log2(static_cast<std::uint64_t>(factor)));
  scaled.no_signed_wrap &= flags.hasNoSignedWrap();
  scaled.no_unsigned_wrap &= all_run_ && flags.hasNoUnsignedWrap() && factor >= 0;
  return scaled;
}

std::optional<LanePattern> LanePatterns::of_bits(Instruction& instruction, std::int64_t bits, unsigned depth) {
  const LanePattern* from = of(*instruction.getOperand(0), depth + 1);
  if (!from) return std::nullopt;
  const unsigned low = low_bits(*from, instruction), opcode = instruction.getOpcode();
  const std::int64_t low_mask = (std::int64_t{1} << low) - 1;
  LanePattern result = *from;
  const bool is_within = are_low_bits(*from, low);
  if (is_within) result.no_signed_wrap = result.no_unsigned_wrap = true;
  if (opcode == Instruction::And && (bits & ~low_mask) == 0) {
    // Nothing of the bases is left.
    for (std::int64_t& place : result.places) place &= bits;
    result.segment = shapes_.lanes();
    result.base_log2 = 63;
    result.no_signed_wrap = result.no_unsigned_wrap = true;
    return result;
  }
  // Each lane's number stays in its block of 2^low numbers. Bits above are those of the base alone, or are left as they are.
  const bool leaves_high_bits = opcode == Instruction::And ? (bits | low_mask) == -1 : (bits & ~low_mask) == 0;
  if (!is_within && !leaves_high_bits) return std::nullopt;
  result.base_log2 = low;
  for (std::int64_t& place : result.places) {
    const std::int64_t lowest = place & low_mask, mask = bits & low_mask;
    place += (opcode == Instruction::And ? lowest & mask : opcode == Instruction::Or ? lowest | mask : lowest ^ mask) - lowest;
  }
  return result;
}

std::optional<LanePattern> LanePatterns::of_shift(Instruction& instruction, unsigned amount, unsigned depth) {
  const LanePattern* from = of(*instruction.getOperand(0), depth + 1);
  if (!from) return std::nullopt;
  const bool is_signed = instruction.getOpcode() == Instruction::AShr;
  const unsigned low = low_bits(*from, instruction);
  const bool is_within = are_low_bits(*from, low);
  if (!is_within) {
    if (amount > low) return std::nullopt;
    if (!(is_signed ? from->no_signed_wrap : from->no_unsigned_wrap)) checks_.push_back({instruction.getOperand(0), from, is_signed});
  }
  LanePattern result = *from;
  for (std::int64_t& place : result.places) place >>= amount;
  result.base_log2 = low - std::min(low, amount);
  result.no_signed_wrap = true;
  result.no_unsigned_wrap = is_within || !is_signed;
  return result;
}

std::optional<LanePattern> LanePatterns::of_cast(Instruction& cast, unsigned depth) {
  const LanePattern* from = of(*cast.getOperand(0), depth + 1);
  if (!from || !is_near(*from, kFarthest)) return std::nullopt;
  const unsigned bits = cast.getType()->getScalarSizeInBits(), from_bits = cast.getOperand(0)->getType()->getScalarSizeInBits();
  if (bits < 32 || from_bits < 32) return std::nullopt;  // too few for kFarthest
  LanePattern result = *from;
  if (const auto* trunc = llvm::dyn_cast<llvm::TruncInst>(&cast)) {
    result.no_signed_wrap &= trunc->hasNoSignedWrap();
    result.no_unsigned_wrap &= all_run_ && trunc->hasNoUnsignedWrap();
    return result;
  }
  const bool is_within = are_low_bits(*from, low_bits(*from, *cast.getOperand(0)));
  const bool is_signed = extends_signed(cast);
  // Numbers that are all said not to be negative, and lie close together, do not wrap around.
  const bool is_exact = is_within || (is_signed ? from->no_signed_wrap || (all_run_ && cast.getOpcode() == Instruction::ZExt) : from->no_unsigned_wrap);
  if (!is_exact) checks_.push_back({cast.getOperand(0), from, is_signed});
  result.no_signed_wrap = true;
  result.no_unsigned_wrap = is_within || !is_signed;
  // What is extended as a multiple may be none without the bits that it lost.
  result.base_log2 = std::min(result.base_log2, from_bits - 1);
  return result;
}

std::optional<LanePattern> LanePatterns::of_bound(llvm::MinMaxIntrinsic& bound, unsigned depth) {
  llvm::Value& bounded = bounded_operand(bound, shapes_);
  const Shape limit = shapes_[*bound.getArgOperand(&bounded == bound.getArgOperand(0) ? 1 : 0)];
  const LanePattern* from = of(bounded, depth + 1);
  if (!from || !limit.is_constant_in_segment() || limit.checked || limit.segment < from->segment) return std::nullopt;
  checks_.push_back({&bounded, from, bound.isSigned(), &bound});
  LanePattern result = *from;
  (bound.isSigned() ? result.no_signed_wrap : result.no_unsigned_wrap) = true;
  return result;
}

std::optional<LanePattern> LanePatterns::of_gep(llvm::GEPOperator& gep, unsigned depth) {
  const LanePattern* base = of(*gep.getPointerOperand(), depth + 1);
  if (!base) return std::nullopt;
  llvm::APInt constant(layout_.getIndexTypeSizeInBits(gep.getType()), 0);
  llvm::MapVector<llvm::Value*, llvm::APInt> variable;
  if (!gep.collectOffset(layout_, constant.getBitWidth(), variable, constant)) return std::nullopt;
  LanePattern result = *base;
  result.base_log2 = 0;
  for (const auto& [index, scale] : variable) {
    const LanePattern* pattern = of(*index, depth + 1);
    const std::int64_t factor = scale.getSExtValue();
    if (!pattern || !is_near(*pattern, kFarthest) || std::abs(factor) > kFarthest) return std::nullopt;
    // The GEP itself sign-extends a narrower index.
    if (index->getType()->getScalarSizeInBits() < 64 && !pattern->no_signed_wrap) return std::nullopt;
    for (unsigned lane = 0; lane < result.places.size(); ++lane) result.places[lane] += pattern->places[lane] * factor;
    result.segment = std::min(result.segment, pattern->segment);
  }
  return result;
}

}  // namespace weft::compiler::simt
