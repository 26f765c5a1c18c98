#include "compiler/simt/item/whole_coordinates.h"

#include <cmath>
#include <cstddef>

#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/primitives.h"
#include "device/kernel_abi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

namespace weft::compiler::simt {
namespace {

using llvm::Value;

constexpr std::int64_t kSmall = 1 << 16;      ///< integers beside the first
constexpr std::int64_t kRoom = 1 << 20;       ///< what a sum adds to the first at most
constexpr unsigned kMostTerms = 8, kDeepestCoordinate = 16;

/// An integer that the program converts to a float, or null.
Value* converted_integer(Value& value) {
  auto* cast = llvm::dyn_cast<llvm::CastInst>(&value);
  if (!cast || !cast->getType()->isFloatTy() || !cast->getOperand(0)->getType()->isIntegerTy(32)) return nullptr;
  const bool is_signed = cast->getOpcode() == llvm::Instruction::SIToFP;
  const bool is_positive = cast->getOpcode() == llvm::Instruction::UIToFP && cast->hasNonNeg();
  return is_signed || is_positive ? cast->getOperand(0) : nullptr;
}

/// A number as integers, added or subtracted, and a constant.
struct CoordinateSum {
  llvm::SmallVector<std::pair<Value*, bool>, kMostTerms> terms;  ///< and whether it is subtracted
  double constant = 0;
};

bool add_up(Value& value, bool negative, CoordinateSum& sum, unsigned depth = 0) {
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantFP>(&value)) {
    const double number = constant->getValueAPF().convertToFloat();
    if (!(std::fabs(number) < kSmall) || number * 2 != std::floor(number * 2)) return false;
    sum.constant += negative ? -number : number;
    return true;
  }
  if (Value* integer = converted_integer(value)) {
    sum.terms.emplace_back(integer, negative);
    return sum.terms.size() <= kMostTerms;
  }
  const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  if (!operation || depth == kDeepestCoordinate || !operation->getType()->isFloatTy()) return false;
  const bool is_sub = operation->getOpcode() == llvm::Instruction::FSub;
  if (!is_sub && operation->getOpcode() != llvm::Instruction::FAdd) return false;
  return add_up(*operation->getOperand(0), negative, sum, depth + 1) &&
         add_up(*operation->getOperand(1), negative != is_sub, sum, depth + 1);
}

class WholeNumbers {
 public:
  WholeNumbers(bool ids_fit_31_bits, llvm::ScalarEvolution& evolution) : ids_fit_31_bits_(ids_fit_31_bits), evolution_(evolution) {}

  /// The integer that `value`, a bounded floor, is; null if it is none or need not be exact.
  Value* bounded(Value& value, llvm::IRBuilder<>& builder) {
    // Both bounds: a number that is not exact is outside of both.
    is_bounded_below_ = is_bounded_above_ = false;
    has_floor_ = false;
    if (!can_be_whole(value, 0) || !has_floor_ || !is_bounded_below_ || !is_bounded_above_) return nullptr;
    return whole(value, builder);
  }

  /// The integer that the floor of `value` is; null if it need not be exact.
  Value* floor_of(Value& value, llvm::IRBuilder<>& builder) {
    CoordinateSum sum;
    return is_exact(value, sum) ? total_of(sum, builder) : nullptr;
  }

 private:
  llvm::ConstantRange range(Value& integer) { return evolution_.getSignedRange(evolution_.getSCEV(&integer)); }

  bool is_within(Value& integer, std::int64_t limit) {
    const llvm::ConstantRange found = range(integer);
    return !found.isEmptySet() && found.getSignedMin().sge(-limit) && found.getSignedMax().sle(limit);
  }

  bool is_global_id(Value& integer) const {
    const auto* cast = llvm::dyn_cast<llvm::TruncInst>(&integer);
    return ids_fit_31_bits_ && called_name(cast ? *cast->getOperand(0) : integer).starts_with(primitive::kGlobalId);
  }

  bool is_exact(Value& value, CoordinateSum& sum) {
    if (!add_up(value, false, sum)) return false;
    unsigned large = 0;
    for (const auto& [integer, negative] : sum.terms) {
      if (is_within(*integer, kSmall)) continue;
      if (++large > 1 || !(is_global_id(*integer) || is_within(*integer, std::int64_t{INT32_MAX} - kRoom))) return false;
    }
    return std::fabs(sum.constant) <= kSmall;
  }

  /// `value` is the lesser (or greater) of two, or null.
  static const llvm::FCmpInst* choice(const llvm::SelectInst& select, bool& is_least) {
    const auto* compare = llvm::dyn_cast<llvm::FCmpInst>(select.getCondition());
    if (!compare || compare->getOperand(0) != select.getTrueValue() || compare->getOperand(1) != select.getFalseValue()) return nullptr;
    const auto predicate = compare->getPredicate();
    is_least = predicate == llvm::CmpInst::FCMP_OLT || predicate == llvm::CmpInst::FCMP_ULT;
    const bool is_most = predicate == llvm::CmpInst::FCMP_OGT || predicate == llvm::CmpInst::FCMP_UGT;
    return is_least || is_most ? compare : nullptr;
  }

  static Value* floored(Value& value) {
    auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&value);
    return call && call->getIntrinsicID() == llvm::Intrinsic::floor && call->getType()->isFloatTy() ? call->getArgOperand(0) : nullptr;
  }

  static bool whole_constant(const Value& value, std::int64_t& number) {
    const auto* constant = llvm::dyn_cast<llvm::ConstantFP>(&value);
    if (!constant || !constant->getType()->isFloatTy()) return false;
    const double exact = constant->getValueAPF().convertToFloat();
    if (!(std::fabs(exact) <= kSmall) || exact != std::floor(exact)) return false;
    number = static_cast<std::int64_t>(exact);
    return true;
  }

  /// An image's size, or a little less: a bound.
  bool is_size(Value& value) {
    std::int64_t number = 0;
    if (auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(&value); sum && sum->getOpcode() == llvm::Instruction::FAdd)
      return whole_constant(*sum->getOperand(1), number) && is_size(*sum->getOperand(0));
    Value* integer = converted_integer(value);
    return integer && is_size_of_rows(*integer);
  }

  /// A number in the descriptor of an image that has rows: of any other, a buffer's, none knows how long it is.
  static bool is_size_of_rows(const Value& value) {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&value);
    if (!load || !load->hasMetadata(llvm::LLVMContext::MD_invariant_load)) return false;
    const Value* descriptor = field(*load->getPointerOperand(), {offsetof(abi::ImageLevel, width), offsetof(abi::ImageLevel, height), offsetof(abi::ImageLevel, depth)});
    return descriptor && llvm::any_of(descriptor->users(), [](const llvm::User* user) { return field(*user, {offsetof(abi::ImageLevel, row_pitch)}); });
  }

  /// What `pointer` points into, by one of `offsets`; or null.
  static const Value* field(const Value& pointer, std::initializer_list<std::size_t> offsets) {
    const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&pointer);
    if (!gep || gep->getPointerAddressSpace() != kConstantSpace || gep->getNumIndices() != 1 || !gep->getSourceElementType()->isIntegerTy(8)) return nullptr;
    const auto* offset = llvm::dyn_cast<llvm::ConstantInt>(gep->getOperand(1));
    return offset && llvm::is_contained(offsets, offset->getZExtValue()) ? gep->getPointerOperand() : nullptr;
  }

  bool can_be_whole(Value& value, unsigned depth) {
    std::int64_t number = 0;
    if (Value* inner = floored(value)) {
      CoordinateSum sum;
      has_floor_ = true;
      return is_exact(*inner, sum);
    }
    auto* select = llvm::dyn_cast<llvm::SelectInst>(&value);
    bool is_least = false;
    if (!select || depth == 2 || !choice(*select, is_least) || !can_be_whole(*select->getTrueValue(), depth + 1)) return false;
    Value& bound = *select->getFalseValue();
    if (is_least) {
      is_bounded_above_ = true;
      return is_size(bound);
    }
    is_bounded_below_ = true;
    return whole_constant(bound, number) && number <= 0;
  }

  Value* total_of(CoordinateSum& sum, llvm::IRBuilder<>& builder) {
    llvm::Type* type = builder.getInt32Ty();
    // The large one first, so that each partial sum is near it.
    llvm::stable_sort(sum.terms, [&](const auto& a, const auto& b) { return !is_within(*a.first, kSmall) && is_within(*b.first, kSmall); });
    Value* total = nullptr;
    for (const auto& [integer, negative] : sum.terms) {
      if (!total)
        total = negative ? builder.CreateNSWSub(llvm::ConstantInt::get(type, 0), integer) : integer;
      else
        total = negative ? builder.CreateNSWSub(total, integer) : builder.CreateNSWAdd(total, integer);
    }
    auto* constant = llvm::ConstantInt::getSigned(type, static_cast<std::int64_t>(std::floor(sum.constant)));
    return total ? builder.CreateNSWAdd(total, constant) : constant;
  }

  Value* whole(Value& value, llvm::IRBuilder<>& builder) {
    llvm::Type* type = builder.getInt32Ty();
    std::int64_t number = 0;
    if (whole_constant(value, number)) return llvm::ConstantInt::getSigned(type, number);
    if (Value* integer = converted_integer(value)) return integer;
    if (Value* inner = floored(value)) {
      CoordinateSum sum;
      is_exact(*inner, sum);
      return total_of(sum, builder);
    }
    if (auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(&value))
      return builder.CreateNSWAdd(whole(*sum->getOperand(0), builder), whole(*sum->getOperand(1), builder));
    auto& select = llvm::cast<llvm::SelectInst>(value);
    bool is_least = false;
    choice(select, is_least);
    return builder.CreateBinaryIntrinsic(is_least ? llvm::Intrinsic::smin : llvm::Intrinsic::smax,
                                         whole(*select.getTrueValue(), builder), whole(*select.getFalseValue(), builder));
  }

  const bool ids_fit_31_bits_;
  llvm::ScalarEvolution& evolution_;
  bool is_bounded_below_ = false, is_bounded_above_ = false, has_floor_ = false;
};

}  // namespace

bool make_coordinates_whole(llvm::Function& item, bool ids_fit_31_bits, llvm::ScalarEvolution& evolution) {
  llvm::SmallVector<llvm::CastInst*, 16> conversions;
  for (llvm::Instruction& instruction : llvm::instructions(item))
    if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction);
        cast && cast->getOpcode() == llvm::Instruction::FPToSI && cast->getType()->isIntegerTy(32) && cast->getSrcTy()->isFloatTy())
      conversions.push_back(cast);
  WholeNumbers numbers(ids_fit_31_bits, evolution);
  llvm::SmallVector<llvm::WeakTrackingVH, 16> unused;
  for (llvm::CastInst* cast : conversions) {
    llvm::IRBuilder<> builder(cast);
    Value* number = numbers.bounded(*cast->getOperand(0), builder);
    if (!number) continue;
    cast->replaceAllUsesWith(number);
    unused.emplace_back(cast);
  }
  const bool changed = !unused.empty();
  llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(unused);
  return changed;
}

Value* whole_coordinate(Value& coordinate, bool ids_fit_31_bits, llvm::ScalarEvolution& evolution, llvm::IRBuilder<>& builder) {
  return WholeNumbers(ids_fit_31_bits, evolution).floor_of(coordinate, builder);
}

}  // namespace weft::compiler::simt
