// Quotients and remainders as sums of AddressKeys.
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>

#include "compiler/simt/analysis/address_key.h"
#include "compiler/simt/ir/divisions.h"

namespace weft::compiler::simt {
using llvm::Instruction;
using llvm::Value;
using namespace llvm::PatternMatch;

AddressKeys::Divisor AddressKeys::divisor_of(const Value& value, bool is_signed) {
  const Divisor whole{.values = {&value}};
  const unsigned bits = value.getType()->getIntegerBitWidth();
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value)) {
    if (bits > 64 || constant->isZero() || (is_signed && constant->isNegative())) return whole;
    return {.constant = constant->getZExtValue(), .values = {}};
  }
  // The extension of a product that does not wrap around has those of its factors, which may be negative.
  const auto* extension = llvm::dyn_cast<llvm::CastInst>(&value);
  if (extension && is_signed && (llvm::isa<llvm::SExtInst>(extension) || (llvm::isa<llvm::ZExtInst>(extension) && extension->hasNonNeg())))
    return divisor_of(*extension->getOperand(0), is_signed);
  const auto* product = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(&value);
  if (!product || !(is_signed ? product->hasNoSignedWrap() : product->hasNoUnsignedWrap())) return whole;
  const Divisor first = divisor_of(*product->getOperand(0), is_signed);
  std::uint64_t shift = 0;
  std::optional<Divisor> result;
  if (product->getOpcode() == Instruction::Mul) result = product_of(first, divisor_of(*product->getOperand(1), is_signed), bits, is_signed);
  // A shift to the highest bit is a product with a number that is negative.
  else if (match(product, m_Shl(m_Value(), m_ConstantInt(shift))) && shift + 1 < bits)
    result = product_of(first, {.constant = std::uint64_t{1} << shift, .values = {}}, bits, is_signed);
  return result ? *result : whole;
}

std::optional<AddressKeys::Divisor> AddressKeys::product_of(const Divisor& a, const Divisor& b, unsigned bits, bool is_signed) {
  bool overflows = false;
  Divisor result{.constant = llvm::SaturatingMultiply(a.constant, b.constant, &overflows), .values = a.values};
  if (overflows || result.constant > llvm::maxUIntN(is_signed ? bits - 1 : bits)) return std::nullopt;
  result.values.insert(result.values.end(), b.values.begin(), b.values.end());
  std::sort(result.values.begin(), result.values.end());
  return result;
}

std::optional<AddressKeys::Divisor> AddressKeys::rest_of(const Divisor& all, const Divisor& part) {
  if (all.constant % part.constant || !std::includes(all.values.begin(), all.values.end(), part.values.begin(), part.values.end())) return std::nullopt;
  Divisor rest{.constant = all.constant / part.constant, .values = {}};
  std::set_difference(all.values.begin(), all.values.end(), part.values.begin(), part.values.end(), std::back_inserter(rest.values));
  return rest;
}

AddressKeys::Sum AddressKeys::in_form(const Value& value, const Form& form) {
  if (!form.is_extended) return sum(value, form.depth + 1);
  if (const auto division = of_division(value, {form.bits, form.is_extended, form.is_signed, form.depth + 1})) return *division;
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value))
    return of_constant(form.bits, form.is_signed ? static_cast<std::uint64_t>(constant->getSExtValue()) : constant->getZExtValue());
  return of_extension(form.bits, Sum(sum(value, form.depth + 1)), form.is_signed);
}

AddressKeys::Sum AddressKeys::of_factors(const Divisor& divisor, const Form& form) {
  Sum result = of_constant(form.bits, divisor.constant);
  for (const Value* value : divisor.values) {
    const Sum own = in_form(*value, form);
    result = multiply(result, own.bits < form.bits ? of_extension(form.bits, own, /*is_signed=*/true) : own);
  }
  return result;
}

AddressKeys::Sum AddressKeys::of_quotient(const Value& number, const Divisor& divisor, bool is_signed, const Form& form) {
  if (divisor.constant == 1 && divisor.values.empty()) return in_form(number, form);
  if (const Instruction* inner = as_division(number); inner && is_signed_division(*inner) == is_signed && form.depth < kMostDivisions) {
    const Form within{form.bits, form.is_extended, form.is_signed, form.depth + 1};
    const Value& first = *inner->getOperand(0);
    const Divisor by = divisor_of(*inner->getOperand(1), is_signed);
    if (is_quotient(*inner)) {
      // Rounded to zero twice or once.
      if (const auto both = product_of(by, divisor, number.getType()->getIntegerBitWidth(), is_signed)) return of_quotient(first, *both, is_signed, within);
    } else if (const auto rest = rest_of(by, divisor)) {
      Sum result = of_quotient(first, divisor, is_signed, within);
      add(result, multiply(of_factors(*rest, form), of_quotient(first, by, is_signed, within)), ~std::uint64_t{0});
      return result;
    }
  }
  Key key(is_signed ? "signed quotient " : "quotient ");
  key += name(sum(number, form.depth + 1));
  key += "/";
  key += std::to_string(divisor.constant);
  for (const Value* value : divisor.values) {
    key += "*";
    key += std::to_string(reinterpret_cast<std::uintptr_t>(value));
  }
  const Sum own = of_atom(number.getType()->getIntegerBitWidth(), key);
  return form.is_extended ? of_extension(form.bits, own, form.is_signed) : own;
}

AddressKeys::Sum AddressKeys::of_remainder(const Value& number, const Divisor& divisor, bool is_signed, const Form& form) {
  if (const Instruction* inner = as_division(number); inner && !is_quotient(*inner) && is_signed_division(*inner) == is_signed && form.depth < kMostDivisions)
    if (rest_of(divisor_of(*inner->getOperand(1), is_signed), divisor))
      return of_remainder(*inner->getOperand(0), divisor, is_signed, {form.bits, form.is_extended, form.is_signed, form.depth + 1});
  Sum result = in_form(number, form);
  add(result, multiply(of_factors(divisor, form), of_quotient(number, divisor, is_signed, form)), ~std::uint64_t{0});
  return result;
}

std::optional<AddressKeys::Sum> AddressKeys::of_division(const Value& value, const Form& form) {
  const Instruction* division = as_division(value);
  if (divisions_ == Divisions::kAtoms || !division || form.depth >= kMostDivisions) return std::nullopt;
  const bool is_signed = is_signed_division(*division);
  if (form.is_extended && form.is_signed != is_signed) return std::nullopt;
  const Divisor divisor = divisor_of(*division->getOperand(1), is_signed);
  Sum result = is_quotient(*division) ? of_quotient(*division->getOperand(0), divisor, is_signed, form)
                                      : of_remainder(*division->getOperand(0), divisor, is_signed, form);
  if (result.is_too_long) return std::nullopt;
  return result;
}

}  // namespace weft::compiler::simt
