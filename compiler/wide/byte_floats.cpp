#include "compiler/wide/byte_floats.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

namespace weft::compiler::wide {
namespace {

using llvm::Value;

/// A byte of a word, or its lower half.
struct Part {
  Value* word = nullptr;
  unsigned shift = 0;  ///< 0, 8, 16 or 24
  unsigned mask = 255; ///< of what is shifted down
};

/// The part of a word that `value` is.
std::optional<Part> part_of(Value& value) {
  using namespace llvm::PatternMatch;
  const llvm::APInt* shift = nullptr;
  Part byte;
  if (match(&value, m_LShr(m_Value(byte.word), m_SpecificInt(24)))) {
    byte.shift = 24;
    return byte;
  }
  if (match(&value, m_And(m_LShr(m_Value(byte.word), m_APInt(shift)), m_SpecificInt(255))) && (*shift == 8 || *shift == 16)) {
    byte.shift = static_cast<unsigned>(shift->getZExtValue());
    return byte;
  }
  if (match(&value, m_And(m_Value(byte.word), m_SpecificInt(255)))) return byte;
  if (match(&value, m_And(m_Value(byte.word), m_SpecificInt(65535)))) return Part{byte.word, 0, 65535};
  return std::nullopt;
}

/// The product of a part and a constant, or null.
Value* product(llvm::BinaryOperator& multiply) {
  using namespace llvm::PatternMatch;
  Value* integer = nullptr;
  const llvm::APFloat* factor = nullptr;
  if (!match(&multiply, m_FMul(m_OneUse(m_UIToFP(m_Value(integer))), m_APFloat(factor)))) return nullptr;
  if (!integer->getType()->getScalarType()->isIntegerTy(32)) return nullptr;
  const auto part = part_of(*integer);
  // Far from the ends, where 2^23 c would not be exact.
  const float c = factor->convertToFloat();
  if (!part || !(c > 0x1p-60f) || !(c < 0x1p60f)) return nullptr;
  llvm::IRBuilder<> builder(&multiply);
  llvm::Type* words = integer->getType();
  Value* word = part->word;
  if (part->shift >= 16) word = builder.CreateLShr(word, llvm::ConstantInt::get(words, 16));
  const bool is_upper = part->shift % 16 != 0;
  const float base = is_upper ? 0x1p15f : 0x1p23f;
  Value* bits = builder.CreateOr(builder.CreateAnd(word, llvm::ConstantInt::get(words, is_upper ? 0xff00 : part->mask)),
                                 llvm::ConstantInt::get(words, llvm::bit_cast<std::uint32_t>(base)));
  llvm::Type* type = multiply.getType();
  return builder.CreateIntrinsic(llvm::Intrinsic::fma, {type},
                                 {builder.CreateBitCast(bits, type), llvm::ConstantFP::get(type, c), llvm::ConstantFP::get(type, -base * c)});
}

}  // namespace

void multiply_bytes(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* multiply = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
    const auto* type = multiply ? llvm::dyn_cast<llvm::FixedVectorType>(multiply->getType()) : nullptr;
    if (!type || !type->getElementType()->isFloatTy()) continue;
    Value* made = product(*multiply);
    if (!made) continue;
    multiply->replaceAllUsesWith(made);
    llvm::RecursivelyDeleteTriviallyDeadInstructions(multiply);
  }
}

}  // namespace weft::compiler::wide
