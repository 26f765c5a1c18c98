#include "compiler/simt/widen/reciprocal_root.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>

#include <algorithm>

#include "compiler/simt/analysis/uniformity.h"

namespace weft::compiler::simt {
namespace {

using llvm::Value;

/// The estimate of a whole register, or of one value in the lowest lane of one.
Value* estimate_register(llvm::IRBuilderBase& builder, Value* x) {
  auto* type = llvm::cast<llvm::FixedVectorType>(x->getType());
  const bool single = type->getElementType()->isFloatTy(), full = type->getPrimitiveSizeInBits() == 512;
  const unsigned lanes = type->getNumElements();
  if (type->getPrimitiveSizeInBits() == 128) {
    const auto id = single ? llvm::Intrinsic::x86_avx512_rsqrt14_ss : llvm::Intrinsic::x86_avx512_rsqrt14_sd;
    return builder.CreateIntrinsic(id, {}, {x, x, llvm::Constant::getNullValue(type), builder.getInt8(0xff)});
  }
  const auto id = single ? (full ? llvm::Intrinsic::x86_avx512_rsqrt14_ps_512 : llvm::Intrinsic::x86_avx512_rsqrt14_ps_256)
                         : (full ? llvm::Intrinsic::x86_avx512_rsqrt14_pd_512 : llvm::Intrinsic::x86_avx512_rsqrt14_pd_256);
  return builder.CreateIntrinsic(
      id, {}, {x, llvm::Constant::getNullValue(type), llvm::Constant::getAllOnesValue(builder.getIntNTy(std::max(8u, lanes)))});
}

/// `estimate` of each `piece` lanes of `x`; of fewer, as a narrow body has them, in a part of a register.
template <typename Estimate>
Value* by_pieces(llvm::IRBuilderBase& builder, Value* x, unsigned piece, Estimate estimate) {
  const unsigned lanes = llvm::cast<llvm::FixedVectorType>(x->getType())->getNumElements();
  llvm::SmallVector<Value*, 8> pieces;
  for (unsigned first = 0; first < lanes; first += piece) {
    auto part = llvm::to_vector<16>(llvm::seq<int>(static_cast<int>(first), static_cast<int>(first + piece)));
    std::replace_if(part.begin(), part.end(), [&](int lane) { return lane >= static_cast<int>(lanes); }, llvm::PoisonMaskElem);
    pieces.push_back(estimate(builder.CreateShuffleVector(x, part)));
  }
  if (lanes < piece) return builder.CreateShuffleVector(pieces.front(), llvm::to_vector<16>(llvm::seq<int>(0, static_cast<int>(lanes))));
  return pieces.size() == 1 ? pieces.front() : llvm::concatenateVectors(builder, pieces);
}

/// `estimate` of the lowest lane of a register.
template <typename Estimate>
Value* alone(llvm::IRBuilderBase& builder, Value* x, Estimate estimate) {
  const unsigned lanes = 128 / x->getType()->getPrimitiveSizeInBits();
  auto* place = llvm::Constant::getNullValue(llvm::FixedVectorType::get(x->getType(), lanes));
  return builder.CreateExtractElement(estimate(builder.CreateInsertElement(place, x, std::uint64_t{0})), std::uint64_t{0});
}

Value* fma(llvm::IRBuilderBase& builder, Value* a, Value* b, Value* c) {
  return builder.CreateIntrinsic(llvm::Intrinsic::fma, {a->getType()}, {a, b, c});
}

/// What an estimate y leaves: 1 - x y^2. NaN where x is 0 or infinite: the estimate is right there, and stays as it is by any positive number here.
Value* rest(llvm::IRBuilderBase& builder, Value* x, Value* y) {
  const auto constant = [&](double value) { return llvm::ConstantFP::get(x->getType(), value); };
  Value* error = fma(builder, builder.CreateFNeg(builder.CreateFMul(x, y)), y, constant(1));
  return builder.CreateSelect(builder.CreateFCmpOLT(error, constant(0.5)), error, constant(0.5));
}

/// Of floats, by estimates of 12 bits, which take a denormal number for 0. (To scale these first makes it as long as a root and a division, which leave the units
/// for sums and products to others: measured on Zen 4, 1.3 times as long for all pairs of N bodies.)
Value* by_twelve_bits(llvm::IRBuilderBase& builder, Value* x) {
  constexpr unsigned kLanes = 8;
  const auto constant = [&](double value) { return llvm::ConstantFP::get(x->getType(), value); };
  Value* y = x->getType()->isVectorTy()
                 ? by_pieces(builder, x, kLanes, [&](Value* part) { return builder.CreateIntrinsic(llvm::Intrinsic::x86_avx_rsqrt_ps_256, {}, {part}); })
                 : alone(builder, x, [&](Value* low) { return builder.CreateIntrinsic(llvm::Intrinsic::x86_sse_rsqrt_ss, {}, {low}); });
  // With e = 1 - x y^2: 1/sqrt(x) = y (1 - e)^(-1/2) = y + y e (1/2 + 3/8 e + ...), of which 5/16 e^3 is left out, less than 2^-32.
  Value* error = rest(builder, x, y);
  return fma(builder, builder.CreateFMul(y, error), fma(builder, error, constant(0.375), constant(0.5)), y);
}

}  // namespace

Value* reciprocal_root_estimate(llvm::IRBuilderBase& builder, Value* x, unsigned vector_bits) {
  const auto estimate = [&](Value* part) { return estimate_register(builder, part); };
  if (!x->getType()->isVectorTy()) return alone(builder, x, estimate);
  return by_pieces(builder, x, vector_bits / x->getType()->getScalarSizeInBits(), estimate);
}

Value* reciprocal_root(llvm::IRBuilderBase& builder, llvm::StringRef name, Value* x, const VectorTraits& traits) {
  llvm::Type* type = x->getType();
  const auto constant = [&](double value) { return llvm::ConstantFP::get(type, value); };
  const bool is_float = type->getScalarType()->isFloatTy();
  if (!traits.estimate_bits && traits.fused_products && name.contains("_normal_")) return by_twelve_bits(builder, x);
  if (!traits.estimate_bits) return builder.CreateFDiv(constant(1), builder.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, x));
  Value* y = reciprocal_root_estimate(builder, x, traits.estimate_bits);
  // Each step of Newton's takes d to about 1.5 d^2; what it adds is small, so that its rounding is worth half an ulp.
  for (int step = is_float ? 1 : 2; step; --step) {
    Value* error = rest(builder, x, y);
    y = fma(builder, builder.CreateFMul(y, constant(0.5)), error, y);
  }
  return y;
}

void expand_reciprocal_roots(llvm::Module& module, const VectorTraits& traits) {
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    if (!function.getName().starts_with(primitive::kReciprocalRoot)) continue;
    for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
      auto* call = llvm::cast<llvm::CallInst>(user);
      llvm::IRBuilder<> builder(call);
      call->replaceAllUsesWith(reciprocal_root(builder, function.getName(), call->getArgOperand(0), traits));
      call->eraseFromParent();
    }
    function.eraseFromParent();
  }
}

}  // namespace weft::compiler::simt
