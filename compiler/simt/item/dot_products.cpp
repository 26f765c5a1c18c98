#include "compiler/simt/item/dot_products.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/IR/ValueHandle.h>

#include <array>
#include <optional>
#include <utility>

#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/item/word_elements.h"

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::Value;
using namespace llvm::PatternMatch;

/// Added to a byte or subtracted from it: its other meaning, as a number with a sign or without, differs by that from it.
constexpr std::uint32_t kOtherSigns = 0x80808080;
constexpr std::uint32_t kOnes = 0x01010101;
/// Of a sum.
constexpr unsigned kMostAddends = 256;

/// The products of two words' elements that a sum has.
struct Products {
  Word words[2];
  bool is_signed[2];
  unsigned bits;
  unsigned found = 0;                    ///< a bit mask of the elements
  llvm::SmallVector<Value*, 4> addends;  ///< their products
  bool is_whole() const { return found == (1u << (kWord / bits)) - 1; }
};

/// Of bytes that a sum has extended: those of one word, each made in the same way of the word's, as `text[k] == ' '` of four neighbours.
struct Bytes {
  Word word;
  bool is_signed;
  std::array<Value*, kWord / 8> addends{};
  bool is_whole() const { return llvm::all_of(addends, [](Value* addend) { return addend; }); }
};

using FourValues = std::array<Value*, kWord / 8>;

/// A sum and what of it becomes dot products.
struct Plan {
  Instruction* sum;
  llvm::SmallVector<llvm::WeakTrackingVH, 8> others;  ///< what is added to these
  llvm::SmallVector<Products, 4> products;
  llvm::SmallVector<Bytes, 4> bytes;
};

class DotProducts {
 public:
  DotProducts(llvm::Function& region, const Shapes& shapes, const VectorTraits& traits)
      : region_(region), shapes_(shapes), traits_(traits) {}

  llvm::SmallVector<Plan, 4> plans() const {
    llvm::SmallVector<Plan, 4> plans;
    for (Instruction& instruction : llvm::instructions(region_))
      if (instruction.getOpcode() == Instruction::Add && (instruction.getType()->isIntegerTy(kWord) || instruction.getType()->isIntegerTy(16)) &&
          !is_inner(instruction))
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
    Plan plan{.sum = &sum, .others = {}, .products = {}, .bytes = {}};
    for (Value* addend : addends)
      if (const auto factors = addend->hasOneUse() ? factors_of(addend) : std::nullopt)
        note(plan.products, *addend, factors->first, factors->second);
      else if (const auto element = element_of_addend(addend); element && element->bits == 8)
        note(plan.bytes, *addend, *element);
    llvm::erase_if(plan.products, [&](const Products& products) { return !products.is_whole() || !is_worth_it(products); });
    llvm::erase_if(plan.bytes, [&](const Bytes& bytes) {
      if (!bytes.is_whole() || shapes_.is_uniform(*bytes.word.of)) return true;
      FourValues each;
      llvm::transform(bytes.addends, each.begin(), [](Value* addend) { return signed_byte(addend) ? signed_byte(addend) : addend; });
      return !are_alike(each, kMostOfByte);
    });
    if (plan.products.empty() && plan.bytes.empty()) return std::nullopt;
    for (const Products& products : plan.products)
      for (Value* addend : products.addends) addends.erase(llvm::find(addends, addend));
    for (const Bytes& bytes : plan.bytes)
      for (Value* addend : bytes.addends) addends.erase(llvm::find(addends, addend));
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

  static void note(llvm::SmallVectorImpl<Bytes>& all, Value& addend, const Element& element) {
    const bool is_signed = signed_byte(&addend);
    for (Bytes& bytes : all) {
      if (bytes.word != element.word || bytes.is_signed != is_signed || bytes.addends[element.index]) continue;
      bytes.addends[element.index] = &addend;
      return;
    }
    all.push_back({.word = element.word, .is_signed = is_signed});
    all.back().addends[element.index] = &addend;
  }

  /// The word whose elements `values` are, in their order.
  static std::optional<Word> word_of(const FourValues& values) {
    std::optional<Word> word;
    for (unsigned i = 0; i < values.size(); ++i) {
      const auto element = byte_of_word(values[i]);
      if (!element || element->index != i || (word && *word != element->word)) return std::nullopt;
      word = element->word;
    }
    return word;
  }

  /// Whether `values` are elements of a word, one value, what all lanes share, or made of such by one operation of bytes.
  bool are_alike(FourValues values, unsigned left) const {
    llvm::transform(values, values.begin(), without_extension);
    if (llvm::all_equal(values) || word_of(values)) return true;
    if (left != 0 && llvm::all_of(values, [](Value* value) { return distance_of(value).has_value(); }))
      return are_alike(parts_of_distances(values, 0), left - 1) && are_alike(parts_of_distances(values, 1), left - 1);
    const auto* first = llvm::dyn_cast<Instruction>(values.front());
    if (left == 0 || !first || !is_of_bytes(*first) || !llvm::all_of(values, [&](Value* value) { return is_like(*value, *first); }))
      return llvm::all_of(values, [&](Value* value) { return value->getType()->isIntegerTy(8) && shapes_.is_uniform(*value); });
    for (unsigned i = 0; i < operands_of(*first); ++i)
      if (!are_alike(operands(values, i), left - 1)) return false;
    return true;
  }

  static bool is_like(const Value& value, const Instruction& first) {
    const auto* instruction = llvm::dyn_cast<Instruction>(&value);
    return instruction && instruction->isSameOperationAs(&first) && instruction->hasOneUse();
  }

  static unsigned operands_of(const Instruction& instruction) { return llvm::isa<llvm::CallInst>(instruction) ? 2 : instruction.getNumOperands(); }

  static FourValues operands(const FourValues& values, unsigned number) {
    FourValues operands;
    llvm::transform(values, operands.begin(), [&](Value* value) { return llvm::cast<Instruction>(value)->getOperand(number); });
    return operands;
  }

  static FourValues parts_of_distances(const FourValues& values, unsigned number) {
    FourValues parts;
    llvm::transform(values, parts.begin(), [&](Value* value) { return (*distance_of(value))[number]; });
    return parts;
  }

  static llvm::Type* bytes(llvm::IRBuilder<>& builder) { return llvm::FixedVectorType::get(builder.getInt8Ty(), kWord / 8); }

  /// `values`, conditions that are alike, as a comparison, which packed vectors have for selections alone (widen/packed_values.h).
  Value* as_condition(llvm::IRBuilder<>& builder, const FourValues& values) {
    if (const auto* first = llvm::dyn_cast<llvm::ICmpInst>(values.front()); first && !llvm::all_equal(values)) {
      Value* left = as_vector(builder, operands(values, 0));
      return builder.CreateICmp(first->getPredicate(), left, as_vector(builder, operands(values, 1)));
    }
    return builder.CreateICmpNE(as_vector(builder, values), llvm::Constant::getNullValue(bytes(builder)));
  }

  /// `values`, which are alike, as an OpenCL vector of bytes: conditions are 0 or 1.
  Value* as_vector(llvm::IRBuilder<>& builder, FourValues values) {
    llvm::transform(values, values.begin(), without_extension);
    const auto count = static_cast<unsigned>(values.size());
    if (const auto of = word_of(values)) return builder.CreateBitCast(word(*of), bytes(builder));
    if (llvm::all_equal(values)) return builder.CreateVectorSplat(count, builder.CreateZExtOrTrunc(values.front(), builder.getInt8Ty()));
    if (llvm::all_of(values, [](Value* value) { return distance_of(value).has_value(); })) {
      Value* left = as_vector(builder, parts_of_distances(values, 0));
      Value* right = as_vector(builder, parts_of_distances(values, 1));
      return builder.CreateSub(builder.CreateBinaryIntrinsic(llvm::Intrinsic::umax, left, right), builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, left, right));
    }
    auto* first = llvm::dyn_cast<Instruction>(values.front());
    if (!first || !is_of_bytes(*first) || !llvm::all_of(values, [&](Value* value) { return is_like(*value, *first); })) {
      Value* vector = llvm::PoisonValue::get(bytes(builder));
      for (unsigned i = 0; i < count; ++i) vector = builder.CreateInsertElement(vector, values[i], std::uint64_t{i});
      return vector;
    }
    if (llvm::isa<llvm::ICmpInst>(first))
      return builder.CreateSelect(as_condition(builder, values), llvm::ConstantInt::get(bytes(builder), 1), llvm::Constant::getNullValue(bytes(builder)));
    if (llvm::isa<llvm::SelectInst>(first)) {
      Value* condition = as_condition(builder, operands(values, 0));
      Value* left = as_vector(builder, operands(values, 1));
      return builder.CreateSelect(condition, left, as_vector(builder, operands(values, 2)));
    }
    Value* left = as_vector(builder, operands(values, 0));
    Value* right = as_vector(builder, operands(values, 1));
    if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(first)) return builder.CreateBinaryIntrinsic(call->getIntrinsicID(), left, right);
    return builder.CreateBinOp(llvm::cast<llvm::BinaryOperator>(first)->getOpcode(), left, right);
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
    if (!result) result = llvm::Constant::getNullValue(plan.sum->getType());
    llvm::PHINode* carried = plan.sum->getType()->isIntegerTy(kWord) ? nullptr : carried_in_32_bits(plan);
    result = carried ? carried : builder.CreateZExt(result, builder.getInt32Ty());
    for (const Bytes& bytes : plan.bytes) {
      FourValues each;
      llvm::transform(bytes.addends, each.begin(), [](Value* addend) { return signed_byte(addend) ? signed_byte(addend) : addend; });
      Value* all = builder.CreateBitCast(as_vector(builder, each), builder.getInt32Ty());
      result = bytes.is_signed ? dot(builder, "us8", builder.getInt32(kOnes), all, result) : dot(builder, "us8", all, builder.getInt32(kOnes), result);
    }
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
    if (carried) carried->setIncomingValue(llvm::isa<llvm::PoisonValue>(carried->getIncomingValue(0)) ? 0 : 1, result);
    plan.sum->replaceAllUsesWith(builder.CreateTrunc(result, plan.sum->getType()));
    erase_unused(*plan.sum);
  }

  /// Has a loop carry a sum of fewer bits in 32, where nothing but bytes is added to what it carries: a phi, to which the sum, poison so far, comes from the
  /// iteration before. Null where it is another sum.
  static llvm::PHINode* carried_in_32_bits(const Plan& plan) {
    auto* narrow = plan.others.size() == 1 ? llvm::dyn_cast<llvm::PHINode>(plan.others.front()) : nullptr;
    if (!narrow || narrow->getNumIncomingValues() != 2) return nullptr;
    const unsigned again = narrow->getIncomingValue(0) == plan.sum ? 0 : 1;
    Value* start = narrow->getIncomingValue(1 - again);
    if (narrow->getIncomingValue(again) != plan.sum || start == plan.sum) return nullptr;
    llvm::IRBuilder<> builder(narrow);
    llvm::PHINode* wide = builder.CreatePHI(builder.getInt32Ty(), 2, narrow->getName());
    builder.SetInsertPoint(narrow->getIncomingBlock(1 - again)->getTerminator());
    start = builder.CreateZExt(start, wide->getType());
    for (unsigned i = 0; i < 2; ++i) wide->addIncoming(i == again ? llvm::PoisonValue::get(wide->getType()) : start, narrow->getIncomingBlock(i));
    builder.SetInsertPoint(&*narrow->getParent()->getFirstInsertionPt());
    narrow->replaceAllUsesWith(builder.CreateTrunc(wide, narrow->getType()));
    narrow->eraseFromParent();
    return wide;
  }

  /// Erases `instruction` and what it alone was made of.
  static void erase_unused(Instruction& instruction) {
    llvm::SmallVector<llvm::WeakVH, 16> left{llvm::WeakVH(&instruction)};
    while (!left.empty()) {
      Value* next = left.pop_back_val();
      auto* unused = next && next->use_empty() ? llvm::dyn_cast<Instruction>(next) : nullptr;
      if (!unused || !leads_to_product(*unused)) continue;
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
    if (instruction.getOpcode() == Instruction::Add && (instruction.getType()->isIntegerTy(kWord) || instruction.getType()->isIntegerTy(16)) &&
        llvm::any_of(instruction.operands(), element_of_addend))
      return true;
    return instruction.getOpcode() == Instruction::Mul && instruction.getType()->getScalarSizeInBits() == kWord &&
           llvm::all_of(instruction.operands(), [](llvm::Use& factor) {
             return element_of(factor) || (factor->getType()->isVectorTy() && match(factor.get(), m_ZExtOrSExt(m_Value())));
           });
  });
}

llvm::DenseMap<const Instruction*, unsigned> find_dot_products(llvm::Function& region, const Shapes& shapes, const VectorTraits& traits) {
  llvm::DenseMap<const Instruction*, unsigned> replaced;
  for (const Plan& plan : DotProducts(region, shapes, traits).plans()) {
    replaced[plan.sum] = static_cast<unsigned>(plan.products.size() + plan.bytes.size());
    llvm::SmallVector<const Value*, 32> left;
    for (const Products& products : plan.products) left.append(products.addends.begin(), products.addends.end());
    for (const Bytes& bytes : plan.bytes) left.append(bytes.addends.begin(), bytes.addends.end());
    // What alone leads from a word to a product.
    while (!left.empty()) {
      const auto* instruction = llvm::dyn_cast<Instruction>(left.pop_back_val());
      if (!instruction || !leads_to_product(*instruction)) continue;
      if (replaced.try_emplace(instruction, 0).second) left.append(instruction->value_op_begin(), instruction->value_op_end());
    }
  }
  return replaced;
}

bool make_dot_products(llvm::Function& region, const Shapes& shapes, const VectorTraits& traits) {
  return DotProducts(region, shapes, traits).run();
}

}  // namespace weft::compiler::simt
