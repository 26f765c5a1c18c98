#include "compiler/simt/widen/memory/texels.h"

#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <bit>
#include <optional>

#include "compiler/simt/item/byte_tables.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

/// Operations between a work-item's number and an index.
constexpr unsigned kMostSteps = 12;
/// Bytes of elements that are close together.
constexpr std::uint64_t kMostBytes = 256;
/// Elements of a pixel.
constexpr unsigned kMostTimes = 4;

/// From one window to the next, where they are more than one apart.
constexpr std::int64_t kLikelyStep = 2;
/// Bits of a step, and of what it is a multiple of.
constexpr unsigned kStepBits = 16;

/// Whether all lanes of a row (row_of_lanes) hold the same.
bool is_same_in_row(const Widening& w, const Value& value) {
  const Shape shape = w.shape(&value);
  const unsigned row = row_of_lanes(w);
  return shape.is_constant_in_segment() && shape.segment >= (row ? row : w.lanes);
}

/// Whether a sum of an index that is extended to an address's bits, or has these, differs between lanes as its operand does.
bool is_exact(const llvm::BinaryOperator& sum, bool is_extended_unsigned) {
  if (sum.getType()->getScalarSizeInBits() == 64) return true;
  if (sum.getOpcode() == llvm::Instruction::Or) return true;
  return sum.hasNoSignedWrap() || (is_extended_unsigned && sum.hasNoUnsignedWrap());
}

/// Whether `value` counts by the same step from lane to lane but for rounding; `rounds` becomes true where there is some. What is rounded and then
/// multiplied, as the row of an image that is turned, lies far apart.
bool counts_evenly(const Widening& w, const Value& value, bool& rounds, unsigned steps = kMostSteps) {
  if (w.shape(&value).is_affine()) return true;
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction || !steps) return false;
  const auto is_even = [&](unsigned operand) { return counts_evenly(w, *instruction->getOperand(operand), rounds, steps - 1); };
  const auto is_same = [&](unsigned operand) { return is_same_in_row(w, *instruction->getOperand(operand)); };
  const auto is_multiple = [&](unsigned operand) {
    bool rounds_before = false;
    if (!is_same(1 - operand) || !counts_evenly(w, *instruction->getOperand(operand), rounds_before, steps - 1)) return false;
    const auto* factor = llvm::dyn_cast<llvm::ConstantInt>(instruction->getOperand(1 - operand));
    rounds |= rounds_before;
    return !rounds_before || (factor && factor->getValue().ule(kMostTimes));
  };
  using llvm::Instruction;
  switch (instruction->getOpcode()) {
    case Instruction::FPToSI:
    case Instruction::FPToUI: rounds = true; return is_even(0);
    case Instruction::SIToFP:
    case Instruction::UIToFP:
    case Instruction::FPExt:
    case Instruction::FPTrunc:
    case Instruction::SExt:
    case Instruction::ZExt:
    case Instruction::Trunc:
    case Instruction::FNeg: return is_even(0);
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::FAdd:
    case Instruction::FSub: return is_even(0) && is_even(1);
    case Instruction::Or: return llvm::cast<llvm::PossiblyDisjointInst>(instruction)->isDisjoint() && is_even(0) && is_even(1);
    case Instruction::Mul:
    case Instruction::FMul: return is_multiple(1) || is_multiple(0);
    case Instruction::Shl: return is_multiple(0);
    case Instruction::FDiv: return is_same(1) && is_even(0);
    case Instruction::LShr:
    case Instruction::AShr:
    case Instruction::UDiv:
    case Instruction::SDiv: rounds = true; return is_same(1) && is_even(0);
    case Instruction::Call: break;
    default: return false;
  }
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(instruction);
  switch (call ? call->getIntrinsicID() : llvm::Intrinsic::not_intrinsic) {
    case llvm::Intrinsic::fma:
    case llvm::Intrinsic::fmuladd: return (is_multiple(1) || is_multiple(0)) && is_even(2);
    case llvm::Intrinsic::floor:
    case llvm::Intrinsic::ceil:
    case llvm::Intrinsic::trunc:
    case llvm::Intrinsic::rint:
    case llvm::Intrinsic::nearbyint:
    case llvm::Intrinsic::round:
    case llvm::Intrinsic::roundeven: return is_even(0);
    case llvm::Intrinsic::smin:
    case llvm::Intrinsic::smax:
    case llvm::Intrinsic::umin:
    case llvm::Intrinsic::umax:
    case llvm::Intrinsic::minnum:
    case llvm::Intrinsic::maxnum: return (is_same(0) && is_even(1)) || (is_same(1) && is_even(0));
    default: return false;
  }
}

/// What is added to `value` from lane to lane within a row, and `divides` becomes true where divisions decide how long that is; none if nothing is known.
std::optional<std::int64_t> step_in_row(const Widening& w, const Value& value, bool& divides, unsigned steps = kMostSteps) {
  const Shape shape = w.shape(&value);
  if (shape.is_affine() && (shape.segment == w.lanes || shape.segment >= row_of_lanes(w))) return shape.stride;
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction || !steps) return std::nullopt;
  const auto of = [&](unsigned operand) { return step_in_row(w, *instruction->getOperand(operand), divides, steps - 1); };
  const auto is_same = [&](unsigned operand) { return is_same_in_row(w, *instruction->getOperand(operand)); };
  const auto if_short = [](std::int64_t step) { return std::abs(step) < std::int64_t{1} << kStepBits ? std::optional(step) : std::nullopt; };
  const auto combined = [&](std::int64_t sign) -> std::optional<std::int64_t> {
    const auto left = of(0), right = of(1);
    if (!left || !right) return std::nullopt;
    return if_short(*left + sign * *right);
  };
  const auto multiple = [&](unsigned operand) -> std::optional<std::int64_t> {
    const auto step = of(operand);
    const auto* factor = llvm::dyn_cast<llvm::ConstantInt>(instruction->getOperand(1 - operand));
    if (!step || *step == 0) return step;
    if (factor) return factor->getValue().getSignificantBits() <= kStepBits ? if_short(*step * factor->getSExtValue()) : std::nullopt;
    // Of steps that a program is told, those of 1 are known (unit_strides.h).
    return is_same_in_row(w, *instruction->getOperand(1 - operand)) && std::abs(*step) == 1 ? std::optional(*step * kLikelyStep) : std::nullopt;
  };
  using llvm::Instruction;
  switch (instruction->getOpcode()) {
    case Instruction::SExt:
    case Instruction::ZExt:
    case Instruction::Trunc:
    case Instruction::Freeze: return of(0);
    case Instruction::Or:
      if (!llvm::cast<llvm::PossiblyDisjointInst>(instruction)->isDisjoint()) return std::nullopt;
      [[fallthrough]];
    case Instruction::Add: return combined(1);
    case Instruction::Sub: return combined(-1);
    case Instruction::Mul:
      if (is_same(1)) return multiple(0);
      return is_same(0) ? multiple(1) : std::nullopt;
    case Instruction::Shl: {
      const auto step = of(0);
      const auto* bits = llvm::dyn_cast<llvm::ConstantInt>(instruction->getOperand(1));
      if (!step || *step == 0) return step;
      return bits && bits->getValue().ult(kStepBits) ? if_short(*step * (std::int64_t{1} << bits->getZExtValue())) : std::nullopt;
    }
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem: {
      const auto step = is_same(1) ? of(0) : std::nullopt;
      if (!step || *step < 0 || *step > 1) return std::nullopt;
      divides = true;
      const bool is_rest = instruction->getOpcode() == Instruction::URem || instruction->getOpcode() == Instruction::SRem;
      return is_rest ? step : 0;
    }
    case Instruction::Call: break;
    default: return std::nullopt;
  }
  const auto* bound = llvm::dyn_cast<llvm::MinMaxIntrinsic>(instruction);
  if (!bound) return std::nullopt;
  return is_same(1) ? of(0) : is_same(0) ? of(1) : std::nullopt;
}

/// `pointer` in `lane`, if its operand `place` is `number` there.
Value* pointer_at(Widening& w, Value* pointer, const Value& place, unsigned lane, Value* number) {
  if (is_same_in_row(w, *pointer)) return w.values.scalar_at(pointer, lane);
  auto* gep = llvm::cast<llvm::GetElementPtrInst>(pointer);
  Value* index = gep->getOperand(1) == &place ? number : w.values.scalar_at(gep->getOperand(1), lane);
  return w.builder.CreateGEP(gep->getSourceElementType(), pointer_at(w, gep->getPointerOperand(), place, lane, number), index);
}

}  // namespace

std::optional<PlaceInRow> place_in_row(const Widening& w, const Access& access) {
  PlaceInRow place;
  Value* pointer = access.pointer;
  while (!is_same_in_row(w, *pointer)) {
    const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(pointer);
    if (!gep || gep->getNumIndices() != 1) return std::nullopt;
    if (!is_same_in_row(w, *gep->getOperand(1))) {
      if (place.index) return std::nullopt;
      place = {.index = gep->getOperand(1), .operand = gep->getOperand(1)};
      place.bytes = gep->getModule()->getDataLayout().getTypeAllocSize(gep->getSourceElementType());
    }
    pointer = gep->getOperand(0);
  }
  if (!place.index || !place.index->getType()->isIntegerTy(64) || place.bytes == 0 || place.bytes > kMostBytes) return std::nullopt;
  // Of numbers that are not negative, the one extension is the other. Narrow ones wrap around between places that are not far apart.
  bool is_unsigned = false;
  if (auto* extension = llvm::dyn_cast<llvm::CastInst>(place.index);
      extension && extension->getSrcTy()->getScalarSizeInBits() >= 32 &&
      (llvm::isa<llvm::SExtInst>(extension) || (llvm::isa<llvm::ZExtInst>(extension) && extension->hasNonNeg()))) {
    is_unsigned = llvm::isa<llvm::ZExtInst>(extension);
    place.index = extension->getOperand(0);
  }
  const bool is_image = is_texel(access);
  while (auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(place.index)) {
    const bool is_sum = sum->getOpcode() == llvm::Instruction::Add ||
                        (sum->getOpcode() == llvm::Instruction::Or && llvm::cast<llvm::PossiblyDisjointInst>(sum)->isDisjoint());
    if (!is_sum || !(is_image || is_exact(*sum, is_unsigned))) break;
    const bool of_second = is_same_in_row(w, *sum->getOperand(0));
    if (!of_second && !is_same_in_row(w, *sum->getOperand(1))) break;
    place.index = sum->getOperand(of_second);
  }
  return place;
}

bool is_texel(const Access& access) {
  return access.is_load() && access.pointer->getType()->getPointerAddressSpace() == kConstantSpace &&
         access.instruction.hasMetadata(llvm::LLVMContext::MD_invariant_load) && !leads_to_tables(*access.pointer);
}

bool rounds_evenly(const Widening& w, const Access& access) {
  const unsigned space = access.pointer->getType()->getPointerAddressSpace();
  if (!access.is_load() || access.is_atomic || (space != kGlobalSpace && space != kConstantSpace) || leads_to_tables(*access.pointer)) return false;
  const auto place = place_in_row(w, access);
  bool rounds = false;
  return place && counts_evenly(w, *place->index, rounds) && rounds;
}

bool is_listed(const Widening& w, const Access& access) {
  const unsigned space = access.pointer->getType()->getPointerAddressSpace();
  if (!access.is_load() || access.is_atomic || access.count != 1 || access.bits < 32) return false;
  if (space != kGlobalSpace && space != kConstantSpace) return false;
  const auto place = place_in_row(w, access);
  if (!place || place->bytes != access.element_bytes) return false;
  const Value* index = place->index;
  while (llvm::isa<llvm::SExtInst, llvm::ZExtInst, llvm::TruncInst>(index)) index = llvm::cast<llvm::CastInst>(index)->getOperand(0);
  const auto* list = llvm::dyn_cast<llvm::LoadInst>(index);
  if (!list || list->getPointerAddressSpace() == kPrivateSpace || !list->getType()->isIntegerTy() || list->getType()->getIntegerBitWidth() < 32)
    return false;
  const Shape shape = w.shape(list->getPointerOperand());
  return shape.is_affine() && shape.segment >= row_of_lanes(w) &&
         shape.stride == static_cast<std::int64_t>(w.layout.getTypeStoreSize(list->getType()));
}

std::optional<std::int64_t> step_in_row(const Widening& w, const Access& access) {
  const auto place = place_in_row(w, access);
  bool divides = false;
  const auto step = place ? step_in_row(w, *place->index, divides) : std::nullopt;
  if (!step || !divides) return std::nullopt;
  const std::int64_t bytes = *step * static_cast<std::int64_t>(place->bytes), element = static_cast<std::int64_t>(access.element_bytes * access.count);
  return bytes % element ? std::nullopt : std::optional(bytes / element);
}

Value* address_at(Widening& w, const Access& access, const PlaceInRow& place, unsigned lane, Value* number) {
  return pointer_at(w, access.pointer, *place.operand, lane, number);
}

unsigned row_of_lanes(const Widening& w) {
  const Specialization& specialization = w.request.specialization;
  const auto& size = specialization.local_size;
  const std::uint32_t width = size[0];
  // Of one row the last warp has fewer; of several groups' rows one may begin within any.
  if (specialization.groups == 1 && size[1] == 1 && size[2] == 1 && width >= w.lanes) return w.lanes;
  return width ? std::min(w.lanes, 1u << std::countr_zero(width)) : 0;
}

TexelOffsets texel_offsets(Widening& w, const Access& access) {
  if (const auto place = place_in_row(w, access)) return {w.values.vector1(place->index), place->bytes};
  return {w.builder.CreatePtrToInt(w.values.vector1(access.pointer), w.wide(w.builder.getInt64Ty()))};
}

}  // namespace weft::compiler::simt
