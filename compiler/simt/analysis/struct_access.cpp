#include "compiler/simt/analysis/struct_access.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Operator.h>

#include <algorithm>

#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/analysis/uniformity.h"

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::Value;

/// Returns `value` without the constant that it adds; `is_signed` says how both are extended.
const Value* strip_constant(const Value* value, bool& is_signed, std::int64_t& constant) {
  is_signed = true;
  bool is_positive = false;
  const auto* extension = llvm::dyn_cast<llvm::CastInst>(value);
  if (extension && llvm::isa<llvm::SExtInst, llvm::ZExtInst>(extension)) {
    is_positive = llvm::isa<llvm::ZExtInst>(extension) && extension->hasNonNeg();
    is_signed = is_positive || llvm::isa<llvm::SExtInst>(extension);
    value = extension->getOperand(0);
  } else if (value->getType()->getIntegerBitWidth() != 64) {
    return value;  // the GEP extends it
  }
  const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(value);
  const auto* number = sum ? llvm::dyn_cast<llvm::ConstantInt>(sum->getOperand(1)) : nullptr;
  if (!number || number->getBitWidth() > 64) return value;
  if (const auto* either = llvm::dyn_cast<llvm::PossiblyDisjointInst>(sum)) {
    if (!either->isDisjoint() || number->isNegative()) return value;
  } else {
    if (sum->getOpcode() != Instruction::Add) return value;
    const bool is_address_width = number->getBitWidth() == 64;
    const bool exact = is_signed ? sum->hasNoSignedWrap() || (is_positive && sum->hasNoUnsignedWrap()) : sum->hasNoUnsignedWrap();
    if (!exact && !is_address_width) return value;
  }
  constant = is_signed ? number->getSExtValue() : static_cast<std::int64_t>(number->getZExtValue());
  return sum->getOperand(0);
}

void find_base(const Value& pointer, const llvm::DataLayout& layout, FieldAccess& access) { access.base = base_of(pointer, layout, access.offset); }

/// Lanes of a row that are worth a vector of their own.
constexpr unsigned kFewestInSegment = 4;

/// Whether the addresses of any two lanes differ by a multiple of the stride: fields_overlap() asks for it.
bool are_whole_structs_apart(const FieldAccess& access, const Shapes& shapes) {
  return access.base.index && access.base.scale % access.stride == 0 && shapes.is_uniform(*access.base.pointer);
}

/// An access that widening may put together with others, in memory that lanes share.
bool is_plain(const Instruction& instruction) {
  const Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
  if (!pointer || instruction.isAtomic()) return false;
  const unsigned space = pointer->getType()->getPointerAddressSpace();
  if (space != kGlobalSpace && space != kLocalSpace) return false;
  return !instruction.isVolatile() || instruction.hasMetadata(primitive::kNonVolatileMetadata);
}

}  // namespace

FieldBase base_of(const Value& pointer, const llvm::DataLayout& layout, std::int64_t& offset) {
  FieldBase base{.pointer = &pointer};
  while (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(base.pointer)) {
    llvm::MapVector<Value*, llvm::APInt> variables;
    llvm::APInt constant(64, 0);
    if (!gep->collectOffset(layout, 64, variables, constant) || variables.size() > (base.index ? 0 : 1)) return base;
    offset += constant.getSExtValue();
    base.pointer = gep->getPointerOperand();
    if (variables.empty()) continue;
    std::int64_t part = 0;
    base.scale = variables.front().second.getSExtValue();
    base.index = strip_constant(variables.front().first, base.is_signed, part);
    offset += part * base.scale;
  }
  return base;
}

llvm::SmallVector<FieldPiece, 8> field_pieces(std::uint64_t fields, unsigned most) {
  llvm::SmallVector<FieldPiece, 8> pieces;
  for (unsigned first = 0; fields >> first;) {
    first += static_cast<unsigned>(llvm::countr_zero(fields >> first));
    const auto run = static_cast<unsigned>(llvm::countr_one(fields >> first)), end = first + run;
    while (first < end) {
      // The last three of seven elements are stored together with the one in front of them.
      if (const unsigned left = end - first; left < run && left < most) first = end - std::min(llvm::bit_ceil(left), llvm::bit_floor(run));
      pieces.push_back({first, std::min(most, llvm::bit_floor(end - first))});
      first += pieces.back().count;
    }
    if (end == 64) break;
  }
  return pieces;
}

std::optional<FieldAccess> byte_access(Instruction& instruction, const Shapes& shapes, const llvm::DataLayout& layout, bool may_vary) {
  if (!is_plain(instruction)) return std::nullopt;
  const llvm::Type* type = llvm::getLoadStoreType(&instruction);
  const std::uint64_t bits = type->getPrimitiveSizeInBits();
  const Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
  const Shape shape = shapes[*pointer];
  if (type->isVectorTy() || (bits != 8 && bits != 16)) return std::nullopt;
  if (shape.is_affine() ? shape.stride <= 0 : !may_vary) return std::nullopt;
  FieldAccess access;
  access.instruction = &instruction;
  access.bytes = static_cast<std::int64_t>(bits / 8);
  access.stride = shape.is_affine() ? shape.stride : 0;
  if (access.stride % access.bytes) return std::nullopt;
  find_base(*pointer, layout, access);
  return access;
}

std::optional<FieldAccess> word_access(Instruction& instruction, const Shapes& shapes, const llvm::DataLayout& layout) {
  if (!is_plain(instruction)) return std::nullopt;
  const llvm::Type* type = llvm::getLoadStoreType(&instruction);
  const Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
  const Shape shape = shapes[*pointer];
  const unsigned word = type->getScalarSizeInBits();
  const std::uint64_t bits = type->getPrimitiveSizeInBits().getFixedValue();
  const bool is_number = type->isIntOrIntVectorTy() || type->isFPOrFPVectorTy();
  if (!is_number || (word != 32 && word != 64) || (bits != 32 && bits != 64 && bits != 128)) return std::nullopt;
  if (shape.is_affine() && !shape.checked) return std::nullopt;
  FieldAccess access;
  access.instruction = &instruction;
  access.bytes = static_cast<std::int64_t>(bits / 8);
  access.stride = shape.is_affine() ? shape.stride : 0;
  find_base(*pointer, layout, access);
  return access;
}

std::optional<FieldAccess> field_access(Instruction& instruction, const Shapes& shapes, const llvm::DataLayout& layout) {
  if (!is_plain(instruction)) return std::nullopt;
  const Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
  llvm::Type* type = llvm::getLoadStoreType(&instruction);
  llvm::Type* element = type->getScalarType();
  if (type->isAggregateType() || !(element->isIntegerTy() || element->isFloatingPointTy())) return std::nullopt;
  const std::uint64_t bits = element->getPrimitiveSizeInBits();
  const Shape shape = shapes[*pointer];
  FieldAccess access;
  access.instruction = &instruction;
  access.bytes = static_cast<std::int64_t>(layout.getTypeStoreSize(type).getFixedValue());
  if ((bits != 32 && bits != 64) || access.bytes * 8 != static_cast<std::int64_t>(layout.getTypeSizeInBits(type)))
    return std::nullopt;
  if (!shape.is_affine() || shape.checked || shape.segment < kFewestInSegment || shape.stride < access.bytes ||
      shape.stride % kSmallestUnit != 0)
    return std::nullopt;
  access.stride = shape.stride;
  access.segment = shape.segment;
  find_base(*pointer, layout, access);
  if (shape.segment != shapes.lanes() && !are_whole_structs_apart(access, shapes)) return std::nullopt;
  return access;
}

}  // namespace weft::compiler::simt
