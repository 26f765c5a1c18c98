#include "compiler/linker/constant_powers.h"

#include <cmath>
#include <limits>
#include <optional>

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace weft::compiler::linker {
namespace {

using llvm::Value;

/// Twice the largest exponent that is written out: seven roundings of products and one of each factor's quotient.
constexpr int kMostHalves = 16;

enum class Power { kNone, kPow, kPowr, kPown };

Power power_of(llvm::StringRef name) {
  if (name.starts_with("_Z3pow")) return Power::kPow;
  if (name.starts_with("_Z4powr")) return Power::kPowr;
  return name.starts_with("_Z4pown") ? Power::kPown : Power::kNone;
}

/// Twice the exponent, if `exponent` is one number of those that are written out.
std::optional<int> halves_of(const Value& exponent) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(&exponent);
  if (constant && constant->getType()->isVectorTy()) constant = constant->getSplatValue();
  double twice = 0;
  if (const auto* number = llvm::dyn_cast_or_null<llvm::ConstantFP>(constant)) {
    if (!number->getType()->isFloatTy() && !number->getType()->isDoubleTy()) return std::nullopt;
    twice = 2 * number->getValueAPF().convertToDouble();
  } else if (const auto* integer = llvm::dyn_cast_or_null<llvm::ConstantInt>(constant)) {
    twice = 2.0 * static_cast<double>(integer->getSExtValue());
  }
  if (twice == 0 || !(std::abs(twice) <= kMostHalves) || twice != std::floor(twice)) return std::nullopt;
  return static_cast<int>(twice);
}

class Writer {
 public:
  Writer(llvm::IRBuilder<>& builder, llvm::Type* type) : builder_(builder), type_(type) {}

  /// x^(halves / 2) as pow has it.
  Value* power(Value* x, int halves) {
    const int count = std::abs(halves);
    // A root's reciprocal: that of a denormal number is infinite, of its root not.
    if (halves == -1) return builder_.CreateSelect(is_minus_infinity(x), number(0), builder_.CreateFDiv(number(1), root(x)));
    Value* base = halves < 0 ? builder_.CreateFDiv(number(1), x) : x;
    if (count % 2 == 0) return whole_power(base, count / 2);
    Value* result = count == 1 ? root(base) : builder_.CreateFAdd(builder_.CreateFMul(whole_power(base, count / 2), root(base)), number(0));
    // Of -infinity, or the reciprocal of -0, not that of a negative denormal number.
    return builder_.CreateSelect(halves < 0 ? builder_.CreateFCmpOEQ(x, number(0)) : is_minus_infinity(x),
                                 number(std::numeric_limits<double>::infinity()), result);
  }

  /// The same as powr has it: NaN of negative numbers.
  Value* powr(Value* x, int halves) {
    Value* result = power(builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x), halves);
    return builder_.CreateSelect(builder_.CreateFCmpOGE(x, number(0)), result, llvm::ConstantFP::getNaN(type_));
  }

 private:
  Value* number(double value) { return llvm::ConstantFP::get(type_, value); }
  Value* is_minus_infinity(Value* x) { return builder_.CreateFCmpOEQ(x, number(-std::numeric_limits<double>::infinity())); }
  /// 0 of -0.
  Value* root(Value* x) { return builder_.CreateFAdd(builder_.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, x), number(0)); }

  Value* whole_power(Value* x, int exponent) {
    Value* result = nullptr;
    for (Value* square = x;; square = builder_.CreateFMul(square, square)) {
      if (exponent & 1) result = result ? builder_.CreateFMul(result, square) : square;
      exponent >>= 1;
      if (!exponent) return result;
    }
  }

  llvm::IRBuilder<>& builder_;
  llvm::Type* const type_;
};

}  // namespace

void write_out_constant_powers(llvm::Module& module) {
  for (llvm::Function& function : module) {
    const Power power = power_of(function.getName());
    if (power == Power::kNone || !function.isDeclaration()) continue;
    llvm::Type* type = function.getReturnType()->getScalarType();
    if (!(type->isFloatTy() || type->isDoubleTy()) || function.arg_size() != 2 || function.getArg(0)->getType() != function.getReturnType()) continue;
    for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(user);
      if (!call || call->getCalledOperand() != &function) continue;
      const auto halves = halves_of(*call->getArgOperand(1));
      if (!halves) continue;
      llvm::IRBuilder<> builder(call);
      llvm::FastMathFlags flags = call->getFastMathFlags();
      flags.setAllowContract(false);
      builder.setFastMathFlags(flags);
      Writer writer(builder, call->getType());
      Value* x = call->getArgOperand(0);
      Value* result = power == Power::kPowr ? writer.powr(x, *halves) : writer.power(x, *halves);
      call->replaceAllUsesWith(result);
      call->eraseFromParent();
    }
  }
}

}  // namespace weft::compiler::linker
