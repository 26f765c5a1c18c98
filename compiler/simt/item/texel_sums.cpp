#include "compiler/simt/item/texel_sums.h"

#include <cmath>
#include <optional>

#include "compiler/argument_formats.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/item/byte_scale.h"
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

/// Texels of 255 whose sum 16 bits hold.
constexpr double kMostTexels = 65535 / 255;
constexpr double kFewestTexels = 2;
/// Steps of a byte that roundings in front of a write may amount to, and those that the write may be off by in all.
constexpr double kMostError = 0.1, kMostOff = 0.6;

enum ChannelOrder : std::uint32_t { kR = 0x10b0, kRgba = 0x10b5, kBgra = 0x10b6 };
enum ChannelType : std::uint32_t { kUnorm8 = 0x10d2, kFloat = 0x10de };

std::uint32_t order_of(std::uint32_t format) { return (format & kFormatOrder) + kFirstOrder; }
std::uint32_t type_of(std::uint32_t format) { return ((format & kFormatType) >> 8) + kFirstType; }
bool is_bytes(std::uint32_t format) {
  return format && type_of(format) == kUnorm8 && (order_of(format) == kRgba || order_of(format) == kBgra);
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

/// The format's operand of a read of whole texels of bytes; 0 if `value` is none.
unsigned format_operand(const Value& value) {
  const llvm::StringRef name = called_name(value);
  const bool at_whole = name == "__weft_image_read_f_at";
  if (!at_whole && name != "__weft_image_sample_f") return 0;
  const unsigned operand = at_whole ? 1 : 2;
  const auto& call = llvm::cast<CallInst>(value);
  const std::uint32_t sampler = constant_of(*call.getArgOperand(operand + 1));
  const bool is_known = llvm::isa<llvm::ConstantInt>(call.getArgOperand(operand + 1));
  if (!is_known || !is_bytes(constant_of(*call.getArgOperand(operand)))) return 0;
  return at_whole || !(sampler & abi::kSamplerLinear) ? operand : 0;
}

/// A read and its weight in a sum.
struct Term {
  CallInst* read = nullptr;
  unsigned weight = 1;
};

/// `value` as a read, or one times a small integer.
Term weighted(Value& value, Value& weight) {
  const auto number = splat_of(weight);
  if (!number || *number != std::trunc(*number) || *number < 1 || *number > kMostTexels || !format_operand(value)) return {};
  return {llvm::cast<CallInst>(&value), static_cast<unsigned>(*number)};
}
Term term_of(Instruction& node) {
  if (format_operand(node)) return {llvm::cast<CallInst>(&node), 1};
  const bool is_product = node.getOpcode() == Instruction::FMul;
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&node);
  const bool is_fma = call && (call->getIntrinsicID() == llvm::Intrinsic::fmuladd || call->getIntrinsicID() == llvm::Intrinsic::fma);
  if (!is_product && !is_fma) return {};
  const Term term = weighted(*node.getOperand(0), *node.getOperand(1));
  return term.read ? term : weighted(*node.getOperand(1), *node.getOperand(0));
}

/// Two words, of the channels 0 and 2, and of 1 and 3.
struct Pairs {
  Value *even = nullptr, *odd = nullptr;
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
    const double error = std::fabs(factor_) * texels * texels * 0x1p-25 * 255;
    if (texels < kFewestTexels || texels > kMostTexels || error > kMostError) return false;
    scale_ = byte_scale(factor_, static_cast<unsigned>(texels) * 255, kMostOff - error);
    return true;
  }

  void rewrite() {
    for (auto& [node, pairs] : nodes_)
      if (auto* phi = llvm::dyn_cast<llvm::PHINode>(node)) {
        llvm::IRBuilder<> builder(phi);
        pairs.even = builder.CreatePHI(builder.getInt32Ty(), phi->getNumIncomingValues());
        pairs.odd = builder.CreatePHI(builder.getInt32Ty(), phi->getNumIncomingValues());
      }
    for (const auto& [node, pairs] : llvm::to_vector(nodes_))
      if (auto* phi = llvm::dyn_cast<llvm::PHINode>(node))
        for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
          const Pairs from = pairs_of(*phi->getIncomingValue(i));
          llvm::cast<llvm::PHINode>(pairs.even)->addIncoming(from.even, phi->getIncomingBlock(i));
          llvm::cast<llvm::PHINode>(pairs.odd)->addIncoming(from.odd, phi->getIncomingBlock(i));
        }
    if (scale_) {
      write_texel(pairs_of(root_));
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
    if (const Term term = term_of(*node); term.read) {
      const std::uint32_t format = constant_of(*term.read->getArgOperand(format_operand(*term.read)));
      if (format_ && order_of(format) != order_of(format_)) return false;
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
    made->setArgOperand(operand, builder.getInt32(image_format_word(kR, kFloat, traits)));
    builder.Insert(made);
    Value* word = builder.CreateBitCast(builder.CreateExtractElement(made, std::uint64_t{0}), builder.getInt32Ty());
    return {builder.CreateAnd(word, 0xff00ff), builder.CreateAnd(builder.CreateLShr(word, 8), 0xff00ff)};
  }

  Pairs pairs_of(Value& value) {
    if (llvm::isa<llvm::Constant>(value)) {
      auto* zero = llvm::ConstantInt::get(llvm::Type::getInt32Ty(value.getContext()), 0);
      return {zero, zero};
    }
    auto& node = llvm::cast<Instruction>(value);
    if (const Pairs known = nodes_.lookup(&node); known.even) return known;
    const Pairs made = make(node);
    nodes_[&node] = made;
    return made;
  }

  Pairs make(Instruction& node) {
    if (format_operand(node)) return read(llvm::cast<CallInst>(node));
    const Term term = term_of(node);
    Pairs a, b;
    if (term.read) {
      a = pairs_of(*term.read);
      if (node.getOpcode() != Instruction::FMul) b = pairs_of(*node.getOperand(2));
    } else {
      a = pairs_of(*node.getOperand(0)), b = pairs_of(*node.getOperand(1));
    }
    llvm::IRBuilder<> builder(&node);
    const auto times = [&](Value* channels) { return builder.CreateNUWMul(channels, builder.getInt32(term.weight)); };
    if (term.read) a = {times(a.even), times(a.odd)};
    return b.even ? Pairs{builder.CreateNUWAdd(a.even, b.even), builder.CreateNUWAdd(a.odd, b.odd)} : a;
  }

  /// What the write would have made of the sums, as it gives it: a word and zeros.
  void write_texel(const Pairs& sums) {
    llvm::IRBuilder<> builder(&write_);
    Value* even = scale_to_bytes(builder, sums.even, *scale_);
    if (order_of(format_) != order_of(constant_of(*write_.getArgOperand(1)))) {
      Value* upper = builder.CreateShl(even, 16);
      even = builder.CreateOr(upper, builder.CreateLShr(even, 16));
    }
    Value* odd = scale_to_bytes(builder, sums.odd, *scale_);
    Value* texel = builder.CreateOr(even, builder.CreateShl(odd, 8));
    write_.replaceAllUsesWith(builder.CreateInsertElement(llvm::Constant::getNullValue(write_.getType()), texel, std::uint64_t{0}));
    write_.eraseFromParent();
    if (&user_ != &write_) user_.eraseFromParent();
  }

  Value* color_of(const Pairs& sums) {
    llvm::IRBuilder<> builder(root_.getParent(), *root_.getInsertionPointAfterDef());
    auto* type = llvm::FixedVectorType::get(builder.getInt32Ty(), 4);
    const bool blue_first = order_of(format_) == kBgra;
    Value* const channels[] = {builder.CreateAnd(sums.even, 0xffff), builder.CreateAnd(sums.odd, 0xffff), builder.CreateLShr(sums.even, 16),
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
  double weights_ = 0;
  double iterations_ = 1;  ///< the most that code of it is run; 0: not known
};

/// The word of whose bits `value`, an element of a vector of floats, is made; null if that is not seen.
Value* word_of(Value& value) {
  auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(&value);
  const auto* lane = extract ? llvm::dyn_cast<llvm::ConstantInt>(extract->getIndexOperand()) : nullptr;
  if (!lane) return nullptr;
  Value* vector = extract->getVectorOperand();
  int index = static_cast<int>(lane->getZExtValue());
  while (true) {
    if (auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(vector)) {
      const auto* at = llvm::dyn_cast<llvm::ConstantInt>(insert->getOperand(2));
      if (!at || at->equalsInt(static_cast<std::uint64_t>(index))) return nullptr;
      vector = insert->getOperand(0);
    } else if (auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(vector)) {
      const int width = static_cast<int>(llvm::cast<llvm::FixedVectorType>(shuffle->getOperand(0)->getType())->getNumElements());
      index = shuffle->getMaskValue(static_cast<unsigned>(index));
      if (index < 0) return nullptr;
      vector = shuffle->getOperand(index >= width);
      index %= width;
    } else {
      break;
    }
  }
  auto* cast = llvm::dyn_cast<llvm::BitCastInst>(vector);
  if (!cast || !cast->getSrcTy()->isVectorTy() || cast->getSrcTy()->getScalarSizeInBits() != 32) return nullptr;
  Value* word = llvm::findScalarElement(cast->getOperand(0), static_cast<unsigned>(index));
  return word && word->getType()->isIntegerTy(32) ? word : nullptr;
}

}  // namespace

void take_words(llvm::Function& kernel) {
  for (Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(kernel))) {
    if (!llvm::isa<llvm::BitCastInst>(instruction) || !instruction.getType()->isIntegerTy(32)) continue;
    Value* word = word_of(*instruction.getOperand(0));
    if (!word) continue;
    instruction.replaceAllUsesWith(word);
    instruction.eraseFromParent();
  }
}

bool make_texel_sums(llvm::Function& kernel, Analyses& analyses) {
  llvm::SmallVector<CallInst*, 4> writes;
  for (Instruction& instruction : llvm::instructions(kernel))
    if (called_name(instruction) == "__weft_image_encode_f" && is_bytes(constant_of(*llvm::cast<CallInst>(instruction).getArgOperand(1))))
      writes.push_back(llvm::cast<CallInst>(&instruction));
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
