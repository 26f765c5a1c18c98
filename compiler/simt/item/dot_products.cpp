#include "compiler/simt/item/dot_products.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/IR/ValueHandle.h>

#include <optional>
#include <utility>

#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/primitives.h"

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::Value;
using namespace llvm::PatternMatch;

constexpr unsigned kWord = 32;
/// Added to a byte or subtracted from it: its other meaning, as a number with a sign or without, differs by that from it.
constexpr std::uint32_t kOtherSigns = 0x80808080;
/// Of a sum.
constexpr unsigned kMostAddends = 256;

/// A word: 32 bits of an integer or of a vector.
struct Word {
  Value* of;
  unsigned number;  ///< which 32 bits of it
  bool operator==(const Word&) const = default;
};

/// An element of a word, extended to 32 bits.
struct Element {
  Word word;
  unsigned index, bits;
  bool is_signed;
};

/// The products of two words' elements that a sum has.
struct Products {
  Word words[2];
  bool is_signed[2];
  unsigned bits;
  unsigned found = 0;                    ///< a bit mask of the elements
  llvm::SmallVector<Value*, 4> addends;  ///< their products
  bool is_whole() const { return found == (1u << (kWord / bits)) - 1; }
};

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

/// `value`, of 32 bits, as an element of a word.
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

/// The two factors of an addend.
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

/// A sum and what of it becomes dot products.
struct Plan {
  Instruction* sum;
  llvm::SmallVector<llvm::WeakTrackingVH, 8> others;  ///< what is added to these
  llvm::SmallVector<Products, 4> products;
};

class DotProducts {
 public:
  DotProducts(llvm::Function& region, const Shapes& shapes, const VectorTraits& traits)
      : region_(region), shapes_(shapes), traits_(traits) {}

  llvm::SmallVector<Plan, 4> plans() const {
    llvm::SmallVector<Plan, 4> plans;
    for (Instruction& instruction : llvm::instructions(region_))
      if (instruction.getOpcode() == Instruction::Add && instruction.getType()->isIntegerTy(kWord) && !is_inner(instruction))
        if (std::optional<Plan> plan = plan_of(instruction)) plans.push_back(std::move(*plan));
    return plans;
  }

  bool run() {
    const llvm::SmallVector<Plan, 4> plans = this->plans();
    for (const Plan& plan : plans) replace(plan);
    for (auto& [load, words] : loads_) load->eraseFromParent();
    for (auto& [load, words] : loads_)
      for (llvm::User* user : llvm::make_early_inc_range(words->users()))
        if (user->use_empty()) llvm::cast<Instruction>(user)->eraseFromParent();
    return !plans.empty();
  }

 private:
  /// Whether `value` is nothing but an addend of another sum.
  static bool is_inner(const Value& value) {
    const auto* instruction = llvm::dyn_cast<Instruction>(&value);
    if (!instruction || instruction->getOpcode() != Instruction::Add || !instruction->hasOneUse()) return false;
    const auto* user = llvm::cast<Instruction>(instruction->user_back());
    return user->getOpcode() == Instruction::Add && user->getParent() == instruction->getParent();
  }

  std::optional<Plan> plan_of(Instruction& sum) const {
    llvm::SmallVector<Value*, 16> addends, left{&sum};
    while (!left.empty()) {
      Value* next = left.pop_back_val();
      if (next != &sum && !is_inner(*next)) {
        addends.push_back(next);
        continue;
      }
      left.push_back(llvm::cast<Instruction>(next)->getOperand(1));
      left.push_back(llvm::cast<Instruction>(next)->getOperand(0));
      if (addends.size() + left.size() > kMostAddends) return std::nullopt;
    }
    Plan plan{.sum = &sum, .others = {}, .products = {}};
    for (Value* addend : addends)
      if (const auto factors = addend->hasOneUse() ? factors_of(addend) : std::nullopt)
        note(plan.products, *addend, factors->first, factors->second);
    llvm::erase_if(plan.products, [&](const Products& products) { return !products.is_whole() || !is_worth_it(products); });
    if (plan.products.empty()) return std::nullopt;
    for (const Products& products : plan.products)
      for (Value* addend : products.addends) addends.erase(llvm::find(addends, addend));
    plan.others.append(addends.begin(), addends.end());
    return plan;
  }

  static void note(llvm::SmallVectorImpl<Products>& all, Value& addend, Element a, Element b) {
    // Of two signs, the one without comes first.
    if (a.is_signed && !b.is_signed) std::swap(a, b);
    const unsigned bit = 1u << a.index;
    for (Products& products : all) {
      if (products.bits != a.bits || products.found & bit || products.is_signed[0] != a.is_signed || products.is_signed[1] != b.is_signed)
        continue;
      const bool is_same = products.words[0] == a.word && products.words[1] == b.word;
      const bool is_swapped = a.is_signed == b.is_signed && products.words[0] == b.word && products.words[1] == a.word;
      if (!is_same && !is_swapped) continue;
      products.found |= bit;
      products.addends.push_back(&addend);
      return;
    }
    all.push_back({.words = {a.word, b.word}, .is_signed = {a.is_signed, b.is_signed}, .bits = a.bits, .found = bit, .addends = {&addend}});
  }

  /// What all lanes share stays plain arithmetic.
  bool is_worth_it(const Products& products) const {
    return llvm::any_of(products.words, [&](const Word& word) { return !shapes_.is_uniform(*word.of); });
  }

  void replace(const Plan& plan) {
    llvm::SmallVector<std::pair<Value*, Value*>, 4> words;
    for (const Products& products : plan.products) {
      Value* first = word(products.words[0]);
      words.emplace_back(first, word(products.words[1]));
    }
    llvm::IRBuilder<> builder(plan.sum);
    Value* result = nullptr;
    for (Value* other : plan.others) result = result ? builder.CreateAdd(result, other) : other;
    if (!result) result = builder.getInt32(0);
    Value* excess = nullptr;
    for (const auto& [products, pair] : llvm::zip(plan.products, words)) {
      auto [a, b] = pair;
      const auto [first_signed, second_signed] = products.is_signed;
      if (products.bits == 16 || first_signed != second_signed || !traits_.byte_dots) {
        result = dot(builder, products.bits == 16 ? "ss16" : first_signed ? "ss8" : second_signed ? "us8" : "uu8", a, b, result);
        continue;
      }
      // What changes its sign should be what fewer share.
      if (shapes_[*products.words[1].of].is_constant_in_segment() && !shapes_[*products.words[0].of].is_constant_in_segment())
        std::swap(a, b);
      Value* changed = builder.CreateXor(a, builder.getInt32(kOtherSigns));
      if (!excess) excess = builder.getInt32(0);
      result = first_signed ? dot(builder, "us8", changed, b, result) : dot(builder, "us8", b, changed, result);
      excess = first_signed ? dot(builder, "us8", builder.getInt32(kOtherSigns), b, excess)
                            : dot(builder, "us8", b, builder.getInt32(kOtherSigns), excess);
    }
    if (excess) result = builder.CreateSub(result, excess);
    plan.sum->replaceAllUsesWith(result);
    erase_unused(*plan.sum);
  }

  /// Erases `instruction` and what it alone was made of.
  static void erase_unused(Instruction& instruction) {
    llvm::SmallVector<llvm::WeakVH, 16> left{llvm::WeakVH(&instruction)};
    while (!left.empty()) {
      Value* next = left.pop_back_val();
      auto* unused = next && next->use_empty() ? llvm::dyn_cast<Instruction>(next) : nullptr;
      if (!unused || !llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::ExtractElementInst>(unused)) continue;
      for (Value* operand : unused->operand_values()) left.emplace_back(operand);
      unused->eraseFromParent();
    }
  }

  static Value* dot(llvm::IRBuilder<>& builder, llvm::StringRef kind, Value* a, Value* b, Value* sum) {
    llvm::Module& module = *builder.GetInsertBlock()->getModule();
    llvm::Type* type = builder.getInt32Ty();
    llvm::FunctionCallee callee = module.getOrInsertFunction((primitive::kDot + kind).str(), type, type, type, type);
    auto* function = llvm::cast<llvm::Function>(callee.getCallee());
    function->setDoesNotAccessMemory();
    function->setDoesNotThrow();
    function->setWillReturn();
    function->setSpeculatable();
    llvm::CallInst* call = builder.CreateCall(callee, {a, b, sum}, "dot");
    call->setDoesNotAccessMemory();
    return call;
  }

  /// `word` as a number, made behind what it is a part of.
  Value* word(const Word& word) {
    Value*& made = words_[{word.of, word.number}];
    if (made) return made;
    Value* of = word.of;
    if (of->getType()->getScalarSizeInBits() < kWord) of = as_words(llvm::cast<llvm::LoadInst>(*of));
    if (of->getType()->isIntegerTy(kWord)) return made = of;
    llvm::IRBuilder<> builder(&*region_.getEntryBlock().getFirstInsertionPt());
    if (auto* instruction = llvm::dyn_cast<Instruction>(of)) builder.SetInsertPoint(*instruction->getInsertionPointAfterDef());
    const unsigned bits = of->getType()->getScalarSizeInBits();
    if (of->getType()->isVectorTy()) of = builder.CreateExtractElement(of, std::uint64_t{word.number * kWord / bits});
    if (const unsigned shift = word.number * kWord % bits) of = builder.CreateLShr(of, shift);
    return made = builder.CreateTrunc(of, builder.getInt32Ty());
  }

  /// What `load` reads, as a load of words; other users of the load get a cast of it.
  Value* as_words(llvm::LoadInst& load) {
    llvm::LoadInst*& words = loads_[&load];
    if (words) return words;
    llvm::IRBuilder<> builder(&load);
    const auto count = static_cast<unsigned>(load.getType()->getPrimitiveSizeInBits().getFixedValue() / kWord);
    llvm::Type* type = builder.getInt32Ty();
    if (count > 1) type = llvm::FixedVectorType::get(type, count);
    words = builder.CreateAlignedLoad(type, load.getPointerOperand(), load.getAlign(), load.isVolatile(), load.getName());
    words->copyMetadata(load);
    words->setMetadata(llvm::LLVMContext::MD_range, nullptr);
    words->setMetadata(llvm::LLVMContext::MD_tbaa, nullptr);
    load.replaceAllUsesWith(builder.CreateBitCast(words, load.getType()));
    return words;
  }

  llvm::Function& region_;
  const Shapes& shapes_;
  const VectorTraits& traits_;
  llvm::DenseMap<std::pair<Value*, unsigned>, Value*> words_;
  llvm::MapVector<llvm::LoadInst*, llvm::LoadInst*> loads_;
};

}  // namespace

bool multiplies_parts_of_words(llvm::Function& region) {
  return llvm::any_of(llvm::instructions(region), [](Instruction& instruction) {
    return instruction.getOpcode() == Instruction::Mul && instruction.getType()->getScalarSizeInBits() == kWord &&
           llvm::all_of(instruction.operands(), [](llvm::Use& factor) {
             return element_of(factor) || (factor->getType()->isVectorTy() && match(factor.get(), m_ZExtOrSExt(m_Value())));
           });
  });
}

llvm::DenseMap<const Instruction*, unsigned> find_dot_products(llvm::Function& region, const Shapes& shapes, const VectorTraits& traits) {
  llvm::DenseMap<const Instruction*, unsigned> replaced;
  for (const Plan& plan : DotProducts(region, shapes, traits).plans()) {
    replaced[plan.sum] = static_cast<unsigned>(plan.products.size());
    llvm::SmallVector<const Value*, 32> left;
    for (const Products& products : plan.products) left.append(products.addends.begin(), products.addends.end());
    // What alone leads from a word to a product.
    while (!left.empty()) {
      const auto* instruction = llvm::dyn_cast<Instruction>(left.pop_back_val());
      if (!instruction || !llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::ExtractElementInst>(instruction)) continue;
      if (replaced.try_emplace(instruction, 0).second) left.append(instruction->value_op_begin(), instruction->value_op_end());
    }
  }
  return replaced;
}

bool make_dot_products(llvm::Function& region, const Shapes& shapes, const VectorTraits& traits) {
  return DotProducts(region, shapes, traits).run();
}

}  // namespace weft::compiler::simt
