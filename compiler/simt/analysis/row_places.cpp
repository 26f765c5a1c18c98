#include "compiler/simt/analysis/row_places.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <cstdlib>

#include "compiler/simt/analysis/shape.h"

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::Value;

/// Factors and offsets beyond these are no row's, and products and sums of a few of them stay far from 64 bits.
constexpr std::int64_t kLargestFactor = std::int64_t{1} << 24, kLargestOffset = std::int64_t{1} << 40;
constexpr unsigned kDeepestPlace = 12;
/// From lane to lane: hundreds of lanes do not come from 0 to 2^31 by such steps.
constexpr std::int64_t kLargestModular = std::int64_t{1} << 16;

/// Whether `operation`'s extended result is that of its extended operands.
bool extends(const Instruction& operation, Extension extension) {
  if (extension == Extension::kNone) return true;
  if (const auto* disjoint = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&operation)) return disjoint->isDisjoint();
  const auto* flags = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(&operation);
  return flags && (extension == Extension::kSigned ? flags->hasNoSignedWrap() : flags->hasNoUnsignedWrap());
}

bool is_sum(const Instruction& instruction) {
  const unsigned opcode = instruction.getOpcode();
  if (const auto* disjoint = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&instruction)) return disjoint->isDisjoint();
  return opcode == Instruction::Add || opcode == Instruction::Sub;
}

std::optional<std::int64_t> extended(const llvm::ConstantInt& constant, Extension extension) {
  const llvm::APInt& value = constant.getValue();
  if (extension == Extension::kUnsigned ? value.getActiveBits() > 40 : value.getSignificantBits() > 41) return std::nullopt;
  return extension == Extension::kUnsigned ? static_cast<std::int64_t>(value.getZExtValue()) : value.getSExtValue();
}

/// The constant that `instruction` multiplies its first operand by.
std::optional<std::int64_t> factor_of(const Instruction& instruction, Extension extension) {
  const bool is_shift = instruction.getOpcode() == Instruction::Shl;
  if (!is_shift && instruction.getOpcode() != Instruction::Mul) return std::nullopt;
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1));
  if (!constant) return std::nullopt;
  if (is_shift) return constant->getValue().ult(24) ? std::optional(std::int64_t{1} << constant->getZExtValue()) : std::nullopt;
  return extended(*constant, extension);
}

/// An extension of 32 bits or more, and which.
std::optional<Extension> extension_of(const Instruction& instruction) {
  const bool is_signed = llvm::isa<llvm::SExtInst>(instruction);
  if (!is_signed && !llvm::isa<llvm::ZExtInst>(instruction)) return std::nullopt;
  if (!instruction.getType()->isIntegerTy(64) || instruction.getOperand(0)->getType()->getScalarSizeInBits() < 32) return std::nullopt;
  return is_signed || instruction.hasNonNeg() ? Extension::kSigned : Extension::kUnsigned;
}

class Places {
 public:
  Places(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) : loop_(loop), evolution_(evolution) {}

  std::optional<RowPlace> get(Value& pointer) {
    if (!add_pointer(pointer)) return std::nullopt;
    place_.terms.remove_if([](const auto& term) { return term.second == 0; });
    return std::move(place_);
  }

 private:
  bool add_pointer(Value& pointer) {
    Value* at = &pointer;
    const llvm::DataLayout& layout = loop_.getHeader()->getModule()->getDataLayout();
    while (auto* gep = llvm::dyn_cast<llvm::GEPOperator>(at)) {
      llvm::MapVector<Value*, llvm::APInt> variables;
      llvm::APInt constant(layout.getIndexTypeSizeInBits(gep->getType()), 0);
      if (constant.getBitWidth() != 64 || gep->getType()->isVectorTy() || !gep->collectOffset(layout, 64, variables, constant)) break;
      if (constant.getSignificantBits() > 41 || !add_constant(constant.getSExtValue(), 1)) return false;
      for (const auto& [index, scale] : variables) {
        if (!index->getType()->isIntegerTy(64) || scale.getSignificantBits() > 24) return false;
        if (!add(*index, scale.getSExtValue(), Extension::kNone, 0)) return false;
      }
      at = gep->getPointerOperand();
    }
    if (const auto step = step_of(*at)) {
      place_.step += *step;
      return add_pointer(*llvm::cast<llvm::PHINode>(at)->getIncomingValueForBlock(loop_.getLoopPredecessor()));
    }
    place_.base = at;
    return true;
  }

  /// Of the loop's own progressions, by a constant.
  std::optional<std::int64_t> step_of(Value& value, Extension extension = Extension::kNone, bool is_positive = false) {
    auto* phi = llvm::dyn_cast<llvm::PHINode>(&value);
    if (!phi || phi->getParent() != loop_.getHeader() || !loop_.getLoopPredecessor()) return std::nullopt;
    const auto* progression = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(phi));
    if (!progression || progression->getLoop() != &loop_ || !progression->isAffine()) return std::nullopt;
    if (extension == Extension::kSigned && !is_positive && !progression->hasNoSignedWrap()) return std::nullopt;
    if (extension == Extension::kUnsigned && !progression->hasNoUnsignedWrap() && !extends_evenly(*progression)) return std::nullopt;
    const auto* step = llvm::dyn_cast<llvm::SCEVConstant>(progression->getStepRecurrence(evolution_));
    if (!step || step->getAPInt().getSignificantBits() > 24) return std::nullopt;
    return step->getAPInt().getSExtValue();
  }

  /// Whether the loop's end says that a number without a sign does not wrap around.
  bool extends_evenly(const llvm::SCEVAddRecExpr& progression) {
    return llvm::isa<llvm::SCEVAddRecExpr>(evolution_.getZeroExtendExpr(&progression, llvm::Type::getInt64Ty(evolution_.getContext())));
  }

  bool add_constant(std::int64_t constant, std::int64_t factor) {
    if (std::abs(factor) > kLargestFactor || std::abs(constant) > kLargestOffset / std::max<std::int64_t>(1, std::abs(factor))) return false;
    place_.offset += constant * factor;
    return std::abs(place_.offset) <= kLargestOffset;
  }

  bool add_term(Value& value, std::int64_t factor, Extension extension) {
    std::int64_t& all = place_.terms[Term(&value, extension)];
    all += factor;
    return std::abs(all) <= kLargestFactor;
  }

  /// `is_positive`: what is extended is known not to be negative.
  bool add(Value& value, std::int64_t factor, Extension extension, unsigned depth, bool is_positive = false) {
    if (std::abs(factor) > kLargestFactor) return false;
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value)) {
      const auto number = extended(*constant, extension);
      return number && add_constant(*number, factor);
    }
    auto* instruction = llvm::dyn_cast<Instruction>(&value);
    if (!instruction || depth > kDeepestPlace) return add_term(value, factor, extension);
    if (const auto step = step_of(value, extension, is_positive)) {
      place_.step += *step * factor;
      Value& start = *llvm::cast<llvm::PHINode>(instruction)->getIncomingValueForBlock(loop_.getLoopPredecessor());
      return std::abs(place_.step) <= kLargestOffset && add(start, factor, extension, depth + 1);
    }
    if (is_sum(*instruction) && extends(*instruction, extension)) {
      const std::int64_t sign = instruction->getOpcode() == Instruction::Sub ? -1 : 1;
      return add(*instruction->getOperand(0), factor, extension, depth + 1) &&
             add(*instruction->getOperand(1), sign * factor, extension, depth + 1);
    }
    if (const auto scale = factor_of(*instruction, extension);
        scale && extends(*instruction, extension) && std::abs(*scale) <= kLargestFactor)
      return add(*instruction->getOperand(0), *scale * factor, extension, depth + 1);
    if (const auto inner = extension_of(*instruction); inner && extension == Extension::kNone)
      return add(*instruction->getOperand(0), factor, *inner, depth + 1, instruction->getOpcode() == Instruction::ZExt);
    return add_term(value, factor, extension);
  }

  const llvm::Loop& loop_;
  llvm::ScalarEvolution& evolution_;
  RowPlace place_;
};

Value* emit_term(llvm::IRBuilderBase& builder, Term term) {
  Value* value = term.getPointer();
  if (term.getInt() == Extension::kNone) return value;
  return term.getInt() == Extension::kSigned ? builder.CreateSExt(value, builder.getInt64Ty()) : builder.CreateZExt(value, builder.getInt64Ty());
}

void add_to(LaneStep& sum, LaneStep other, std::int64_t factor) {
  sum.constant += factor * other.constant;
  for (LaneStep::Product& product : other.products) {
    product.factor *= factor;
    sum.products.push_back(std::move(product));
  }
}

bool is_small(const LaneStep& step) {
  return std::abs(step.constant) <= kLargestOffset && step.products.size() <= 8 &&
         llvm::all_of(step.products, [](const LaneStep::Product& product) { return std::abs(product.factor) <= kLargestOffset; });
}

}  // namespace

std::optional<std::int64_t> RowPlace::behind(const RowPlace& other) const {
  if (base != other.base || step != other.step || terms.size() != other.terms.size()) return std::nullopt;
  for (const auto& [term, factor] : terms) {
    const auto* found = other.terms.find(term);
    if (found == other.terms.end() || found->second != factor) return std::nullopt;
  }
  return offset - other.offset;
}

bool RowPlace::is_even(const llvm::Loop& loop) const {
  return loop.isLoopInvariant(base) &&
         llvm::all_of(terms, [&](const auto& term) { return loop.isLoopInvariant(term.first.getPointer()); });
}

Value* RowPlace::emit_first(llvm::IRBuilderBase& builder) const {
  Value* sum = builder.getInt64(static_cast<std::uint64_t>(offset));
  for (const auto& [term, factor] : terms)
    sum = builder.CreateAdd(sum, builder.CreateMul(emit_term(builder, term), builder.getInt64(static_cast<std::uint64_t>(factor))));
  return builder.CreateGEP(builder.getInt8Ty(), base, sum);
}

std::optional<RowPlace> row_place(Value& pointer, const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  return Places(loop, evolution).get(pointer);
}

Value* LaneStep::emit(llvm::IRBuilderBase& builder) const {
  Value* sum = builder.getInt64(static_cast<std::uint64_t>(constant));
  for (const Product& product : products) {
    Value* all = builder.getInt64(static_cast<std::uint64_t>(product.factor));
    for (const Term value : product.values) all = builder.CreateMul(all, emit_term(builder, value));
    sum = builder.CreateAdd(sum, all);
  }
  return sum;
}

Value* Assumed::emit(llvm::IRBuilderBase& builder) const {
  Value* all = builder.getTrue();
  for (Value* number : not_negative)
    all = builder.CreateAnd(all, builder.CreateICmpSGE(number, llvm::Constant::getNullValue(number->getType())));
  for (const Exact& one : exact) {
    const auto extended = [&](Value* value) { return emit_term(builder, Term(value, one.extension)); };
    Value* whole = one.unbounded ? extended(one.unbounded)
                   : llvm::isa<llvm::TruncInst>(one.value)
                       ? one.value->getOperand(0)
                       : builder.CreateBinOp(static_cast<Instruction::BinaryOps>(one.value->getOpcode()),
                                             extended(one.value->getOperand(0)), extended(one.value->getOperand(1)));
    all = builder.CreateAnd(all, builder.CreateICmpEQ(extended(one.value), whole));
  }
  return all;
}

std::optional<LaneStep> LaneSteps::of(const RowPlace& place) {
  std::optional<LaneStep> sum = of(*place.base, Extension::kNone, 0);
  for (const auto& [term, factor] : place.terms) {
    const auto step = sum ? of(*term.getPointer(), term.getInt(), 0) : std::nullopt;
    if (!step) return std::nullopt;
    add_to(*sum, *step, factor);
  }
  return sum && is_small(*sum) ? sum : std::nullopt;
}

/// Whether all lanes that run `loop_` have the same: outside of a loop that lanes leave one by one each keeps what it had.
bool LaneSteps::is_same(Value& value) const {
  if (const auto* instruction = llvm::dyn_cast<Instruction>(&value))
    if (const llvm::Loop* around = loops_.getLoopFor(instruction->getParent()); around && !around->contains(&loop_)) return false;
  return uniformity_.isUniform(&value);
}

/// Shapes follow data flow alone: where lanes come together from several blocks, they say nothing before masks are made.
bool LaneSteps::has_shape(const Value& value, unsigned depth) const {
  const auto* instruction = llvm::dyn_cast<Instruction>(&value);
  if (!instruction) return true;
  if (depth > kDeepestPlace || llvm::isa<llvm::PHINode>(instruction)) return false;
  return llvm::all_of(instruction->operand_values(), [&](const Value* operand) { return has_shape(*operand, depth + 1); });
}

std::optional<LaneStep> LaneSteps::of(Value& value, Extension extension, unsigned depth) {
  if (is_same(value)) return LaneStep{};
  const Shape shape = shapes_[value];
  if (has_shape(value, 0) && shape.is_affine() && !shape.checked && shape.segment == shapes_.lanes() && std::abs(shape.stride) <= kLargestFactor &&
      (extension == Extension::kNone || (extension == Extension::kSigned ? shape.no_signed_wrap : shape.no_unsigned_wrap)))
    return LaneStep{.constant = shape.stride, .products = {}};
  auto* instruction = llvm::dyn_cast<Instruction>(&value);
  if (!instruction || depth > kDeepestPlace) return std::nullopt;
  std::optional<LaneStep> step = of_instruction(*instruction, extension, depth + 1);
  if (step && is_small(*step)) return step;
  const bool is_extended = extension != Extension::kNone && value.getType()->isIntegerTy(32);
  const bool is_bounded = value.getType()->isIntegerTy(64) && llvm::isa<llvm::MinMaxIntrinsic>(value);
  if (!assumed_ || !loop_.isLoopInvariant(&value) || (!is_extended && !is_bounded)) return std::nullopt;
  if (const auto count = is_extended ? modular(value, depth) : std::nullopt) {
    assumed_->not_negative.insert(&value);
    return LaneStep{.constant = *count, .products = {}};
  }
  step = of_exact(*instruction, extension, depth + 1);
  return step && is_small(*step) ? step : std::nullopt;
}

/// As if nothing wrapped around or met a bound, which is assumed.
std::optional<LaneStep> LaneSteps::of_exact(Instruction& instruction, Extension extension, unsigned depth) {
  std::optional<LaneStep> step;
  Value* unbounded = nullptr;
  if (const auto* bounded = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&instruction)) {
    unbounded = is_same(*bounded->getLHS()) ? bounded->getRHS() : bounded->getLHS();
    step = of(*unbounded, extension, depth);
  } else if (llvm::isa<llvm::TruncInst>(instruction)) {
    if (instruction.getOperand(0)->getType()->isIntegerTy(64)) step = of(*instruction.getOperand(0), Extension::kNone, depth);
  } else if (llvm::isa<llvm::OverflowingBinaryOperator>(instruction) && instruction.getOpcode() != Instruction::Shl) {
    step = of_arithmetic(instruction, extension, depth);
  }
  if (step) assumed_->exact.push_back({&instruction, extension, unbounded});
  return step;
}

/// What `value`, of any number of bits, grows by from lane to lane, modulo 2^32.
std::optional<std::int64_t> LaneSteps::modular(Value& value, unsigned depth) {
  if (is_same(value)) return 0;
  const auto small = [](std::int64_t count) { return std::abs(count) <= kLargestModular ? std::optional(count) : std::nullopt; };
  const Shape shape = shapes_[value];
  if (has_shape(value, 0) && shape.is_affine() && !shape.checked && shape.segment == shapes_.lanes()) return small(shape.stride);
  auto* instruction = llvm::dyn_cast<Instruction>(&value);
  if (!instruction || depth > kDeepestPlace || !value.getType()->isIntegerTy() || value.getType()->getScalarSizeInBits() < 32) return std::nullopt;
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction)) return modular_phi(*phi, depth + 1);
  if (llvm::isa<llvm::TruncInst>(instruction)) return modular(*instruction->getOperand(0), depth + 1);
  if (is_sum(*instruction)) {
    const auto a = modular(*instruction->getOperand(0), depth + 1), b = modular(*instruction->getOperand(1), depth + 1);
    if (!a || !b) return std::nullopt;
    return small(instruction->getOpcode() == Instruction::Sub ? *a - *b : *a + *b);
  }
  const auto factor = factor_of(*instruction, Extension::kNone);
  const auto count = factor && std::abs(*factor) <= kLargestModular ? modular(*instruction->getOperand(0), depth + 1) : std::nullopt;
  return count ? small(*count * *factor) : std::nullopt;
}

/// Of a loop around, in which all lanes add the same in each iteration.
std::optional<std::int64_t> LaneSteps::modular_phi(llvm::PHINode& phi, unsigned depth) {
  Value* start = start_of(phi, [](const Instruction& next) { return next.getOpcode() == Instruction::Add; });
  return start ? modular(*start, depth) : std::nullopt;
}

std::optional<LaneStep> LaneSteps::of_instruction(Instruction& instruction, Extension extension, unsigned depth) {
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) return of_phi(*phi, extension, depth);
  if (llvm::isa<llvm::GetElementPtrInst>(instruction)) return of_gep(instruction, depth);
  if (!instruction.getType()->isIntegerTy()) return std::nullopt;
  if (const auto inner = extension_of(instruction); inner && extension == Extension::kNone)
    return of(*instruction.getOperand(0), *inner, depth);
  // Numbers of fewer bits that nothing extends are cut somewhere.
  if ((extension == Extension::kNone && !instruction.getType()->isIntegerTy(64)) || !extends(instruction, extension)) return std::nullopt;
  return of_arithmetic(instruction, extension, depth);
}

/// Of an operation whose extended result is that of its extended operands.
std::optional<LaneStep> LaneSteps::of_arithmetic(Instruction& instruction, Extension extension, unsigned depth) {
  if (is_sum(instruction)) {
    auto a = of(*instruction.getOperand(0), extension, depth), b = of(*instruction.getOperand(1), extension, depth);
    if (!a || !b) return std::nullopt;
    add_to(*a, *b, instruction.getOpcode() == Instruction::Sub ? -1 : 1);
    return a;
  }
  if (const auto factor = factor_of(instruction, extension)) {
    const auto step = of(*instruction.getOperand(0), extension, depth);
    if (!step || std::abs(*factor) > kLargestFactor) return std::nullopt;
    LaneStep result;
    add_to(result, *step, *factor);
    return result;
  }
  if (instruction.getOpcode() != Instruction::Mul) return std::nullopt;
  Value *value = instruction.getOperand(0), *factor = instruction.getOperand(1);
  if (!is_same(*factor)) std::swap(value, factor);
  if (!is_same(*factor) || !loop_.isLoopInvariant(factor)) return std::nullopt;
  auto step = of(*value, extension, depth);
  if (!step) return std::nullopt;
  if (step->constant) step->products.push_back({step->constant, {}});
  step->constant = 0;
  for (LaneStep::Product& product : step->products) product.values.push_back(Term(factor, extension));
  return step;
}

/// Of a loop around: by what its start does, if all lanes add the same in each iteration. Lanes that run have run as many.
std::optional<LaneStep> LaneSteps::of_phi(llvm::PHINode& phi, Extension extension, unsigned depth) {
  if (extension == Extension::kNone && phi.getType()->isIntegerTy() && !phi.getType()->isIntegerTy(64)) return std::nullopt;
  Value* start = start_of(phi, [&](const Instruction& next) {
    return llvm::isa<llvm::GetElementPtrInst>(next) || (next.getOpcode() == Instruction::Add && extends(next, extension));
  });
  return start ? of(*start, extension, depth) : std::nullopt;
}

/// What `phi` of a loop around begins with, if all that it becomes in an iteration is a sum as `grows` wants it, of itself and what all lanes have alike.
Value* LaneSteps::start_of(llvm::PHINode& phi, llvm::function_ref<bool(const Instruction& next)> grows) const {
  const llvm::Loop* around = loops_.getLoopFor(phi.getParent());
  if (!around || around->getHeader() != phi.getParent() || !around->contains(&loop_) || !around->getLoopPredecessor()) return nullptr;
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    if (phi.getIncomingBlock(i) == around->getLoopPredecessor()) continue;
    auto* next = llvm::dyn_cast<Instruction>(phi.getIncomingValue(i));
    if (!next || !grows(*next) || next->getOperand(0) != &phi) return nullptr;
    for (Value* operand : llvm::drop_begin(next->operand_values()))
      if (operand == &phi || !is_same(*operand)) return nullptr;
  }
  return phi.getIncomingValueForBlock(around->getLoopPredecessor());
}

std::optional<LaneStep> LaneSteps::of_gep(Instruction& gep, unsigned depth) {
  const auto& address = llvm::cast<llvm::GEPOperator>(gep);
  const llvm::DataLayout& layout = gep.getModule()->getDataLayout();
  llvm::MapVector<Value*, llvm::APInt> variables;
  llvm::APInt constant(layout.getIndexTypeSizeInBits(gep.getType()), 0);
  if (constant.getBitWidth() != 64 || gep.getType()->isVectorTy() || !address.collectOffset(layout, 64, variables, constant)) return std::nullopt;
  auto sum = of(*gep.getOperand(0), Extension::kNone, depth);
  for (const auto& [index, scale] : variables) {
    const auto step = sum && index->getType()->isIntegerTy(64) && scale.getSignificantBits() <= 24 ? of(*index, Extension::kNone, depth) : std::nullopt;
    if (!step) return std::nullopt;
    add_to(*sum, *step, scale.getSExtValue());
  }
  return sum;
}

}  // namespace weft::compiler::simt
