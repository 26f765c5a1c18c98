#include "compiler/wide/narrow_arithmetic.h"

#include <cmath>

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

namespace weft::compiler::wide {
namespace {

using llvm::Instruction;
using llvm::Value;

constexpr unsigned kNarrowBits = 16;
/// Fewer elements leave room in a register anyway.
constexpr unsigned kFewestElements = 8;

/// The integers that a vector's elements are.
struct Range {
  std::int64_t least = 0;
  std::int64_t greatest = 0;
  bool minus_zero = false;  ///< of floats: zero may have a sign

  bool is_signed() const { return least < 0; }
  bool fits() const { return least >= -32768 && greatest <= (is_signed() ? 32767 : 65535); }
  /// Whether the elements' own type holds it exactly.
  bool fits(const llvm::Type& element) const {
    const std::int64_t most = element.isFloatTy() ? std::int64_t{1} << 24 : std::int64_t{1} << (element.getIntegerBitWidth() - 1);
    return least >= -most && greatest < most;
  }
};

/// Whether both may be compared as signed numbers, which most processors do faster.
bool are_signed(const Range& a, const Range& b) { return a.greatest <= 32767 && b.greatest <= 32767; }

Range product(const Range& a, const Range& b) {
  const std::int64_t corners[] = {a.least * b.least, a.least * b.greatest, a.greatest * b.least, a.greatest * b.greatest};
  const bool zero = (a.least <= 0 && a.greatest >= 0) || (b.least <= 0 && b.greatest >= 0);
  return {*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4), zero && (a.is_signed() || b.is_signed() || a.minus_zero || b.minus_zero)};
}
Range sum(const Range& a, const Range& b) { return {a.least + b.least, a.greatest + b.greatest, a.minus_zero && b.minus_zero}; }
Range negated(const Range& a) { return {-a.greatest, -a.least, a.least <= 0 && a.greatest >= 0}; }
Range difference(const Range& a, const Range& b) { return {a.least - b.greatest, a.greatest - b.least, a.minus_zero}; }
Range either(const Range& a, const Range& b) {
  return {std::min(a.least, b.least), std::max(a.greatest, b.greatest), a.minus_zero || b.minus_zero};
}

bool is_wide(const llvm::Type& type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type);
  return vector && vector->getNumElements() >= kFewestElements && (vector->getElementType()->isIntegerTy(32) || vector->getElementType()->isFloatTy());
}

/// The number of which `value` is a splat, if it is an integer.
std::optional<std::int64_t> constant_of(const Value& value) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(&value);
  const llvm::Constant* splat = constant && constant->getType()->isVectorTy() ? constant->getSplatValue() : nullptr;
  if (const auto* integer = llvm::dyn_cast_or_null<llvm::ConstantInt>(splat); integer && integer->getBitWidth() <= 32) return integer->getSExtValue();
  const auto* real = llvm::dyn_cast_or_null<llvm::ConstantFP>(splat);
  if (!real || !real->getType()->isFloatTy()) return std::nullopt;
  const float number = real->getValueAPF().convertToFloat();
  if (!(std::fabs(number) < 0x1p24f) || number != std::trunc(number) || (number == 0 && std::signbit(number))) return std::nullopt;
  return static_cast<std::int64_t>(number);
}

/// The conversion of elements of at most 16 bits, or of one number for all, that `value` is; null if it is none. Truth values are none.
const Instruction* conversion_of(const Value& value) {
  const Value* number = llvm::getSplatValue(&value);
  if (!number) number = &value;
  if (!llvm::isa<llvm::ZExtInst, llvm::SExtInst, llvm::UIToFPInst, llvm::SIToFPInst>(number)) return nullptr;
  const auto* conversion = llvm::cast<Instruction>(number);
  const unsigned bits = conversion->getOperand(0)->getType()->getScalarSizeInBits();
  return bits == 8 || bits == kNarrowBits ? conversion : nullptr;
}
bool is_signed_conversion(const Instruction& conversion) { return llvm::isa<llvm::SExtInst, llvm::SIToFPInst>(conversion); }

class Narrowing {
 public:
  explicit Narrowing(llvm::Function& function) : function_(function) {}

  void run() {
    const llvm::ReversePostOrderTraversal<llvm::Function*> order(&function_);
    for (llvm::BasicBlock* block : order)
      for (Instruction& instruction : *block) learn(instruction);
    for (llvm::BasicBlock* block : order)
      for (Instruction& instruction : llvm::make_early_inc_range(*block)) use(instruction);
    for (const llvm::WeakVH& old : replaced_)
      if (old) llvm::RecursivelyDeleteTriviallyDeadInstructions(old);
  }

 private:
  /// What is done in 16 bits, and how often it takes two operands that vary.
  struct Fact {
    Range range;
    unsigned operations = 0;
  };

  std::optional<Range> range_of(const Value& value) const {
    if (const auto found = facts_.find(&value); found != facts_.end()) return found->second.range;
    if (const auto number = constant_of(value)) return Range{*number, *number};
    return std::nullopt;
  }
  bool is_narrow(const Value& value) const {
    const auto range = range_of(value);
    return range && range->fits();
  }
  void learn(Instruction& instruction);
  std::optional<Range> result(const Instruction& instruction) const;

  Value* narrow(Value& value);
  Value* make_narrow(Instruction& instruction, llvm::IRBuilder<>& builder);
  void use(Instruction& instruction);
  bool is_worth_it(const Value& value) const {
    const auto found = facts_.find(&value);
    return found != facts_.end() && found->second.operations >= 2;
  }
  bool stays_narrow(const llvm::User& user) const;
  bool can_compare(const llvm::CmpInst& comparison) const;

  llvm::Function& function_;
  llvm::DenseMap<const Value*, Fact> facts_;
  llvm::DenseMap<const Value*, Value*> narrow_;
  llvm::SmallVector<llvm::WeakVH, 32> replaced_;
};

void Narrowing::learn(Instruction& instruction) {
  if (!is_wide(*instruction.getType())) return;
  const auto range = result(instruction);
  if (!range || !range->fits(*instruction.getType()->getScalarType()) || !range->fits()) return;
  Fact fact{*range};
  unsigned varying = 0;
  for (const llvm::Use& operand : instruction.operands())
    if (const auto found = facts_.find(operand.get()); found != facts_.end()) {
      fact.operations = std::min(fact.operations + found->second.operations, 1000u);
      ++varying;
    }
  fact.operations += varying >= 2;
  facts_[&instruction] = fact;
}

/// The range of what is done in 16 bits with operands that are there, if anything is known of it.
std::optional<Range> Narrowing::result(const Instruction& instruction) const {
  if (const Instruction* conversion = conversion_of(instruction)) {
    const unsigned bits = conversion->getOperand(0)->getType()->getScalarSizeInBits();
    return is_signed_conversion(*conversion) ? Range{-(1 << (bits - 1)), (1 << (bits - 1)) - 1} : Range{0, (1 << bits) - 1};
  }
  llvm::SmallVector<Range, 3> in;
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  const bool is_select = llvm::isa<llvm::SelectInst>(instruction);
  for (const llvm::Use& operand : call ? call->args() : instruction.operands()) {
    if (is_select && operand.getOperandNo() == 0) continue;
    if (call && operand->getType()->isIntegerTy(1)) continue;
    const auto range = range_of(*operand);
    if (!range || !range->fits()) return std::nullopt;
    in.push_back(*range);
  }
  const auto count = instruction.getNumOperands() == 2 ? constant_of(*instruction.getOperand(1)) : std::nullopt;
  const bool is_shift = count && *count >= 0 && *count < kNarrowBits;
  switch (instruction.getOpcode()) {
    case Instruction::Add:
    case Instruction::FAdd: return sum(in[0], in[1]);
    case Instruction::Sub:
    case Instruction::FSub: return difference(in[0], in[1]);
    case Instruction::Mul:
    case Instruction::FMul: return product(in[0], in[1]);
    case Instruction::FNeg: return negated(in[0]);
    case Instruction::Shl: return is_shift ? std::optional(product(in[0], {1 << *count, 1 << *count})) : std::nullopt;
    case Instruction::LShr:
      if (in[0].is_signed()) return std::nullopt;
      [[fallthrough]];
    case Instruction::AShr: return is_shift ? std::optional(Range{in[0].least >> *count, in[0].greatest >> *count}) : std::nullopt;
    case Instruction::And:
      return !in[1].is_signed() && in[1].least == in[1].greatest ? std::optional(Range{0, in[1].greatest}) : std::nullopt;
    case Instruction::Select: return instruction.getOperand(0)->getType()->isVectorTy() ? std::optional(either(in[0], in[1])) : std::nullopt;
    case Instruction::UIToFP:
      if (in[0].is_signed()) return std::nullopt;
      [[fallthrough]];
    case Instruction::SIToFP: return in[0];
    case Instruction::FPToUI:
      if (in[0].is_signed()) return std::nullopt;
      [[fallthrough]];
    case Instruction::FPToSI: return in[0];
    case Instruction::Call: break;
    default: return std::nullopt;
  }
  if (!call) return std::nullopt;
  const bool is_signed = llvm::any_of(in, [](const Range& range) { return range.is_signed(); });
  switch (call->getIntrinsicID()) {
    case llvm::Intrinsic::fma:
    case llvm::Intrinsic::fmuladd: {
      const Range times = product(in[0], in[1]);
      return times.fits() ? std::optional(sum(times, in[2])) : std::nullopt;
    }
    case llvm::Intrinsic::umin:
    case llvm::Intrinsic::umax:
      if (is_signed) return std::nullopt;
      [[fallthrough]];
    case llvm::Intrinsic::smin:
    case llvm::Intrinsic::smax: {
      if (is_signed && !are_signed(in[0], in[1])) return std::nullopt;
      const bool least = call->getIntrinsicID() == llvm::Intrinsic::umin || call->getIntrinsicID() == llvm::Intrinsic::smin;
      auto chosen = [&](std::int64_t a, std::int64_t b) { return least ? std::min(a, b) : std::max(a, b); };
      return Range{chosen(in[0].least, in[1].least), chosen(in[0].greatest, in[1].greatest)};
    }
    case llvm::Intrinsic::abs:
    case llvm::Intrinsic::fabs:
      if (!in[0].is_signed()) return in[0];
      return Range{0, std::max(-in[0].least, in[0].greatest)};
    default: return std::nullopt;
  }
}

bool Narrowing::can_compare(const llvm::CmpInst& comparison) const {
  if (!comparison.getType()->isVectorTy()) return false;
  const auto a = range_of(*comparison.getOperand(0)), b = range_of(*comparison.getOperand(1));
  if (!a || !b || !a->fits() || !b->fits()) return false;
  if ((a->is_signed() || b->is_signed()) && !are_signed(*a, *b)) return false;
  // An unsigned comparison of negative numbers is of what they are in 32 bits.
  if (comparison.isUnsigned() && (a->is_signed() || b->is_signed())) return false;
  return !comparison.isFPPredicate() || (comparison.getPredicate() != llvm::CmpInst::FCMP_ORD && comparison.getPredicate() != llvm::CmpInst::FCMP_UNO &&
                                         comparison.getPredicate() != llvm::CmpInst::FCMP_TRUE && comparison.getPredicate() != llvm::CmpInst::FCMP_FALSE);
}

/// Whether `user` needs of a narrow operand no more than 16 bits.
bool Narrowing::stays_narrow(const llvm::User& user) const {
  if (facts_.contains(&user)) return true;
  if (const auto* comparison = llvm::dyn_cast<llvm::CmpInst>(&user)) return can_compare(*comparison);
  return llvm::isa<llvm::TruncInst, llvm::FPToUIInst, llvm::FPToSIInst>(user) && user.getType()->getScalarSizeInBits() <= kNarrowBits;
}

Value* Narrowing::narrow(Value& value) {
  auto* type = llvm::VectorType::getInteger(llvm::cast<llvm::VectorType>(value.getType()))->getWithNewBitWidth(kNarrowBits);
  if (const auto number = constant_of(value)) return llvm::ConstantInt::get(type, static_cast<std::uint64_t>(*number), true);
  Value*& made = narrow_[&value];
  if (made) return made;
  auto& instruction = llvm::cast<Instruction>(value);
  llvm::IRBuilder<> builder(&instruction);
  Value* result = make_narrow(instruction, builder);
  return narrow_[&value] = result;  // the reference may have moved
}

Value* Narrowing::make_narrow(Instruction& instruction, llvm::IRBuilder<>& builder) {
  auto* type = llvm::VectorType::getInteger(llvm::cast<llvm::VectorType>(instruction.getType()))->getWithNewBitWidth(kNarrowBits);
  auto operand = [&](unsigned i) { return narrow(*instruction.getOperand(i)); };
  auto in = [&](unsigned i) { return *range_of(*instruction.getOperand(i)); };
  if (const Instruction* conversion = conversion_of(instruction)) {
    Value* part = conversion->getOperand(0);
    llvm::Type* narrowed = part->getType()->isVectorTy() ? type : type->getScalarType();
    part = is_signed_conversion(*conversion) ? builder.CreateSExt(part, narrowed) : builder.CreateZExt(part, narrowed);
    return part->getType()->isVectorTy() ? part : builder.CreateVectorSplat(llvm::cast<llvm::VectorType>(type)->getElementCount(), part);
  }
  switch (instruction.getOpcode()) {
    case Instruction::Add:
    case Instruction::FAdd: return builder.CreateAdd(operand(0), operand(1));
    case Instruction::Sub:
    case Instruction::FSub: return builder.CreateSub(operand(0), operand(1));
    case Instruction::Mul:
    case Instruction::FMul: return builder.CreateMul(operand(0), operand(1));
    case Instruction::FNeg: return builder.CreateNeg(operand(0));
    case Instruction::Shl: return builder.CreateShl(operand(0), operand(1));
    case Instruction::LShr: return builder.CreateLShr(operand(0), operand(1));
    case Instruction::AShr: return in(0).is_signed() ? builder.CreateAShr(operand(0), operand(1)) : builder.CreateLShr(operand(0), operand(1));
    case Instruction::And: return builder.CreateAnd(operand(0), operand(1));
    case Instruction::Select: return builder.CreateSelect(instruction.getOperand(0), operand(1), operand(2));
    case Instruction::UIToFP:
    case Instruction::SIToFP:
    case Instruction::FPToUI:
    case Instruction::FPToSI: return operand(0);
    default: break;
  }
  const llvm::Intrinsic::ID id = llvm::cast<llvm::IntrinsicInst>(instruction).getIntrinsicID();
  switch (id) {
    case llvm::Intrinsic::fma:
    case llvm::Intrinsic::fmuladd: return builder.CreateAdd(builder.CreateMul(operand(0), operand(1)), operand(2));
    case llvm::Intrinsic::abs:
    case llvm::Intrinsic::fabs:
      return in(0).is_signed() ? builder.CreateBinaryIntrinsic(llvm::Intrinsic::abs, operand(0), builder.getFalse()) : operand(0);
    case llvm::Intrinsic::umin:
    case llvm::Intrinsic::smin:
      return builder.CreateBinaryIntrinsic(are_signed(in(0), in(1)) ? llvm::Intrinsic::smin : llvm::Intrinsic::umin, operand(0), operand(1));
    default: return builder.CreateBinaryIntrinsic(are_signed(in(0), in(1)) ? llvm::Intrinsic::smax : llvm::Intrinsic::umax, operand(0), operand(1));
  }
}

/// Gives what is known of `instruction`, or of its operands, to the users that need it in another form.
void Narrowing::use(Instruction& instruction) {
  llvm::IRBuilder<> builder(&instruction);
  Value* made = nullptr;
  if (auto* comparison = llvm::dyn_cast<llvm::CmpInst>(&instruction)) {
    if (!can_compare(*comparison) || !(is_worth_it(*comparison->getOperand(0)) || is_worth_it(*comparison->getOperand(1)))) return;
    const bool is_signed = are_signed(*range_of(*comparison->getOperand(0)), *range_of(*comparison->getOperand(1)));
    llvm::CmpInst::Predicate predicate = comparison->getPredicate();
    switch (predicate) {
      case llvm::CmpInst::FCMP_OEQ: case llvm::CmpInst::FCMP_UEQ: predicate = llvm::CmpInst::ICMP_EQ; break;
      case llvm::CmpInst::FCMP_ONE: case llvm::CmpInst::FCMP_UNE: predicate = llvm::CmpInst::ICMP_NE; break;
      case llvm::CmpInst::FCMP_OLT: case llvm::CmpInst::FCMP_ULT: predicate = llvm::CmpInst::ICMP_SLT; break;
      case llvm::CmpInst::FCMP_OLE: case llvm::CmpInst::FCMP_ULE: predicate = llvm::CmpInst::ICMP_SLE; break;
      case llvm::CmpInst::FCMP_OGT: case llvm::CmpInst::FCMP_UGT: predicate = llvm::CmpInst::ICMP_SGT; break;
      case llvm::CmpInst::FCMP_OGE: case llvm::CmpInst::FCMP_UGE: predicate = llvm::CmpInst::ICMP_SGE; break;
      default: break;
    }
    if (!llvm::ICmpInst::isEquality(predicate))
      predicate = is_signed ? llvm::ICmpInst::getSignedPredicate(predicate) : llvm::ICmpInst::getUnsignedPredicate(predicate);
    made = builder.CreateICmp(predicate, narrow(*comparison->getOperand(0)), narrow(*comparison->getOperand(1)));
  } else if (llvm::isa<llvm::TruncInst, llvm::FPToUIInst, llvm::FPToSIInst>(instruction) && instruction.getType()->isVectorTy() &&
             instruction.getType()->getScalarSizeInBits() <= kNarrowBits) {
    // One operation is enough: it is halved, and nothing is extended again.
    if (const auto found = facts_.find(instruction.getOperand(0)); found == facts_.end() || found->second.operations == 0) return;
    made = builder.CreateTrunc(narrow(*instruction.getOperand(0)), instruction.getType());
  } else {
    const auto found = facts_.find(&instruction);
    if (found == facts_.end() || conversion_of(instruction) || !is_worth_it(instruction)) return;
    const Range& range = found->second.range;
    const bool is_float = instruction.getType()->getScalarType()->isFloatTy();
    if (is_float && range.minus_zero) return;
    llvm::SmallVector<llvm::Use*, 4> wide;
    for (llvm::Use& use : instruction.uses())
      if (!stays_narrow(*use.getUser())) wide.push_back(&use);
    if (wide.empty()) return;
    builder.SetInsertPoint(*instruction.getInsertionPointAfterDef());
    auto* words = llvm::VectorType::getInteger(llvm::cast<llvm::VectorType>(instruction.getType()));
    Value* bits = narrow(instruction);
    made = range.is_signed() ? builder.CreateSExt(bits, words) : builder.CreateZExt(bits, words);
    if (is_float) made = builder.CreateSIToFP(made, instruction.getType());
    for (llvm::Use* use : wide) use->set(made);
    replaced_.emplace_back(&instruction);
    return;
  }
  instruction.replaceAllUsesWith(made);
  replaced_.emplace_back(&instruction);
}

}  // namespace

void narrow_arithmetic(llvm::Function& function) { Narrowing(function).run(); }

}  // namespace weft::compiler::wide
