#include "compiler/simt/item/texel_sums.h"

#include <cmath>
#include <optional>

#include "compiler/argument_formats.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/item/byte_scale.h"
#include "compiler/simt/item/image_channels.h"
#include "compiler/simt/ir/primitives.h"
#include "device/kernel_abi.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace weft::compiler::simt {
namespace {

using llvm::CallInst;
using llvm::Instruction;
using llvm::Value;

constexpr double kFewestTexels = 2;
/// Steps of a channel that roundings in front of a write may amount to, and those that the write may be off by in all.
constexpr double kMostError = 0.1, kMostOff = 0.6;

std::uint32_t order_of(std::uint32_t format) { return (format & kFormatOrder) + kFirstOrder; }
std::uint32_t type_of(std::uint32_t format) { return ((format & kFormatType) >> 8) + kFirstType; }

/// Channels of a width in words: two neighbours lie in a number of twice their width.
struct Channels {
  unsigned bits = 0;       ///< of one; 0: no sums are made of such a format
  double most() const { return (1u << bits) - 1; }
  /// Texels whose sum a channel's room holds: the half of a word, or what a float is exact for.
  double most_texels() const { return (bits == 8 ? 0xffff : 0xffffff) / most(); }
  llvm::Type* type(llvm::IRBuilder<>& builder) const {
    llvm::Type* word = builder.getInt32Ty();
    return bits == 8 ? word : llvm::FixedVectorType::get(word, 2);
  }
  /// Of the even channels.
  Value* mask(llvm::IRBuilder<>& builder) const { return llvm::ConstantInt::get(type(builder), bits == 8 ? 0xff00ff : 0xffff); }
};

Channels channels_of(std::uint32_t format) {
  if (!format) return {};
  const std::uint32_t type = type_of(format), order = order_of(format);
  if (type == kUnorm8 && (order == kRgba || order == kBgra)) return {8};
  return {type == kUnorm16 && order == kRgba ? 16u : 0u};
}

std::uint32_t constant_of(const Value& value) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value);
  return constant ? static_cast<std::uint32_t>(constant->getZExtValue()) : 0;
}

/// The number that all elements of a vector are.
std::optional<double> splat_of(const Value& value) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(&value);
  const auto* number = constant && constant->getType()->isVectorTy() ? llvm::dyn_cast_or_null<llvm::ConstantFP>(constant->getSplatValue()) : nullptr;
  return number ? std::optional(number->getValueAPF().convertToDouble()) : std::nullopt;
}

/// The format's operand of a read of whole texels; 0 if `value` is none.
unsigned format_operand(const Value& value) {
  const llvm::StringRef name = called_name(value);
  const bool at_whole = name == "__weft_image_read_f_at";
  if (!at_whole && name != "__weft_image_sample_f") return 0;
  const unsigned operand = at_whole ? 1 : 2;
  const auto& call = llvm::cast<CallInst>(value);
  const std::uint32_t sampler = constant_of(*call.getArgOperand(operand + 1));
  const bool is_known = llvm::isa<llvm::ConstantInt>(call.getArgOperand(operand + 1));
  if (!is_known || !channels_of(constant_of(*call.getArgOperand(operand))).bits) return 0;
  return at_whole || !(sampler & abi::kSamplerLinear) ? operand : 0;
}

/// A read and its weight in a sum.
struct TexelTerm {
  CallInst* read = nullptr;
  unsigned weight = 1;
};

/// `value` as a read, or one times a small integer.
TexelTerm weighted(Value& value, Value& weight) {
  const auto number = splat_of(weight);
  if (!number || *number != std::trunc(*number) || *number < 1 || *number > 0xffff / 255 || !format_operand(value)) return {};
  return {llvm::cast<CallInst>(&value), static_cast<unsigned>(*number)};
}
TexelTerm term_of(Instruction& node) {
  if (format_operand(node)) return {llvm::cast<CallInst>(&node), 1};
  const bool is_product = node.getOpcode() == Instruction::FMul;
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&node);
  const bool is_fma = call && (call->getIntrinsicID() == llvm::Intrinsic::fmuladd || call->getIntrinsicID() == llvm::Intrinsic::fma);
  if (!is_product && !is_fma) return {};
  const TexelTerm term = weighted(*node.getOperand(0), *node.getOperand(1));
  return term.read ? term : weighted(*node.getOperand(1), *node.getOperand(0));
}

/// Sums of words, or of pairs of them: of the channels 1 and 3, and of whole texels, in which they are what reaches over from the channels 0 and 2, modulo
/// 2^32, once those are taken away: so a texel takes no mask for the even ones.
struct Pairs {
  Value *whole = nullptr, *odd = nullptr;
};

/// What is added up to `root`.
class TexelSum {
 public:
  /// `write` encodes the sum times `factor`, a product that is `user`; or the sum.
  TexelSum(Instruction& root, Instruction& user, CallInst& write, double factor, llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution)
      : root_(root), user_(user), write_(write), factor_(factor), loops_(loops), evolution_(evolution) {}

  /// Whether it is all texels of one format, and what is made of it may be exact.
  bool is_possible() {
    if (!visit(root_)) return false;
    // Each value goes one way, so that no texel counts more often than the code that adds it up is run.
    for (const auto& [node, pairs] : nodes_) {
      const unsigned own = static_cast<unsigned>(llvm::count_if(node->uses(), [&](const llvm::Use& use) {
        return nodes_.contains(llvm::cast<Instruction>(use.getUser()));
      }));
      if (own > 1 || node->getNumUses() != own + (node == &root_)) return false;
    }
    if (iterations_ == 0) return false;
    const double texels = weights_ * iterations_;
    // Each of so many sums is at most so many and rounded to 24 bits.
    channels_ = channels_of(format_);
    const Channels written = channels_of(constant_of(*write_.getArgOperand(1)));
    const double error = std::fabs(factor_) * texels * texels * 0x1p-25 * written.most();
    if (texels < kFewestTexels || texels > channels_.most_texels() || error > kMostError) return false;
    if (written.bits != channels_.bits) return true;
    if (channels_.bits == 8) scale_ = byte_scale(factor_, static_cast<unsigned>(texels) * 255, kMostOff - error);
    is_within_ = factor_ > 0 && factor_ * texels * channels_.most() < channels_.most() + 0.25;
    return true;
  }

  void rewrite() {
    for (auto& [node, pairs] : nodes_)
      if (auto* phi = llvm::dyn_cast<llvm::PHINode>(node)) {
        llvm::IRBuilder<> builder(phi);
        pairs.whole = builder.CreatePHI(channels_.type(builder), phi->getNumIncomingValues());
        pairs.odd = builder.CreatePHI(channels_.type(builder), phi->getNumIncomingValues());
      }
    for (const auto& [node, pairs] : llvm::to_vector(nodes_))
      if (auto* phi = llvm::dyn_cast<llvm::PHINode>(node))
        for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
          const Pairs from = pairs_of(*phi->getIncomingValue(i));
          llvm::cast<llvm::PHINode>(pairs.whole)->addIncoming(from.whole, phi->getIncomingBlock(i));
          llvm::cast<llvm::PHINode>(pairs.odd)->addIncoming(from.odd, phi->getIncomingBlock(i));
        }
    if (scale_) {
      write_bytes(pairs_of(root_));
    } else if (channels_.bits == 16 && is_within_) {
      write_halves(pairs_of(root_));
    } else {
      user_.replaceUsesOfWith(&root_, color_of(pairs_of(root_)));
    }
    for (const auto& [node, pairs] : nodes_) node->dropAllReferences();
    for (const auto& [node, pairs] : nodes_) node->eraseFromParent();
  }

 private:
  bool visit(Value& value) {
    if (llvm::isa<llvm::ConstantAggregateZero>(value)) return true;
    auto* node = llvm::dyn_cast<Instruction>(&value);
    if (!node) return false;
    if (!nodes_.insert({node, {}}).second) return true;
    count_iterations(*node);
    if (const TexelTerm term = term_of(*node); term.read) {
      const std::uint32_t format = constant_of(*term.read->getArgOperand(format_operand(*term.read)));
      if (format_ && (order_of(format) != order_of(format_) || type_of(format) != type_of(format_))) return false;
      format_ = format;
      weights_ += term.weight;
      if (node == term.read) return true;
      nodes_.insert({term.read, {}});
      count_iterations(*term.read);
      return node->getOpcode() == Instruction::FMul || visit(*node->getOperand(2));
    }
    if (!llvm::isa<llvm::PHINode>(node) && node->getOpcode() != Instruction::FAdd) return false;
    return llvm::all_of(node->operands(), [&](Value* operand) { return visit(*operand); });
  }

  void count_iterations(const Instruction& node) {
    double count = 1;
    for (const llvm::Loop* loop = loops_.getLoopFor(node.getParent()); loop; loop = loop->getParentLoop())
      count *= evolution_.getSmallConstantTripCount(loop);
    iterations_ = iterations_ == 0 || count == 0 ? 0 : std::max(iterations_, count);
  }

  Pairs read(CallInst& call) {
    const unsigned operand = format_operand(call);
    const std::uint32_t traits = constant_of(*call.getArgOperand(operand)) & (kFormatPadded | kFormatSmall);
    // The texel as it is: a number of as many bytes, whose bits nothing looks at.
    llvm::IRBuilder<> builder(&call);
    auto* made = llvm::cast<CallInst>(call.clone());
    const bool is_word = channels_.bits == 8;
    made->setArgOperand(operand, builder.getInt32(image_format_word(is_word ? kR : kRg, kFloat, traits)));
    builder.Insert(made);
    Value* bits = is_word ? builder.CreateExtractElement(made, std::uint64_t{0}) : builder.CreateShuffleVector(made, {0, 1});
    Value* word = builder.CreateBitCast(bits, channels_.type(builder));
    Value* upper = builder.CreateLShr(word, channels_.bits);
    return {word, is_word ? builder.CreateAnd(upper, channels_.mask(builder)) : upper};
  }

  Pairs pairs_of(Value& value) {
    if (llvm::isa<llvm::Constant>(value)) {
      llvm::IRBuilder<> builder(value.getContext());
      auto* zero = llvm::Constant::getNullValue(channels_.type(builder));
      return {zero, zero};
    }
    auto& node = llvm::cast<Instruction>(value);
    if (const Pairs known = nodes_.lookup(&node); known.whole) return known;
    const Pairs made = make(node);
    nodes_[&node] = made;
    return made;
  }

  Pairs make(Instruction& node) {
    if (format_operand(node)) return read(llvm::cast<CallInst>(node));
    const TexelTerm term = term_of(node);
    Pairs a, b;
    if (term.read) {
      a = pairs_of(*term.read);
      if (node.getOpcode() != Instruction::FMul) b = pairs_of(*node.getOperand(2));
    } else {
      a = pairs_of(*node.getOperand(0)), b = pairs_of(*node.getOperand(1));
    }
    llvm::IRBuilder<> builder(&node);
    const auto times = [&](Value* sums) { return builder.CreateMul(sums, llvm::ConstantInt::get(sums->getType(), term.weight)); };
    if (term.read) a = {times(a.whole), times(a.odd)};
    return b.whole ? Pairs{builder.CreateAdd(a.whole, b.whole), builder.CreateAdd(a.odd, b.odd, "", true)} : a;
  }

  /// The sums of the channels 0 and 2.
  Value* even_of(llvm::IRBuilder<>& builder, const Pairs& sums) const {
    return builder.CreateSub(sums.whole, builder.CreateShl(sums.odd, channels_.bits));
  }

  /// What the write would have made of the sums, as it gives it: a word and zeros.
  void write_bytes(const Pairs& sums) {
    llvm::IRBuilder<> builder(&write_);
    Value* even = scale_to_bytes(builder, even_of(builder, sums), *scale_);
    if (order_of(format_) != order_of(constant_of(*write_.getArgOperand(1)))) {
      Value* upper = builder.CreateShl(even, 16);
      even = builder.CreateOr(upper, builder.CreateLShr(even, 16));
    }
    Value* odd = scale_to_bytes(builder, sums.odd, *scale_);
    Value* texel = builder.CreateOr(even, builder.CreateShl(odd, 8));
    replace_write(builder.CreateInsertElement(llvm::Constant::getNullValue(write_.getType()), texel, std::uint64_t{0}));
  }

  /// The same of channels of 16 bits: in floats, which hold such sums. From 2^23 on a float has no bits below 1, so that sum is rounded, and its
  /// lower bits are the integer.
  void write_halves(const Pairs& sums) {
    llvm::IRBuilder<> builder(&write_);
    auto* type = llvm::FixedVectorType::get(builder.getFloatTy(), 2);
    const auto rounded = [&](Value* sum) {
      Value* number = builder.CreateSIToFP(sum, type);
      Value* shifted = builder.CreateIntrinsic(llvm::Intrinsic::fmuladd, {type},
                                               {number, llvm::ConstantFP::get(type, factor_), llvm::ConstantFP::get(type, 0x1p23)});
      return builder.CreateBitCast(shifted, channels_.type(builder));
    };
    Value* even = builder.CreateAnd(rounded(even_of(builder, sums)), channels_.mask(builder));
    Value* texel = builder.CreateOr(even, builder.CreateShl(rounded(sums.odd), channels_.bits));
    replace_write(builder.CreateShuffleVector(texel, llvm::Constant::getNullValue(texel->getType()), {0, 1, 2, 3}));
  }

  void replace_write(Value* words) {
    write_.replaceAllUsesWith(words);
    write_.eraseFromParent();
    if (&user_ != &write_) user_.eraseFromParent();
  }

  Value* color_of(const Pairs& sums) {
    llvm::IRBuilder<> builder(root_.getParent(), *root_.getInsertionPointAfterDef());
    auto* type = llvm::FixedVectorType::get(builder.getInt32Ty(), 4);
    Value* even = even_of(builder, sums);
    if (channels_.bits == 16) {
      Value* numbers = builder.CreateSIToFP(builder.CreateShuffleVector(even, sums.odd, {0, 2, 1, 3}), root_.getType());
      return builder.CreateFMul(numbers, llvm::ConstantFP::get(root_.getType(), 1 / channels_.most()));
    }
    const bool blue_first = order_of(format_) == kBgra;
    Value* const channels[] = {builder.CreateAnd(even, 0xffff), builder.CreateAnd(sums.odd, 0xffff), builder.CreateLShr(even, 16),
                               builder.CreateLShr(sums.odd, 16)};
    Value* color = llvm::PoisonValue::get(type);
    for (unsigned i = 0; i < 4; ++i) color = builder.CreateInsertElement(color, channels[blue_first && i % 2 == 0 ? 2 - i : i], i);
    Value* numbers = builder.CreateSIToFP(color, root_.getType());
    return builder.CreateFMul(numbers, llvm::ConstantFP::get(root_.getType(), 1 / 255.0));
  }

  Instruction &root_, &user_;
  CallInst& write_;
  const double factor_;
  std::optional<ByteScale> scale_;
  llvm::LoopInfo& loops_;
  llvm::ScalarEvolution& evolution_;
  llvm::MapVector<Instruction*, Pairs> nodes_;
  std::uint32_t format_ = 0;
  Channels channels_;       ///< of the format
  bool is_within_ = false;  ///< the most that the sum times the factor may be is the most that is written
  double weights_ = 0;
  double iterations_ = 1;  ///< the most that code of it is run; 0: not known
};

/// An element of a vector.
struct SummedElement {
  Value* vector = nullptr;
  int index = 0;
};

/// The word of whose bits element `of`, of a vector of floats, is made; no vector if that is not seen.
SummedElement word_of(SummedElement of) {
  bool is_word = false;
  while (true) {
    if (auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(of.vector)) {
      const auto* at = llvm::dyn_cast<llvm::ConstantInt>(insert->getOperand(2));
      if (!at || at->equalsInt(static_cast<std::uint64_t>(of.index))) break;
      of.vector = insert->getOperand(0);
    } else if (auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(of.vector)) {
      const int width = static_cast<int>(llvm::cast<llvm::FixedVectorType>(shuffle->getOperand(0)->getType())->getNumElements());
      const int index = shuffle->getMaskValue(static_cast<unsigned>(of.index));
      if (index < 0) return {};
      of = {shuffle->getOperand(index >= width), index % width};
    } else if (auto* cast = llvm::dyn_cast<llvm::BitCastInst>(of.vector);
               cast && cast->getSrcTy()->isVectorTy() && cast->getSrcTy()->getScalarType()->isIntegerTy(32)) {
      of.vector = cast->getOperand(0);
      is_word = true;
    } else {
      break;
    }
  }
  return is_word ? of : SummedElement{};
}

/// What a cast of `floats`, an element of a vector or two, to words gives; null if that is not seen.
Value* words_of(Value& floats, const llvm::Type& type) {
  if (auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(&floats)) {
    const auto* lane = llvm::dyn_cast<llvm::ConstantInt>(extract->getIndexOperand());
    const SummedElement word = lane ? word_of({extract->getVectorOperand(), static_cast<int>(lane->getZExtValue())}) : SummedElement{};
    Value* found = word.vector ? llvm::findScalarElement(word.vector, static_cast<unsigned>(word.index)) : nullptr;
    return found && found->getType() == &type ? found : nullptr;
  }
  if (!llvm::isa<llvm::ShuffleVectorInst>(floats)) return nullptr;
  const SummedElement first = word_of({&floats, 0}), second = word_of({&floats, 1});
  const bool is_whole = first.vector && first.vector == second.vector && first.vector->getType() == &type && first.index == 0 && second.index == 1;
  return is_whole ? first.vector : nullptr;
}

}  // namespace

void take_words(llvm::Function& kernel) {
  for (Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(kernel))) {
    const llvm::Type& type = *instruction.getType();
    const auto* pair = llvm::dyn_cast<llvm::FixedVectorType>(&type);
    if (!llvm::isa<llvm::BitCastInst>(instruction) || !type.getScalarType()->isIntegerTy(32) || (pair && pair->getNumElements() != 2)) continue;
    Value* words = words_of(*instruction.getOperand(0), type);
    if (!words) continue;
    instruction.replaceAllUsesWith(words);
    instruction.eraseFromParent();
  }
}

bool make_texel_sums(llvm::Function& kernel, Analyses& analyses) {
  llvm::SmallVector<CallInst*, 4> writes;
  for (Instruction& instruction : llvm::instructions(kernel))
    if (auto* call = llvm::dyn_cast<CallInst>(&instruction);
        call && called_name(*call) == "__weft_image_encode_f" && channels_of(constant_of(*call->getArgOperand(1))).bits)
      writes.push_back(call);
  bool changed = false;
  for (CallInst* write : writes) {
    Instruction* user = write;
    auto* root = llvm::dyn_cast<Instruction>(write->getArgOperand(0));
    if (!root) continue;
    double factor = 1;
    const auto number = root->isBinaryOp() ? splat_of(*root->getOperand(1)) : std::nullopt;
    const bool is_product = root->getOpcode() == Instruction::FMul;
    if (number && *number != 0 && (is_product || root->getOpcode() == Instruction::FDiv) && root->hasOneUse() &&
        llvm::isa<Instruction>(root->getOperand(0))) {
      factor = is_product ? *number : 1 / *number;
      user = root;
      root = llvm::cast<Instruction>(root->getOperand(0));
    }
    auto& functions = analyses.functions();
    TexelSum sum(*root, *user, *write, factor, functions.getResult<llvm::LoopAnalysis>(kernel),
                 functions.getResult<llvm::ScalarEvolutionAnalysis>(kernel));
    if (!sum.is_possible()) continue;
    sum.rewrite();
    analyses.invalidate(kernel);
    changed = true;
  }
  return changed;
}

}  // namespace weft::compiler::simt
