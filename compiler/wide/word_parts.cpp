#include "compiler/wide/word_parts.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include <optional>

namespace weft::compiler::wide {
namespace {

using llvm::Value;
using namespace llvm::PatternMatch;

constexpr unsigned kMostParts = 8, kDeepest = 6;

/// A part of each lane's word: computed as a number of its own, or a word of which it is the part that stands in its place.
struct WordPart {
  Value* value = nullptr;
  bool is_word = false;
};
using Parts = llvm::SmallVector<WordPart, kMostParts>;  ///< from the lowest bits on

bool works_by_parts(unsigned opcode) {
  switch (opcode) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
    case llvm::Instruction::And:
    case llvm::Instruction::Or:
    case llvm::Instruction::Xor: return true;
    default: return false;
  }
}

bool works_by_parts(const llvm::IntrinsicInst& call) {
  switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::umin:
    case llvm::Intrinsic::umax:
    case llvm::Intrinsic::smin:
    case llvm::Intrinsic::smax:
    case llvm::Intrinsic::uadd_sat:
    case llvm::Intrinsic::usub_sat:
    case llvm::Intrinsic::sadd_sat:
    case llvm::Intrinsic::ssub_sat: return true;
    default: return false;
  }
}

/// Words of one vector type, of parts of `bits` each.
class WordParts {
 public:
  WordParts(llvm::FixedVectorType& words, unsigned bits)
      : words_(words), bits_(bits), count_(words.getScalarSizeInBits() / bits),
        all_(llvm::FixedVectorType::get(llvm::IntegerType::get(words.getContext(), bits), words.getNumElements() * count_)) {}

  /// What `parts` are as one vector, made in front of where the builder stands; null if they are not computed alike. Without a builder nothing
  /// is made, and anything but null is returned.
  Value* together(const Parts& parts, llvm::IRBuilder<>* builder, unsigned depth = 0) {
    if (Value* word = common_word(parts)) return builder ? builder->CreateBitCast(word, all_) : word;
    if (llvm::any_of(parts, [](const WordPart& part) { return part.is_word; }) || depth > kDeepest) return with_untouched(parts, builder, depth);
    if (llvm::all_of(parts, [](const WordPart& part) { return llvm::isa<llvm::Constant>(part.value); })) return constants(parts);
    if (Value* scalar = llvm::getSplatValue(parts.front().value))
      if (llvm::all_of(parts, [&](const WordPart& part) { return llvm::getSplatValue(part.value) == scalar; }))
        return builder ? builder->CreateVectorSplat(all_->getNumElements(), scalar) : scalar;
    if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(parts.front().value)) {
      const bool alike = works_by_parts(*call) && llvm::all_of(parts, [&](const WordPart& part) {
        const auto* other = llvm::dyn_cast<llvm::IntrinsicInst>(part.value);
        return other && other->hasOneUse() && other->getIntrinsicID() == call->getIntrinsicID();
      });
      if (!alike) return with_untouched(parts, builder, depth);
      Value* a = together(operands(parts, 0), builder, depth + 1);
      Value* b = a ? together(operands(parts, 1), builder, depth + 1) : nullptr;
      return !b || !builder ? b : builder->CreateBinaryIntrinsic(call->getIntrinsicID(), a, b);
    }
    return with_untouched(parts, builder, depth);
  }

 private:
  /// The word whose parts they are, each in its place.
  Value* common_word(const Parts& parts) const {
    Value* word = nullptr;
    for (unsigned k = 0; k < parts.size(); ++k) {
      Value* of = word_of(parts[k], k);
      if (!of || (word && of != word)) return nullptr;
      word = of;
    }
    return word;
  }

  Value* word_of(const WordPart& part, unsigned k) const {
    Value* word = part.value;
    if (part.is_word) return word;
    const llvm::APInt* shift;
    if (!match(part.value, m_Trunc(m_Value(word)))) return nullptr;
    if (Value * inner; match(word, m_LShr(m_Value(inner), m_APInt(shift))) && inner->getType() == &words_)
      return *shift == k * bits_ ? inner : nullptr;
    return k == 0 && word->getType() == &words_ ? word : nullptr;
  }

  Value* constants(const Parts& parts) const {
    llvm::SmallVector<llvm::Constant*, 64> elements;
    for (unsigned lane = 0; lane < words_.getNumElements(); ++lane)
      for (const WordPart& part : parts) {
        llvm::Constant* element = llvm::cast<llvm::Constant>(part.value)->getAggregateElement(lane);
        if (!element) return nullptr;
        elements.push_back(element);
      }
    return llvm::ConstantVector::get(elements);
  }

  static Parts operands(const Parts& parts, unsigned index) {
    Parts result;
    for (const WordPart& part : parts) result.push_back({llvm::cast<llvm::User>(part.value)->getOperand(index)});
    return result;
  }

  /// Parts of one operation, and others that stay as they are in the word, to which it does nothing by another operand.
  Value* with_untouched(const Parts& parts, llvm::IRBuilder<>* builder, unsigned depth) {
    if (depth > kDeepest) return nullptr;
    std::optional<unsigned> opcode;
    for (const WordPart& part : parts)
      if (const auto* binary = part.is_word ? nullptr : llvm::dyn_cast<llvm::BinaryOperator>(part.value)) {
        if (!works_by_parts(binary->getOpcode()) || !binary->hasOneUse() || (opcode && *opcode != binary->getOpcode())) return nullptr;
        opcode = binary->getOpcode();
      }
    if (!opcode) return nullptr;
    auto* narrow = llvm::FixedVectorType::get(all_->getElementType(), words_.getNumElements());
    Parts first, second;
    for (unsigned k = 0; k < parts.size(); ++k) {
      const auto* binary = parts[k].is_word ? nullptr : llvm::dyn_cast<llvm::BinaryOperator>(parts[k].value);
      if (!binary && !word_of(parts[k], k)) return nullptr;
      first.push_back(binary ? WordPart{binary->getOperand(0)} : parts[k]);
      second.push_back({binary ? binary->getOperand(1) : llvm::ConstantExpr::getBinOpIdentity(*opcode, narrow, /*AllowRHSConstant=*/true)});
    }
    Value* a = together(first, builder, depth + 1);
    Value* b = a ? together(second, builder, depth + 1) : nullptr;
    return !b || !builder ? b : builder->CreateBinOp(static_cast<llvm::Instruction::BinaryOps>(*opcode), a, b);
  }

  llvm::FixedVectorType& words_;
  const unsigned bits_, count_;
  llvm::FixedVectorType* all_;
};

/// Takes the operands of a tree of `or` that nothing else uses.
void add_terms(Value& value, llvm::SmallVectorImpl<Value*>& terms, bool is_root) {
  Value *a, *b;
  if (terms.size() > kMostParts) return;
  if ((is_root || value.hasOneUse()) && match(&value, m_Or(m_Value(a), m_Value(b)))) {
    add_terms(*a, terms, false);
    add_terms(*b, terms, false);
  } else {
    terms.push_back(&value);
  }
}

/// The whole of `root`, an `or` of parts, or null.
Value* in_words(llvm::BinaryOperator& root) {
  auto* type = llvm::cast<llvm::FixedVectorType>(root.getType());
  llvm::SmallVector<Value*, kMostParts> terms;
  add_terms(root, terms, true);
  const unsigned width = type->getScalarSizeInBits(), count = static_cast<unsigned>(terms.size());
  if (count < 2 || count > kMostParts || width % count) return nullptr;
  const unsigned bits = width / count;
  if (bits != 8 && bits != 16) return nullptr;
  Parts parts(count);
  for (Value* term : terms) {
    Value* value = nullptr;
    const llvm::APInt* number = nullptr;
    unsigned place = 0;
    bool is_word = false;
    if (match(term, m_And(m_Value(value), m_APInt(number)))) {
      if (!number->isShiftedMask() || number->popcount() != bits) return nullptr;
      place = number->countTrailingZeros();
      is_word = true;
    } else if (match(term, m_Shl(m_ZExt(m_Value(value)), m_APInt(number)))) {
      place = static_cast<unsigned>(number->getLimitedValue(width));
    } else if (!match(term, m_ZExt(m_Value(value)))) {
      return nullptr;
    }
    if (place % bits || place >= width || parts[place / bits].value || (!is_word && value->getType()->getScalarSizeInBits() != bits)) return nullptr;
    parts[place / bits] = {value, is_word};
  }
  WordParts words(*type, bits);
  if (!words.together(parts, nullptr)) return nullptr;
  llvm::IRBuilder<> builder(&root);
  return builder.CreateBitCast(words.together(parts, &builder), type);
}

}  // namespace

void compute_parts_in_words(llvm::Function& function) {
  llvm::SmallVector<llvm::WeakTrackingVH, 8> replaced;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (instruction.getOpcode() != llvm::Instruction::Or || !llvm::isa<llvm::FixedVectorType>(instruction.getType())) continue;
    // The last of a tree.
    if (instruction.hasOneUse() && match(instruction.user_back(), m_Or(m_Value(), m_Value()))) continue;
    Value* whole = in_words(llvm::cast<llvm::BinaryOperator>(instruction));
    if (!whole) continue;
    instruction.replaceAllUsesWith(whole);
    replaced.emplace_back(&instruction);
  }
  llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(replaced);
}

}  // namespace weft::compiler::wide
