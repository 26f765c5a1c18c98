#include "compiler/simt/widen/float_parts.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>
#include <cmath>

#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/widen/reciprocal_root.h"

namespace weft::compiler::simt {
namespace {

using llvm::Intrinsic::ID;
using llvm::Value;

constexpr llvm::StringLiteral kTable = "__weft_float_table";

/// Of `float` and `double`, as math_each_type.h and math_core.h have them.
struct Format {
  explicit Format(const llvm::Type& type) : is_float(type.getScalarType()->isFloatTy()) {}
  bool is_float;
  unsigned bits() const { return is_float ? 32 : 64; }
  unsigned mantissa() const { return is_float ? 23 : 52; }
  std::uint64_t bias() const { return is_float ? 127 : 1023; }
  double low() const { return is_float ? 0x1.555556p-1 : 0x1.6a09e667f3bcdp-1; }
  double least_normal() const { return is_float ? 0x1p-126 : 0x1p-1022; }
};

class Maker {
 public:
  Maker(llvm::IRBuilderBase& builder, llvm::Type* type, unsigned vector_bits)
      : builder_(builder), type_(type), format_(*type), vector_bits_(type->isVectorTy() ? vector_bits : 0) {
    integer_ = builder.getIntNTy(format_.bits());
    if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
      integer_ = llvm::FixedVectorType::get(integer_, vector->getNumElements());
  }

  Value* scale(Value* p, Value* n, Value* u) {
    if (vector_bits_) return scaled(p, n);
    // Two steps, of which only the second rounds.
    Value* halved = builder_.CreateLShr(u, bits(1));
    const auto power = [&](Value* biased) { return as_number(builder_.CreateShl(biased, bits(format_.mantissa()))); };
    // p = x + 1 of an exponential: the same with one rounding, and a sum less to wait for.
    using namespace llvm::PatternMatch;
    Value* x = nullptr;
    Value* once = match(p, m_FAdd(m_Value(x), m_SpecificFP(1)))
                      ? builder_.CreateIntrinsic(llvm::Intrinsic::fmuladd, {p->getType()}, {x, power(halved), power(halved)})
                      : builder_.CreateFMul(p, power(halved));
    return builder_.CreateFMul(once, power(builder_.CreateSub(u, halved)));
  }

  Value* ldexp(Value* x, Value* n) {
    if (vector_bits_) return scaled(x, n);
    // Three steps. The first two keep a result above the denormals, or below all of them, so that the last alone rounds; beyond their reach
    // x is infinite or 0 already.
    const double most = static_cast<double>(format_.bias()), least = 1 - most, up = most, down = least + format_.mantissa() + 1;
    const auto power = [](double exponent) { return std::ldexp(1.0, static_cast<int>(exponent)); };
    for (int step = 0; step < 2; ++step) {
      const auto choose = [&](double above, double below, double within) {
        Value* otherwise = builder_.CreateSelect(builder_.CreateFCmpOLT(n, number(least)), number(below), number(within));
        return builder_.CreateSelect(builder_.CreateFCmpOGT(n, number(most)), number(above), otherwise);
      };
      x = builder_.CreateFMul(x, choose(power(up), power(down), 1));
      n = builder_.CreateFSub(n, choose(up, down, 0));
    }
    n = builder_.CreateSelect(builder_.CreateFCmpOGT(n, number(most)), number(most), n);
    n = builder_.CreateSelect(builder_.CreateFCmpOLT(n, number(least)), number(least), n);
    return builder_.CreateFMul(x, power_of(n));
  }

  Value* octave(Value* x) { return vector_bits_ ? exponent_of(x) : exponent_from(x, 1); }
  Value* unit(Value* x) { return vector_bits_ ? mantissa_of(x) : mantissa_from(x, 1); }

  Value* exponent(Value* x) {
    if (!vector_bits_) return exponent_from(x, format_.low());
    Value* e = exponent_of(x);
    return builder_.CreateSelect(is_long(mantissa_of(x)), builder_.CreateFAdd(e, number(1)), e);
  }

  Value* mantissa(Value* x) {
    if (!vector_bits_) return mantissa_from(x, format_.low());
    Value* m = mantissa_of(x);
    return builder_.CreateSelect(is_long(m), builder_.CreateFMul(m, number(0.5)), m);
  }

  Value* table(Value* place, llvm::ArrayRef<Value*> elements) {
    llvm::SmallVector<llvm::Constant*, 32> constants;
    for (Value* element : elements) {
      auto* constant = llvm::cast<llvm::Constant>(element);
      constants.push_back(constant->getType()->isVectorTy() ? constant->getSplatValue() : constant);
    }
    if (vector_bits_ != 512) return from_memory(place, constants);
    const llvm::ArrayRef<llvm::Constant*> all(constants);
    llvm::Constant* low = llvm::ConstantVector::get(all.take_front(all.size() / 2));
    llvm::Constant* high = llvm::ConstantVector::get(all.drop_front(all.size() / 2));
    return by_registers({as_number(place)}, [&](llvm::ArrayRef<Value*> operands, ID, ID wide) {
      auto* integers = llvm::VectorType::getInteger(llvm::cast<llvm::VectorType>(operands[0]->getType()));
      return builder_.CreateIntrinsic(wide, {}, {low, builder_.CreateBitCast(operands[0], integers), high});
    }, {}, llvm::Intrinsic::x86_avx512_vpermi2var_ps_512, {}, llvm::Intrinsic::x86_avx512_vpermi2var_pd_512);
  }

  Value* rest(Value* x) {
    if (vector_bits_) {
      constexpr unsigned kDown = 1;
      return by_registers({x}, [&](llvm::ArrayRef<Value*> operands, ID narrow, ID wide) {
        return call(narrow, wide, {operands[0], builder_.getInt32(kDown), zero(operands[0])});
      }, llvm::Intrinsic::x86_avx512_mask_reduce_ps_256, llvm::Intrinsic::x86_avx512_mask_reduce_ps_512,
         llvm::Intrinsic::x86_avx512_mask_reduce_pd_256, llvm::Intrinsic::x86_avx512_mask_reduce_pd_512);
    }
    Value* limited = in_range(x);
    return builder_.CreateFSub(limited, builder_.CreateUnaryIntrinsic(llvm::Intrinsic::floor, limited));
  }

  Value* raise(Value* p, Value* x) {
    if (vector_bits_) return scaled(p, x);  // it floors
    // A product of NaN is NaN whatever the power's bits are then.
    Value* raised = builder_.CreateFMul(p, power_of(builder_.CreateUnaryIntrinsic(llvm::Intrinsic::floor, in_range(x))));
    return builder_.CreateSelect(builder_.CreateFCmpOLT(x, number(-126)), number(0), raised);
  }

  Value* binade(Value* x) {
    if (vector_bits_) {
      Value *e = exponent_of(x), *is_above = builder_.CreateFCmpOLT(mantissa_of(x, kThreeQuartersOn), number(1));
      return builder_.CreateSelect(is_above, builder_.CreateFAdd(e, number(1)), e);
    }
    Value* e = builder_.CreateSIToFP(builder_.CreateAShr(from_three_quarters(x), bits(format_.mantissa())), type_);
    return builder_.CreateSelect(is_denormal(x), llvm::ConstantFP::getInfinity(type_, /*Negative=*/true), e);
  }

  Value* significand(Value* x) {
    if (vector_bits_) return mantissa_of(x, kThreeQuartersOn);
    Value* power = builder_.CreateAnd(from_three_quarters(x), bits(~((std::uint64_t{1} << format_.mantissa()) - 1)));
    return as_number(builder_.CreateSub(as_bits(x), power));
  }

  Value* root(Value* x) {
    if (!vector_bits_) return builder_.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, x);
    // One of Newton's steps for the root and for half of its inverse at once.
    llvm::Constant* least = number(format_.least_normal());
    Value* y = by_registers({builder_.CreateSelect(builder_.CreateFCmpOGT(x, least), x, least)},
                            [&](llvm::ArrayRef<Value*> x, ID, ID) { return reciprocal_root_estimate(builder_, x[0], vector_bits_); },
                            {}, {}, {}, {});
    Value* half = builder_.CreateFMul(y, number(0.5));
    Value* once = builder_.CreateFMul(x, y);
    Value* error = fma(builder_.CreateFNeg(once), half, number(0.5));
    return fma(once, error, once);
  }

  Value* reciprocal(Value* x) {
    if (!vector_bits_) return builder_.CreateFDiv(number(1), x);
    Value* y = by_registers({x}, [&](llvm::ArrayRef<Value*> operands, ID narrow, ID wide) {
      const unsigned lanes = llvm::cast<llvm::FixedVectorType>(operands[0]->getType())->getNumElements();
      return builder_.CreateIntrinsic(vector_bits_ == 512 ? wide : narrow, {},
                                      {operands[0], zero(operands[0]), llvm::Constant::getAllOnesValue(builder_.getIntNTy(std::max(8u, lanes)))});
    }, llvm::Intrinsic::x86_avx512_rcp14_ps_256, llvm::Intrinsic::x86_avx512_rcp14_ps_512, llvm::Intrinsic::x86_avx512_rcp14_pd_256,
       llvm::Intrinsic::x86_avx512_rcp14_pd_512);
    // One of Newton's steps. Where the estimate is right already, 0 or infinite, what it leaves is NaN or infinite.
    Value* error = fma(builder_.CreateFNeg(x), y, number(1));
    return builder_.CreateSelect(builder_.CreateFCmpOGT(error, number(-1)), fma(y, error, y), y);
  }

  Value* ends(Value* x, Value* y) {
    if (vector_bits_) return y;  // exponents and mantissas lead there
    const auto infinity = [&](bool negative) { return llvm::ConstantFP::getInfinity(type_, negative); };
    y = builder_.CreateSelect(builder_.CreateFCmpOEQ(x, infinity(false)), x, y);
    Value* end = builder_.CreateSelect(builder_.CreateFCmpOEQ(x, number(0)), infinity(true), llvm::ConstantFP::getNaN(type_));
    return builder_.CreateSelect(builder_.CreateFCmpOGT(x, number(0)), y, end);
  }

 private:
  llvm::Constant* number(double value) const { return llvm::ConstantFP::get(type_, value); }
  llvm::Constant* bits(std::uint64_t value) const { return llvm::ConstantInt::get(integer_, value); }
  Value* as_number(Value* value) { return builder_.CreateBitCast(value, type_); }
  Value* as_bits(Value* value) { return builder_.CreateBitCast(value, integer_); }
  static llvm::Constant* zero(Value* like) { return llvm::Constant::getNullValue(like->getType()); }

  /// -126 to 128. NaN stays what it is.
  Value* in_range(Value* x) {
    x = builder_.CreateSelect(builder_.CreateFCmpOLT(number(128), x), number(128), x);
    return builder_.CreateSelect(builder_.CreateFCmpOGT(number(-126), x), number(-126), x);
  }
  Value* fma(Value* a, Value* b, Value* c) { return builder_.CreateIntrinsic(llvm::Intrinsic::fma, {type_}, {a, b, c}); }

  // ---- by integers --------------------------------------------------------------------------------

  /// 2^n for an integer n with 1 - bias <= n <= bias + 1; some number of NaN.
  Value* power_of(Value* n) {
    // n + magic has the bits of n + bias, which are the power's exponent. A conversion would have to be one of NaN, too, and such a one is
    // scalar code for each lane on processors before AVX-512.
    const double magic = std::ldexp(1.5, static_cast<int>(format_.mantissa())) + static_cast<double>(format_.bias());
    return as_number(builder_.CreateShl(as_bits(builder_.CreateFAdd(n, number(magic))), bits(format_.mantissa())));
  }

  Value* is_denormal(Value* x) { return builder_.CreateFCmpOLT(x, number(format_.least_normal())); }

  /// e of x = m 2^e, low <= m < 2 low.
  Value* exponent_from(Value* x, double low) {
    // big + n has the bits big | n for a small n.
    const double big = std::ldexp(1.0, static_cast<int>(format_.mantissa()));
    Value* biased = builder_.CreateLShr(shifted(x, low), bits(format_.mantissa()));
    Value* sum = as_number(builder_.CreateOr(biased, as_bits(number(big))));
    const double bias = static_cast<double>(format_.bias());
    return builder_.CreateFSub(sum, builder_.CreateSelect(is_denormal(x), number(big + (bias + format_.mantissa())), number(big + bias)));
  }

  /// And m.
  Value* mantissa_from(Value* x, double low) {
    Value* fraction = builder_.CreateAnd(shifted(x, low), bits((std::uint64_t{1} << format_.mantissa()) - 1));
    return as_number(builder_.CreateAdd(fraction, as_bits(number(low))));
  }

  /// The bits of x, normalized, less what of `low` is beyond a power of two.
  Value* shifted(Value* x, double low) {
    Value* raised = builder_.CreateFMul(x, number(std::ldexp(1.0, static_cast<int>(format_.mantissa()))));
    Value* normal = as_bits(builder_.CreateSelect(is_denormal(x), raised, x));
    return builder_.CreateSub(normal, builder_.CreateSub(as_bits(number(low)), bits(format_.bias() << format_.mantissa())));
  }

  /// The exponent counted from 3/4 on, above bits of the mantissa.
  Value* from_three_quarters(Value* x) { return builder_.CreateSub(as_bits(x), as_bits(number(0.75))); }

  /// A table's elements, by loads.
  Value* from_memory(Value* place, llvm::ArrayRef<llvm::Constant*> elements) {
    llvm::Type* element = elements.front()->getType();
    auto* array = llvm::ConstantArray::get(llvm::ArrayType::get(element, elements.size()), elements);
    auto* table = new llvm::GlobalVariable(*builder_.GetInsertBlock()->getModule(), array->getType(), true, llvm::GlobalValue::PrivateLinkage, array,
                                           "table", nullptr, llvm::GlobalValue::NotThreadLocal, kConstantSpace);
    table->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
    Value* index = builder_.CreateAnd(place, bits(elements.size() - 1));
    const auto look_up = [&](Value* at) { return builder_.CreateLoad(element, builder_.CreateInBoundsGEP(element, table, at)); };
    auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type_);
    if (!vector) return look_up(index);
    Value* result = llvm::PoisonValue::get(type_);
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      result = builder_.CreateInsertElement(result, look_up(builder_.CreateExtractElement(index, i)), i);
    return result;
  }

  // ---- by AVX-512's instructions ------------------------------------------------------------------

  /// p 2^floor(n), rounded once.
  Value* scaled(Value* p, Value* n) {
    return by_registers({p, n}, [&](llvm::ArrayRef<Value*> operands, ID narrow, ID wide) {
      return call(narrow, wide, {operands[0], operands[1], zero(operands[0])});
    }, llvm::Intrinsic::x86_avx512_mask_scalef_ps_256, llvm::Intrinsic::x86_avx512_mask_scalef_ps_512,
       llvm::Intrinsic::x86_avx512_mask_scalef_pd_256, llvm::Intrinsic::x86_avx512_mask_scalef_pd_512);
  }

  /// 1 <= m < 2 is to be m / 2.
  Value* is_long(Value* m) { return builder_.CreateFCmpOGE(m, number(2 * format_.low())); }

  /// Infinite where x is 0 or infinite.
  Value* exponent_of(Value* x) {
    return by_registers({x}, [&](llvm::ArrayRef<Value*> operands, ID narrow, ID wide) {
      return call(narrow, wide, {operands[0], zero(operands[0])});
    }, llvm::Intrinsic::x86_avx512_mask_getexp_ps_256, llvm::Intrinsic::x86_avx512_mask_getexp_ps_512,
       llvm::Intrinsic::x86_avx512_mask_getexp_pd_256, llvm::Intrinsic::x86_avx512_mask_getexp_pd_512);
  }

  static constexpr unsigned kOneToTwo = 0, kThreeQuartersOn = 3;

  /// In [1, 2) or `interval`; 1 for 0, -0 and infinity; NaN for all else below 0.
  Value* mantissa_of(Value* x, unsigned interval = kOneToTwo) {
    constexpr unsigned kNoSignNorNegative = 0b11 << 2;
    return by_registers({x}, [&](llvm::ArrayRef<Value*> operands, ID narrow, ID wide) {
      return call(narrow, wide, {operands[0], builder_.getInt32(interval | kNoSignNorNegative), zero(operands[0])});
    }, llvm::Intrinsic::x86_avx512_mask_getmant_ps_256, llvm::Intrinsic::x86_avx512_mask_getmant_ps_512,
       llvm::Intrinsic::x86_avx512_mask_getmant_pd_256, llvm::Intrinsic::x86_avx512_mask_getmant_pd_512);
  }

  /// With all lanes on; rounding as everywhere.
  Value* call(ID narrow, ID wide, llvm::ArrayRef<Value*> operands) {
    constexpr unsigned kCurrentRounding = 4;
    const unsigned lanes = llvm::cast<llvm::FixedVectorType>(operands.front()->getType())->getNumElements();
    llvm::SmallVector<Value*, 6> arguments(operands);
    arguments.push_back(llvm::Constant::getAllOnesValue(builder_.getIntNTy(std::max(8u, lanes))));
    if (vector_bits_ == 512) arguments.push_back(builder_.getInt32(kCurrentRounding));
    return builder_.CreateIntrinsic(vector_bits_ == 512 ? wide : narrow, {}, arguments);
  }

  template <typename Make>
  Value* by_registers(llvm::ArrayRef<Value*> operands, Make make, ID float_narrow, ID float_wide, ID double_narrow, ID double_wide) {
    const unsigned lanes = llvm::cast<llvm::FixedVectorType>(type_)->getNumElements(), piece = vector_bits_ / format_.bits();
    llvm::SmallVector<Value*, 8> pieces;
    for (unsigned first = 0; first < lanes; first += piece) {
      // A register that the lanes do not fill has zeros behind them.
      llvm::SmallVector<int, 16> part;
      for (unsigned i = first; i < first + piece; ++i) part.push_back(static_cast<int>(std::min(i, lanes)));
      llvm::SmallVector<Value*, 2> parts;
      for (Value* operand : operands) parts.push_back(builder_.CreateShuffleVector(operand, zero(operand), part));
      pieces.push_back(format_.is_float ? make(parts, float_narrow, float_wide) : make(parts, double_narrow, double_wide));
    }
    Value* all = pieces.size() == 1 ? pieces.front() : llvm::concatenateVectors(builder_, pieces);
    if (lanes % piece == 0) return all;
    return builder_.CreateShuffleVector(all, llvm::to_vector<32>(llvm::seq<int>(0, static_cast<int>(lanes))));
  }

  llvm::IRBuilderBase& builder_;
  llvm::Type* type_;
  llvm::Type* integer_;
  Format format_;
  unsigned vector_bits_;
};

}  // namespace

Value* float_part(llvm::IRBuilderBase& builder, llvm::StringRef name, llvm::ArrayRef<Value*> arguments, unsigned vector_bits) {
  const bool is_table = name.consume_front(kTable);
  Maker maker(builder, arguments[is_table ? 1 : 0]->getType(), vector_bits);
  if (is_table) return maker.table(arguments.front(), arguments.drop_front());
  name.consume_front(primitive::kFloatPart);
  if (name.starts_with("octave_")) return maker.octave(arguments[0]);
  if (name.starts_with("unit_")) return maker.unit(arguments[0]);
  if (name.starts_with("rest_")) return maker.rest(arguments[0]);
  if (name.starts_with("raise_")) return maker.raise(arguments[0], arguments[1]);
  if (name.starts_with("binade_")) return maker.binade(arguments[0]);
  if (name.starts_with("significand_")) return maker.significand(arguments[0]);
  if (name.starts_with("root_")) return maker.root(arguments[0]);
  if (name.starts_with("reciprocal_")) return maker.reciprocal(arguments[0]);
  if (name.starts_with("ldexp_")) return maker.ldexp(arguments[0], arguments[1]);
  if (name.starts_with("scale_")) return maker.scale(arguments[0], arguments[1], arguments[2]);
  if (name.starts_with("exponent_")) return maker.exponent(arguments[0]);
  if (name.starts_with("mantissa_")) return maker.mantissa(arguments[0]);
  return maker.ends(arguments[0], arguments[1]);
}

void expand_float_parts(llvm::Module& module) {
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    if (!function.getName().starts_with(primitive::kFloatPart)) continue;
    for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
      auto* call = llvm::cast<llvm::CallInst>(user);
      llvm::IRBuilder<> builder(call);
      const llvm::SmallVector<Value*, 3> arguments(call->args());
      call->replaceAllUsesWith(float_part(builder, function.getName(), arguments, 0));
      call->eraseFromParent();
    }
    function.eraseFromParent();
  }
}

}  // namespace weft::compiler::simt
