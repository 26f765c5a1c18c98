#include "compiler/simt/widen/reciprocal_root.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>

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

}  // namespace

Value* reciprocal_root_estimate(llvm::IRBuilderBase& builder, Value* x, unsigned vector_bits) {
  auto* type = llvm::dyn_cast<llvm::FixedVectorType>(x->getType());
  if (!type) {
    const unsigned lanes = 128 / x->getType()->getPrimitiveSizeInBits();
    auto* place = llvm::Constant::getNullValue(llvm::FixedVectorType::get(x->getType(), lanes));
    Value* low = builder.CreateInsertElement(place, x, std::uint64_t{0});
    return builder.CreateExtractElement(estimate_register(builder, low), std::uint64_t{0});
  }
  const unsigned lanes = type->getNumElements(), piece = vector_bits / type->getScalarSizeInBits();
  llvm::SmallVector<Value*, 8> pieces;
  for (unsigned first = 0; first < lanes; first += piece) {
    const auto part = llvm::to_vector<16>(llvm::seq<int>(static_cast<int>(first), static_cast<int>(first + piece)));
    pieces.push_back(estimate_register(builder, builder.CreateShuffleVector(x, part)));
  }
  return pieces.size() == 1 ? pieces.front() : llvm::concatenateVectors(builder, pieces);
}

Value* reciprocal_root(llvm::IRBuilderBase& builder, Value* x, unsigned vector_bits) {
  llvm::Type* type = x->getType();
  const auto constant = [&](double value) { return llvm::ConstantFP::get(type, value); };
  if (!vector_bits) return builder.CreateFDiv(constant(1), builder.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, x));
  const auto fma = [&](Value* a, Value* b, Value* c) { return builder.CreateIntrinsic(llvm::Intrinsic::fma, {type}, {a, b, c}); };
  Value* y = reciprocal_root_estimate(builder, x, vector_bits);
  // Each step of Newton's takes d to about 1.5 d^2; what it adds is small, so that its rounding is worth half an ulp.
  for (int step = type->getScalarType()->isFloatTy() ? 1 : 2; step; --step) {
    Value* error = fma(builder.CreateFNeg(builder.CreateFMul(x, y)), y, constant(1));
    // NaN where x is 0 or infinite. The estimate is right there, and stays as it is by any positive number here.
    error = builder.CreateSelect(builder.CreateFCmpOLT(error, constant(0.5)), error, constant(0.5));
    y = fma(builder.CreateFMul(y, constant(0.5)), error, y);
  }
  return y;
}

void expand_reciprocal_roots(llvm::Module& module, unsigned vector_bits) {
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    if (!function.getName().starts_with(primitive::kReciprocalRoot)) continue;
    for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
      auto* call = llvm::cast<llvm::CallInst>(user);
      llvm::IRBuilder<> builder(call);
      call->replaceAllUsesWith(reciprocal_root(builder, call->getArgOperand(0), vector_bits));
      call->eraseFromParent();
    }
    function.eraseFromParent();
  }
}

}  // namespace weft::compiler::simt
