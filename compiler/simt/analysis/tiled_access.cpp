#include "compiler/simt/analysis/tiled_access.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <bit>

#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/analysis/shape_limits.h"
#include "compiler/simt/analysis/uniformity.h"

namespace weft::compiler::simt {
namespace {

/// Bits of a checked number: with more, sums that look at its ends might wrap; with fewer, it wraps too often.
constexpr unsigned kMostCheckedBits = 48, kFewestCheckedBits = 16;

bool is_number(llvm::Type* type, const llvm::DataLayout& layout) {
  llvm::Type* element = type->getScalarType();
  return (element->isIntegerTy() || element->isFloatingPointTy()) && element->getScalarSizeInBits() <= 64 &&
         layout.getTypeSizeInBits(element) == 8 * layout.getTypeAllocSize(element);
}

/// `a` * `b`, unless that is far out of bounds.
std::optional<std::int64_t> product(std::int64_t a, std::int64_t b) {
  if (a == 0 || b == 0) return 0;
  if (std::abs(a) > kLargestStride || std::abs(b) > kLargestStride / std::abs(a)) return std::nullopt;
  return a * b;
}

}  // namespace

std::optional<LaneBlock> lane_block(const Specialization& specialization, unsigned lanes) {
  const auto& size = specialization.local_size;
  LaneBlock block;
  while (block.column_dimension < 3 && size[block.column_dimension] == 1) ++block.column_dimension;
  block.row_dimension = block.column_dimension + 1;
  while (block.row_dimension < 3 && size[block.row_dimension] == 1) ++block.row_dimension;
  if (block.row_dimension >= 3) return std::nullopt;
  block.columns = size[block.column_dimension];
  if (block.columns < 2 || !std::has_single_bit(block.columns) || block.columns >= lanes) return std::nullopt;
  block.rows = lanes / block.columns;
  // No body goes on in the next plane.
  if (size[block.row_dimension] % block.rows != 0) return std::nullopt;
  return block;
}

std::optional<TiledAccess> TiledAccesses::access(llvm::Instruction& instruction) {
  const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
  if (!pointer || instruction.isAtomic() || instruction.hasMetadata(primitive::kFieldsMetadata)) return std::nullopt;
  if (instruction.isVolatile() && !instruction.hasMetadata(primitive::kNonVolatileMetadata)) return std::nullopt;
  const unsigned space = pointer->getType()->getPointerAddressSpace();
  llvm::Type* type = llvm::getLoadStoreType(&instruction);
  if ((space != kGlobalSpace && space != kLocalSpace) || !is_number(type, layout_)) return std::nullopt;
  const auto bits = static_cast<unsigned>(layout_.getTypeSizeInBits(type));
  if (bits < 8 || bits > 128 || !std::has_single_bit(bits)) return std::nullopt;
  const Result form = of(*pointer);
  if (!form || form->along != bits / 8 || form->across == 0) return std::nullopt;
  TiledAccess access{.unit = bits / 8, .pitch = form->across, .checks = {}};
  llvm::SmallSetVector<const llvm::Value*, 16> expression;
  expression.insert(pointer);
  for (unsigned i = 0; i < expression.size(); ++i) {
    const auto* part = llvm::dyn_cast<llvm::Instruction>(expression[i]);
    if (!part || shapes_.is_uniform(*part)) continue;
    if (const auto check = checks_.find(part); check != checks_.end()) access.checks.push_back(check->second);
    if (!llvm::isa<llvm::CallBase>(part)) expression.insert(part->op_begin(), part->op_end());
  }
  return access;
}

TiledAccesses::Result TiledAccesses::of(const llvm::Value& value) {
  if (value.getType()->isVectorTy()) return std::nullopt;
  if (shapes_.is_uniform(value)) {
    Form form;
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value)) form.zero_bits = constant->getValue().countr_zero();
    return form;
  }
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction) return std::nullopt;
  // A phi would need to be known before what it is made of; none is followed.
  const auto [known, is_new] = forms_.try_emplace(instruction, std::nullopt);
  if (!is_new) return known->second;
  const Result result = compute(*instruction);
  return forms_[instruction] = result;
}

TiledAccesses::Result TiledAccesses::compute(const llvm::Instruction& instruction) {
  using llvm::Instruction;
  switch (instruction.getOpcode()) {
    case Instruction::Call: {
      const llvm::StringRef name = called_name(instruction);
      if (!name.starts_with(primitive::kLocalId) && !name.starts_with(primitive::kGlobalId)) return std::nullopt;
      const auto dimension = static_cast<unsigned>(name.back() - 'x');
      Form form;
      if (dimension == block_.column_dimension) form.across = 1;
      else if (dimension == block_.row_dimension) form.along = 1;
      else return std::nullopt;
      return form;
    }
    case Instruction::Or:
      return llvm::cast<llvm::PossiblyDisjointInst>(instruction).isDisjoint() ? of_sum(instruction) : std::nullopt;
    case Instruction::Add:
    case Instruction::Sub: return of_sum(instruction);
    case Instruction::Mul:
      if (shapes_.is_uniform(*instruction.getOperand(0)))
        return of_product(instruction, *instruction.getOperand(1), *instruction.getOperand(0), false);
      return of_product(instruction, *instruction.getOperand(0), *instruction.getOperand(1), false);
    case Instruction::Shl: return of_product(instruction, *instruction.getOperand(0), *instruction.getOperand(1), true);
    case Instruction::AShr: return of_high_bits(instruction);
    case Instruction::And: return of_low_bits(instruction);
    case Instruction::Trunc:
    case Instruction::SExt:
    case Instruction::ZExt: return of_cast(instruction);
    case Instruction::AddrSpaceCast: return of(*instruction.getOperand(0));
    case Instruction::GetElementPtr: return of_gep(instruction);
    default: return std::nullopt;
  }
}

TiledAccesses::Result TiledAccesses::of_sum(const llvm::Instruction& instruction) {
  const Result a = of(*instruction.getOperand(0));
  const Result b = of(*instruction.getOperand(1));
  if (!a || !b) return std::nullopt;
  const std::int64_t sign = instruction.getOpcode() == llvm::Instruction::Sub ? -1 : 1;
  Form form;
  form.across = a->across && b->across ? std::optional(*a->across + sign * *b->across) : std::nullopt;
  form.along = a->along + sign * b->along;
  form.zero_bits = std::min(a->zero_bits, b->zero_bits);
  const auto* flags = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(&instruction);  // else `or`, which never wraps
  form.no_signed_wrap = a->no_signed_wrap && b->no_signed_wrap && (!flags || flags->hasNoSignedWrap());
  form.no_unsigned_wrap = a->no_unsigned_wrap && b->no_unsigned_wrap && (!flags || flags->hasNoUnsignedWrap());
  return form;
}

TiledAccesses::Result TiledAccesses::of_product(const llvm::Instruction& instruction, const llvm::Value& value, const llvm::Value& factor,
                                bool is_shift) {
  Result form = of(value);
  if (!form || !shapes_.is_uniform(factor)) return std::nullopt;
  const auto& flags = llvm::cast<llvm::OverflowingBinaryOperator>(instruction);
  form->no_signed_wrap &= flags.hasNoSignedWrap();
  form->no_unsigned_wrap &= flags.hasNoUnsignedWrap();
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&factor);
  if (constant && constant->getValue().getSignificantBits() <= 40 && !(is_shift && constant->getValue().uge(40))) {
    const std::int64_t by = is_shift ? std::int64_t{1} << constant->getZExtValue() : constant->getSExtValue();
    const std::optional<std::int64_t> along = product(form->along, by);
    if (!along) return std::nullopt;
    form->along = *along;
    if (form->across) form->across = product(*form->across, by);
    form->zero_bits = std::min(63u, form->zero_bits + divisor_log2(static_cast<std::uint64_t>(by)));
    // A negative factor is a large one to numbers without sign.
    form->no_unsigned_wrap &= by >= 0;
    return form;
  }
  if (form->along != 0) return std::nullopt;
  if (form->across != 0) form->across = std::nullopt;
  return form;
}

/// `form`, which is a narrower number's, is the form of `instruction` too if a check finds that the number stays in its range.
TiledAccesses::Result TiledAccesses::checked(const llvm::Instruction& instruction, Form form, unsigned bits, bool is_signed) {
  form.no_signed_wrap = true;
  form.no_unsigned_wrap = !is_signed;
  checks_[&instruction] = {.extension = const_cast<llvm::Instruction*>(&instruction),
                           .across = form.across,
                           .along = form.along,
                           .bits = bits,
                           .is_signed = is_signed};
  return form;
}

TiledAccesses::Result TiledAccesses::of_cast(const llvm::Instruction& instruction) {
  Result form = of(*instruction.getOperand(0));
  if (!form) return std::nullopt;
  const unsigned from = instruction.getOperand(0)->getType()->getScalarSizeInBits();
  const unsigned to = instruction.getType()->getScalarSizeInBits();
  if (const auto* trunc = llvm::dyn_cast<llvm::TruncInst>(&instruction)) {
    const auto fits = [&](std::int64_t step) { return llvm::isIntN(to, step); };
    // Arithmetic modulo 2^to: the form stays. Whether it wraps is known from the flags alone.
    if (!fits(form->along) || (form->across && !fits(*form->across))) return std::nullopt;
    form->no_signed_wrap &= trunc->hasNoSignedWrap();
    form->no_unsigned_wrap &= trunc->hasNoUnsignedWrap();
    return form;
  }
  // With `nneg` live lanes are not negative, so it is the same.
  const bool is_signed = llvm::isa<llvm::SExtInst>(instruction) || instruction.hasNonNeg();
  if (is_signed ? !form->no_signed_wrap : !form->no_unsigned_wrap) {
    if (from < kFewestCheckedBits || from > kMostCheckedBits) return std::nullopt;
    return checked(instruction, *form, from, is_signed);
  }
  form->no_signed_wrap = true;
  form->no_unsigned_wrap = !is_signed;
  return form;
}

/// `ashr` of a number whose lowest bits are zero by as many bits: what instcombine makes of `sext (trunc x)`.
TiledAccesses::Result TiledAccesses::of_high_bits(const llvm::Instruction& instruction) {
  Result form = of(*instruction.getOperand(0));
  const auto* amount = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1));
  const unsigned width = instruction.getType()->getScalarSizeInBits();
  if (!form || !amount || width > 64) return std::nullopt;
  const std::uint64_t shift = amount->getValue().getLimitedValue(width);
  const auto bits = width - static_cast<unsigned>(shift);
  if (bits < kFewestCheckedBits || bits > kMostCheckedBits) return std::nullopt;
  if (form->zero_bits < shift && !instruction.isExact()) return std::nullopt;
  const std::int64_t low = (std::int64_t{1} << shift) - 1;
  if ((form->along & low) != 0) return std::nullopt;
  form->along >>= shift;
  if (form->across) form->across = (*form->across & low) == 0 ? std::optional(*form->across >> shift) : std::nullopt;
  form->zero_bits -= std::min(form->zero_bits, static_cast<unsigned>(shift));
  return checked(instruction, *form, bits, true);
}

/// `and` with a mask of low bits, likewise of `zext (trunc x)`.
TiledAccesses::Result TiledAccesses::of_low_bits(const llvm::Instruction& instruction) {
  Result form = of(*instruction.getOperand(0));
  const auto* mask = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1));
  if (!form || !mask || !mask->getValue().isMask()) return std::nullopt;
  const unsigned bits = mask->getValue().countr_one();
  if (bits < kFewestCheckedBits || bits > kMostCheckedBits) return std::nullopt;
  return checked(instruction, *form, bits, false);
}

TiledAccesses::Result TiledAccesses::of_gep(const llvm::Instruction& instruction) {
  const auto& gep = llvm::cast<llvm::GEPOperator>(instruction);
  Result form = of(*gep.getPointerOperand());
  llvm::APInt constant(layout_.getIndexTypeSizeInBits(gep.getType()), 0);
  llvm::MapVector<llvm::Value*, llvm::APInt> variables;
  if (!form || !gep.collectOffset(layout_, constant.getBitWidth(), variables, constant)) return std::nullopt;
  for (const auto& [index, scale] : variables) {
    const Result step = of(*index);
    if (!step) return std::nullopt;
    // A narrower index is sign-extended by the instruction itself.
    if (index->getType()->getScalarSizeInBits() < 64 && !step->no_signed_wrap) return std::nullopt;
    const std::optional<std::int64_t> along = product(step->along, scale.getSExtValue());
    if (!along) return std::nullopt;
    form->along += *along;
    const auto across = step->across ? product(*step->across, scale.getSExtValue()) : std::nullopt;
    form->across = form->across && across ? std::optional(*form->across + *across) : std::nullopt;
  }
  return form;
}

}  // namespace weft::compiler::simt
