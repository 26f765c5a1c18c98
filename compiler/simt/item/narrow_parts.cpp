#include "compiler/simt/item/narrow_parts.h"

#include "llvm/IR/PatternMatch.h"

namespace weft::compiler::simt {
namespace {

using llvm::Value;

/// The scalar or vector of words whose parts of `bits` are the elements of `value`, in their order; or null.
Value* words_of(Value& value, unsigned bits) {
  using namespace llvm::PatternMatch;
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(value.getType());
  Value* repeated = nullptr;
  llvm::Constant* shifts = nullptr;
  if (!type || !type->getElementType()->isIntegerTy(32) ||
      !match(&value, m_And(m_LShr(m_Value(repeated), m_Constant(shifts)), m_SpecificInt((1u << bits) - 1))))
    return nullptr;
  const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(repeated);
  const unsigned parts = 32 / bits, count = type->getNumElements();
  if (!shuffle || count % parts) return nullptr;
  for (unsigned i = 0; i < count; ++i) {
    const auto* shift = llvm::dyn_cast_or_null<llvm::ConstantInt>(shifts->getAggregateElement(i));
    if (!shift || shift->getZExtValue() != i % parts * bits || shuffle->getMaskValue(i) != static_cast<int>(i / parts)) return nullptr;
  }
  Value* words = shuffle->getOperand(0);
  if (llvm::cast<llvm::FixedVectorType>(words->getType())->getNumElements() == count / parts) return words;
  // A word alone is inserted into a vector, to be repeated.
  Value* word = nullptr;
  return count == parts && match(words, m_InsertElt(m_Value(), m_Value(word), m_ZeroInt())) ? word : nullptr;
}

}  // namespace

Value* narrow_parts(llvm::IRBuilder<llvm::InstSimplifyFolder>& builder, Value& value, unsigned bits) {
  llvm::Type* type = value.getType()->getWithNewBitWidth(bits);
  if (Value* words = words_of(value, bits)) return builder.CreateBitCast(words, type);
  return builder.CreateTrunc(&value, type);
}

}  // namespace weft::compiler::simt
