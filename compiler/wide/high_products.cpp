#include "compiler/wide/high_products.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/wide/splittable_range.h"

namespace weft::compiler::wide {
namespace {

using llvm::Value;

constexpr unsigned kWord = 32;

/// The words, or the word, of which `value` of 64 bits is made by extending each; null if it is not.
Value* words_of(Value& value, bool is_signed, llvm::IRBuilder<>& builder) {
  llvm::Type* narrow = value.getType()->getWithNewBitWidth(kWord);
  const bool extends = is_signed ? llvm::isa<llvm::SExtInst>(value) : llvm::isa<llvm::ZExtInst>(value);
  if (extends) {
    Value* words = llvm::cast<llvm::CastInst>(value).getOperand(0);
    return words->getType() == narrow ? words : nullptr;
  }
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(&value)) {
    const auto* number = llvm::dyn_cast_or_null<llvm::ConstantInt>(constant->getType()->isVectorTy() ? constant->getSplatValue() : constant);
    if (!number || !(is_signed ? number->getValue().isSignedIntN(kWord) : number->getValue().isIntN(kWord))) return nullptr;
    return llvm::ConstantInt::get(narrow, number->getValue().trunc(kWord));
  }
  if (auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&value)) {
    if (!llvm::isa<llvm::UndefValue>(shuffle->getOperand(1))) return nullptr;
    if (Value* one = llvm::getSplatValue(shuffle)) {
      Value* word = words_of(*one, is_signed, builder);
      return word ? builder.CreateVectorSplat(llvm::cast<llvm::FixedVectorType>(shuffle->getType())->getNumElements(), word) : nullptr;
    }
    Value* words = words_of(*shuffle->getOperand(0), is_signed, builder);
    return words ? builder.CreateShuffleVector(words, shuffle->getShuffleMask()) : nullptr;
  }
  return nullptr;
}

/// Takes what `instruction` is, if it is the upper half of a product of words; null if it is not, or LLVM sees that itself.
Value* by_registers(llvm::TruncInst& instruction) {
  using namespace llvm::PatternMatch;
  auto* type = llvm::dyn_cast<llvm::FixedVectorType>(instruction.getType());
  Value *left = nullptr, *right = nullptr;
  if (!type || !type->getElementType()->isIntegerTy(kWord)) return nullptr;
  const auto product = m_OneUse(m_Mul(m_Value(left), m_Value(right)));
  if (!match(instruction.getOperand(0), m_OneUse(m_Shr(product, m_SpecificInt(kWord)))) || !left->getType()->getScalarType()->isIntegerTy(2 * kWord)) return nullptr;
  const unsigned count = type->getNumElements(), each = std::min(count, register_bits() / kWord);
  if (count % each || !llvm::isPowerOf2_32(each) || each < 4) return nullptr;
  const auto is_beside = [&](const Value* value) {
    const auto* extension = llvm::dyn_cast<llvm::CastInst>(value);
    return llvm::isa<llvm::Constant>(value) || (extension && extension->getParent() == instruction.getParent());
  };
  if (count == each && is_beside(left) && is_beside(right)) return nullptr;
  llvm::IRBuilder<> builder(&instruction);
  for (const bool is_signed : {false, true}) {
    Value *a = words_of(*left, is_signed, builder), *b = a ? words_of(*right, is_signed, builder) : nullptr;
    if (!b) continue;
    auto* wide = llvm::FixedVectorType::get(builder.getInt64Ty(), each);
    llvm::SmallVector<Value*, 8> parts;
    for (unsigned first = 0; first < count; first += each) {
      const auto part = [&](Value* words) {
        Value* some = count == each ? words : builder.CreateShuffleVector(words, llvm::createSequentialMask(first, each, 0));
        return is_signed ? builder.CreateSExt(some, wide) : builder.CreateZExt(some, wide);
      };
      Value* factor = part(a);
      parts.push_back(builder.CreateTrunc(builder.CreateLShr(builder.CreateMul(factor, part(b)), kWord), llvm::FixedVectorType::get(builder.getInt32Ty(), each)));
    }
    return llvm::concatenateVectors(builder, parts);
  }
  return nullptr;
}

}  // namespace

void part_high_products(llvm::Function& function) {
  llvm::SmallVector<llvm::TruncInst*, 8> halves;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* half = llvm::dyn_cast<llvm::TruncInst>(&instruction)) halves.push_back(half);
  for (llvm::TruncInst* half : halves) {
    Value* made = by_registers(*half);
    if (!made) continue;
    half->replaceAllUsesWith(made);
    llvm::RecursivelyDeleteTriviallyDeadInstructions(half);
  }
}

}  // namespace weft::compiler::wide
