#include "compiler/simt/analysis/address_key.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>

namespace weft::compiler::simt {
namespace {

using namespace llvm::PatternMatch;

/// Longer sums are no addresses of a program.
constexpr std::size_t kMostTerms = 16;
constexpr std::size_t kMostFactors = 4;
constexpr unsigned kDeepestKey = 32;
constexpr unsigned kPointerBits = 64;

std::uint64_t mask_of(unsigned bits) { return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1; }

}  // namespace

AddressKeys::Sum AddressKeys::of_value(unsigned bits, const llvm::Value& value) {
  Key name("value ");
  name += std::to_string(reinterpret_cast<std::uintptr_t>(&value));
  Sum sum = of_atom(bits, name);
  values_.try_emplace(sum.terms.begin()->first.front(), &value);
  return sum;
}

AddressKeys::Atom AddressKeys::atom(unsigned number) const {
  if (const auto value = values_.find(number); value != values_.end()) return {.value = value->second};
  const auto extension = extensions_.find(number);
  return extension == extensions_.end() ? Atom{} : Atom{.inner = &extension->second.first, .is_signed = extension->second.second};
}

AddressKeys::Key AddressKeys::key(const llvm::Value& value) { return name(sum(value, 0)); }

AddressKeys::Key AddressKeys::name(const Sum& sum) {
  Key key = std::to_string(sum.bits);
  key += ":";
  for (const auto& [product, factor] : sum.terms) {
    key += std::to_string(factor);
    for (const unsigned atom : product) {
      key += "*";
      key += std::to_string(atom);
    }
    key += "+";
  }
  return key;
}

std::int64_t AddressKeys::take_constant(Sum& sum) {
  const auto found = sum.terms.find({});
  if (found == sum.terms.end()) return 0;
  const llvm::APInt value(64, found->second);
  sum.terms.erase(found);
  return value.trunc(sum.bits).sext(64).getSExtValue();
}

const AddressKeys::Sum& AddressKeys::sum(const llvm::Value& value, unsigned depth) {
  if (const auto known = sums_.find(&value); known != sums_.end()) return known->second;
  Sum made = compute(value, depth);
  if (made.is_too_long || made.terms.size() > kMostTerms)
    made = of_value(made.bits, value);
  return sums_[&value] = std::move(made);
}

AddressKeys::Sum AddressKeys::of_atom(unsigned bits, const Key& name) {
  const auto atom = atoms_.try_emplace(name, static_cast<unsigned>(atoms_.size())).first;
  Sum sum{.bits = bits, .terms = {}};
  sum.terms[{atom->second}] = 1;
  return sum;
}

AddressKeys::Sum AddressKeys::of_constant(unsigned bits, std::uint64_t value) {
  Sum sum{.bits = bits, .terms = {}};
  if (value & mask_of(bits)) sum.terms[{}] = value & mask_of(bits);
  return sum;
}

void AddressKeys::add(Sum& to, const Sum& from, std::uint64_t factor) {
  to.is_too_long |= from.is_too_long;
  for (const auto& [product, own] : from.terms) {
    std::uint64_t& total = to.terms[product];
    total = (total + own * factor) & mask_of(to.bits);
    if (!total) to.terms.erase(product);
  }
}

AddressKeys::Sum AddressKeys::multiply(const Sum& a, const Sum& b) {
  Sum result{.bits = a.bits, .terms = {}, .is_too_long = a.is_too_long || b.is_too_long || a.terms.size() * b.terms.size() > kMostTerms};
  if (result.is_too_long) return result;
  for (const auto& [left, factor] : a.terms) {
    Sum part{.bits = a.bits, .terms = {}};
    for (const auto& [right, other] : b.terms) {
      Product product = left;
      product.insert(product.end(), right.begin(), right.end());
      std::sort(product.begin(), product.end());
      result.is_too_long |= product.size() > kMostFactors;
      part.terms[product] = other;
    }
    add(result, part, factor);
  }
  return result;
}

AddressKeys::Sum AddressKeys::of_extension(unsigned bits, const Sum& inner, bool is_signed) {
  Key key(is_signed ? "signed " : "unsigned ");
  key += name(inner);
  Sum sum = of_atom(bits, key);
  extensions_.try_emplace(sum.terms.begin()->first.front(), inner, is_signed);
  return sum;
}

AddressKeys::Sum AddressKeys::truncated(const Sum& sum, unsigned bits) {
  Sum result{.bits = bits, .terms = {}, .is_too_long = sum.is_too_long};
  for (const auto& [product, factor] : sum.terms) {
    Sum part = of_constant(bits, factor);
    for (const unsigned atom : product) {
      // An atom is a number, of which less counts now. Of an extension that may be what was extended.
      Sum own{.bits = bits, .terms = {{{atom}, 1}}};
      if (const auto found = extensions_.find(atom); found != extensions_.end() && found->second.first.bits >= bits)
        own = truncated(Sum(found->second.first), bits);
      part = multiply(part, own);
    }
    add(result, part, 1);
  }
  return result;
}

AddressKeys::Sum AddressKeys::compute(const llvm::Value& value, unsigned depth) {
  const bool is_pointer = value.getType()->isPointerTy();
  const unsigned bits = is_pointer ? kPointerBits : value.getType()->isIntegerTy() ? value.getType()->getIntegerBitWidth() : 0;
  const auto atom = [&] { return of_value(bits, value); };
  if (!bits || bits > 64 || depth > kDeepestKey) return atom();
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value)) return of_constant(bits, constant->getZExtValue());
  if (is_atom_ && is_atom_(value)) return atom();
  if (const auto* place = llvm::dyn_cast<llvm::GEPOperator>(&value)) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(place);
    if (!instruction) return atom();
    const llvm::DataLayout& layout = instruction->getModule()->getDataLayout();
    llvm::MapVector<llvm::Value*, llvm::APInt> parts;
    llvm::APInt offset(kPointerBits, 0);
    if (layout.getIndexTypeSizeInBits(place->getType()) != kPointerBits || !place->collectOffset(layout, kPointerBits, parts, offset)) return atom();
    Sum result = of_constant(kPointerBits, offset.getZExtValue());
    add(result, sum(*place->getPointerOperand(), depth + 1), 1);
    for (const auto& [index, scale] : parts) {
      Sum own = sum(*index, depth + 1);
      // Narrower indices are extended by their sign.
      if (own.bits < kPointerBits) own = of_extension(kPointerBits, Sum(own), /*is_signed=*/true);
      else if (own.bits > kPointerBits) return atom();
      add(result, own, scale.getZExtValue());
    }
    return result;
  }
  const auto* operation = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!operation || is_pointer) return atom();
  const auto operand = [&](unsigned i) -> const Sum& { return sum(*operation->getOperand(i), depth + 1); };
  const llvm::Value* inner = nullptr;
  std::uint64_t left = 0, right = 0;
  if (match(operation, m_AShr(m_Value(inner), m_ConstantInt(right))) && right < bits && llvm::cast<llvm::PossiblyExactOperator>(operation)->isExact()) {
    // Sign extension as InstCombine writes it, with what it is multiplied by.
    const Sum whole = sum(*inner, depth + 1);
    for (unsigned shift = bits - 1; shift >= right && shift > 0; --shift) {
      const std::uint64_t factor = std::uint64_t{1} << shift;
      if (llvm::any_of(whole.terms, [&](const auto& term) { return term.second % factor != 0; })) continue;
      Sum divided{.bits = bits, .terms = {}};
      for (const auto& [product, own] : whole.terms) divided.terms[product] = own / factor;
      return multiply(of_extension(bits, truncated(divided, bits - shift), /*is_signed=*/true), of_constant(bits, std::uint64_t{1} << (shift - right)));
    }
    return atom();
  }
  switch (operation->getOpcode()) {
    case llvm::Instruction::Or:
      if (!llvm::cast<llvm::PossiblyDisjointInst>(operation)->isDisjoint()) return atom();
      [[fallthrough]];
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub: {
      Sum result = operand(0);
      add(result, operand(1), operation->getOpcode() == llvm::Instruction::Sub ? ~std::uint64_t{0} : 1);
      return result;
    }
    case llvm::Instruction::Mul: return multiply(Sum(operand(0)), operand(1));
    case llvm::Instruction::Shl:
      if (!match(operation->getOperand(1), m_ConstantInt(left)) || left >= bits) return atom();
      return multiply(Sum(operand(0)), of_constant(bits, std::uint64_t{1} << left));
    case llvm::Instruction::Trunc: {
      const Sum whole = operand(0);
      return truncated(whole, bits);
    }
    case llvm::Instruction::SExt:
    case llvm::Instruction::ZExt: {
      // Of a number that is not negative both extensions are one.
      const bool has_sign = operation->getOpcode() == llvm::Instruction::SExt, is_signed = has_sign || operation->hasNonNeg();
      for (const bool as_signed : {false, true})
        if (as_signed ? is_signed : !has_sign)
          if (auto division = of_division(*operation->getOperand(0), {bits, /*is_extended=*/true, as_signed, depth + 1})) return *division;
      return of_extension(bits, Sum(operand(0)), is_signed);
    }
    case llvm::Instruction::UDiv:
    case llvm::Instruction::URem:
    case llvm::Instruction::SDiv:
    case llvm::Instruction::SRem: {
      auto division = of_division(value, {bits, /*is_extended=*/false, /*is_signed=*/false, depth});
      return division ? *division : atom();
    }
    default: return atom();
  }
}

}  // namespace weft::compiler::simt
