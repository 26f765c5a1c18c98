#include "compiler/simt/item/word_elements.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include <cstdint>

#include "compiler/simt/ir/address_spaces.h"

namespace weft::compiler::simt {

using llvm::Instruction;
using llvm::Value;
using namespace llvm::PatternMatch;

namespace {

bool is_part(unsigned bits) { return bits == 8 || bits == 16; }

/// Bits from `offset` on of an integer or a vector, as an element of a word; looks through casts.
std::optional<Element> element_at(Value* of, unsigned offset, unsigned bits, bool is_signed) {
  for (;;) {
    Value* inner = nullptr;
    std::uint64_t index = 0;
    if (match(of, m_BitCast(m_Value(inner))) && (inner->getType()->isIntOrIntVectorTy())) {
      of = inner;
    } else if (match(of, m_ExtractElt(m_Value(inner), m_ConstantInt(index))) && inner->getType()->getScalarSizeInBits() >= kWord) {
      offset += static_cast<unsigned>(index) * inner->getType()->getScalarSizeInBits();
      of = inner;
    } else {
      break;
    }
  }
  const unsigned size = static_cast<unsigned>(of->getType()->getPrimitiveSizeInBits().getFixedValue());
  if (size % kWord != 0 || offset % bits != 0 || offset + bits > size) return std::nullopt;
  // Smaller elements are words where memory has them side by side, which private memory need not (memory/interleave.h).
  if (of->getType()->getScalarSizeInBits() < kWord) {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(of);
    if (!load || load->isAtomic() || load->getPointerAddressSpace() == kPrivateSpace) return std::nullopt;
  }
  return Element{{of, offset / kWord}, offset % kWord / bits, bits, is_signed};
}

/// Where `value`, of 8 or 16 bits, comes from.
std::optional<Element> element_of_narrow(Value* value, bool is_signed) {
  const unsigned bits = value->getType()->getScalarSizeInBits();
  Value* inner = nullptr;
  std::uint64_t index = 0;
  if (match(value, m_ExtractElt(m_Value(inner), m_ConstantInt(index))))
    return element_at(inner, static_cast<unsigned>(index) * bits, bits, is_signed);
  if (!match(value, m_Trunc(m_Value(inner)))) return std::nullopt;
  Value* word = nullptr;
  if (match(inner, m_Shr(m_Value(word), m_ConstantInt(index)))) return element_at(word, static_cast<unsigned>(index), bits, is_signed);
  return element_at(inner, 0, bits, is_signed);
}

}  // namespace

std::optional<Element> element_of(Value* value) {
  Value* inner = nullptr;
  std::uint64_t index = 0, shift = 0, mask = 0;
  if (match(value, m_ZExtOrSExt(m_Value(inner)))) {
    if (!is_part(inner->getType()->getScalarSizeInBits())) return std::nullopt;
    return element_of_narrow(inner, llvm::isa<llvm::SExtInst>(value));
  }
  if (match(value, m_ExtractElt(m_ZExtOrSExt(m_Value(inner)), m_ConstantInt(index)))) {
    const unsigned bits = inner->getType()->getScalarSizeInBits();
    if (!is_part(bits)) return std::nullopt;
    return element_at(inner, static_cast<unsigned>(index) * bits, bits,
                      llvm::isa<llvm::SExtInst>(llvm::cast<llvm::ExtractElementInst>(value)->getVectorOperand()));
  }
  if (!value->getType()->isIntegerTy(kWord)) return std::nullopt;
  if (match(value, m_AShr(m_Value(inner), m_ConstantInt(shift))) && shift < kWord && is_part(kWord - static_cast<unsigned>(shift))) {
    const unsigned bits = kWord - static_cast<unsigned>(shift);
    std::uint64_t left = 0;
    Value* word = nullptr;
    if (match(inner, m_Shl(m_Value(word), m_ConstantInt(left))) && left < kWord)
      return element_at(word, static_cast<unsigned>(shift - left), bits, true);
    return element_at(inner, static_cast<unsigned>(shift), bits, true);
  }
  if (match(value, m_LShr(m_Value(inner), m_ConstantInt(shift))) && shift < kWord && is_part(kWord - static_cast<unsigned>(shift)))
    return element_at(inner, static_cast<unsigned>(shift), kWord - static_cast<unsigned>(shift), false);
  if (match(value, m_And(m_Value(inner), m_ConstantInt(mask))) && (mask == 0xff || mask == 0xffff)) {
    const unsigned bits = mask == 0xff ? 8 : 16;
    Value* word = nullptr;
    if (match(inner, m_LShr(m_Value(word), m_ConstantInt(shift))))
      return shift < kWord ? element_at(word, static_cast<unsigned>(shift), bits, false) : std::nullopt;
    return element_at(inner, 0, bits, false);
  }
  return std::nullopt;
}

std::optional<std::pair<Element, Element>> factors_of(Value* addend) {
  Value *a = nullptr, *b = nullptr;
  std::uint64_t index = 0;
  std::optional<Element> elements[2];
  if (match(addend, m_Mul(m_Value(a), m_Value(b)))) {
    elements[0] = element_of(a);
    elements[1] = element_of(b);
  } else if (match(addend, m_ExtractElt(m_Mul(m_Value(a), m_Value(b)), m_ConstantInt(index)))) {
    for (unsigned i = 0; i < 2; ++i) {
      Value *factor = i ? b : a, *narrow = nullptr;
      if (!match(factor, m_ZExtOrSExt(m_Value(narrow))) || !is_part(narrow->getType()->getScalarSizeInBits())) return std::nullopt;
      const unsigned bits = narrow->getType()->getScalarSizeInBits();
      elements[i] = element_at(narrow, static_cast<unsigned>(index) * bits, bits, llvm::isa<llvm::SExtInst>(factor));
    }
  }
  if (!elements[0] || !elements[1] || elements[0]->bits != elements[1]->bits || elements[0]->index != elements[1]->index)
    return std::nullopt;
  // The processor multiplies those of 16 bits with a sign.
  if (elements[0]->bits == 16 && !(elements[0]->is_signed && elements[1]->is_signed)) return std::nullopt;
  return std::pair(*elements[0], *elements[1]);
}

namespace {

/// A byte, or what is known to be one among wider numbers.
bool is_number_of_byte(Value* value) {
  std::uint64_t constant = 0;
  if (match(value, m_ConstantInt(constant))) return constant <= 0xff;
  Value* byte = nullptr;
  if (match(value, m_ZExt(m_Value(byte)))) return byte->getType()->isIntegerTy(8);
  const auto element = element_of(value);
  return element && element->bits == 8 && !element->is_signed;
}

/// `a > b ? a - b : b - a`, compared as bytes or in as many bits as they are subtracted in.
bool chooses_distance(Value* value, Value*& a, Value*& b) {
  llvm::ICmpInst::Predicate predicate{};
  Value *left = nullptr, *right = nullptr;
  if (!match(value, m_Select(m_ICmp(predicate, m_Value(left), m_Value(right)), m_Sub(m_Value(a), m_Value(b)), m_Sub(m_Deferred(b), m_Deferred(a)))))
    return false;
  const auto is = [](Value* compared, Value* subtracted) {
    return compared == subtracted || (compared->getType()->isIntegerTy(8) && match(subtracted, m_ZExt(m_Specific(compared))));
  };
  if (is(left, b) && is(right, a)) predicate = llvm::ICmpInst::getSwappedPredicate(predicate);
  else if (!is(left, a) || !is(right, b)) return false;
  if (predicate == llvm::ICmpInst::ICMP_UGT || predicate == llvm::ICmpInst::ICMP_UGE) return true;
  // Numbers of bytes have no sign in more bits.
  return left->getType()->isIntegerTy(kWord) && (predicate == llvm::ICmpInst::ICMP_SGT || predicate == llvm::ICmpInst::ICMP_SGE);
}

}  // namespace

std::optional<std::array<Value*, 2>> distance_of(Value* value) {
  Value *a = nullptr, *b = nullptr;
  if (!value->getType()->isIntegerTy(kWord)) return std::nullopt;
  if (!match(value, m_Intrinsic<llvm::Intrinsic::abs>(m_Sub(m_Value(a), m_Value(b)))) && !chooses_distance(value, a, b)) return std::nullopt;
  return is_number_of_byte(a) && is_number_of_byte(b) ? std::optional(std::array{a, b}) : std::nullopt;
}

Value* without_extension(Value* value) {
  Value* inner = nullptr;
  if (value->getType()->isIntegerTy(16) && match(value, m_Trunc(m_Value(inner))) && inner->getType()->isIntegerTy(kWord)) value = inner;
  if (match(value, m_And(m_Value(inner), m_SpecificInt(0xff))) && distance_of(inner)) value = inner;
  if (match(value, m_ZExt(m_Value(inner))) && (inner->getType()->isIntegerTy(8) || inner->getType()->isIntegerTy(1))) return inner;
  return value;
}

bool is_of_bytes(const Value& value) {
  if (!value.getType()->isIntegerTy(8) && !value.getType()->isIntegerTy(1)) return false;
  if (const auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&value)) {
    const bool is_sum = binary->getOpcode() == Instruction::Add || binary->getOpcode() == Instruction::Sub;
    return binary->isBitwiseLogicOp() || (is_sum && value.getType()->isIntegerTy(8));
  }
  if (const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&value)) return compare->getOperand(0)->getType()->isIntegerTy(8);
  return llvm::isa<llvm::SelectInst, llvm::MinMaxIntrinsic>(value);
}

std::optional<Element> byte_of_word(Value* value) {
  const auto element = value->getType()->isIntegerTy(8) ? element_of_narrow(value, false) : element_of(value);
  return element && element->bits == 8 && !element->is_signed ? element : std::nullopt;
}

namespace {

/// The first element that `value` is made of by operations of bytes.
std::optional<Element> first_element(Value* value, unsigned& left) {
  value = without_extension(value);
  if (const auto element = byte_of_word(value)) return element;
  const auto distance = distance_of(value);
  if ((!distance && !is_of_bytes(*value)) || left == 0) return std::nullopt;
  --left;
  if (distance) {
    const auto element = first_element((*distance)[0], left);
    return element ? element : first_element((*distance)[1], left);
  }
  for (Value* operand : llvm::cast<Instruction>(value)->operand_values())
    if (const auto element = first_element(operand, left)) return element;
  return std::nullopt;
}

}  // namespace

Value* signed_byte(Value* addend) {
  Value* byte = nullptr;
  if (addend->getType()->isIntegerTy(16)) match(addend, m_Trunc(m_Value(addend)));
  return match(addend, m_SExt(m_Value(byte))) && byte->getType()->isIntegerTy(8) ? byte : nullptr;
}

std::optional<Element> element_of_addend(Value* addend) {
  if (!addend->hasOneUse()) return std::nullopt;
  Value* byte = signed_byte(addend);
  if (!byte) byte = without_extension(addend);
  unsigned left = kMostOfByte;
  return first_element(byte, left);
}

bool leads_to_product(const Instruction& instruction) {
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
    return llvm::isa<llvm::MinMaxIntrinsic>(call) || call->getIntrinsicID() == llvm::Intrinsic::abs;
  return llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::ExtractElementInst, llvm::ICmpInst, llvm::SelectInst>(instruction);
}

}  // namespace weft::compiler::simt
