#include "compiler/wide/fused_floats.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace weft::compiler::wide {
namespace {

using llvm::Value;

Value* in_double(llvm::IRBuilder<>& builder, Value* a, Value* b, Value* c) {
  llvm::Type* floats = a->getType();
  llvm::Type* doubles = floats->getWithNewType(builder.getDoubleTy());
  llvm::Type* words = floats->getWithNewType(builder.getInt64Ty());
  const auto wide = [&](Value* value) { return builder.CreateFPExt(value, doubles); };
  Value* product = builder.CreateFMul(wide(a), wide(b));
  Value* added = wide(c);
  Value* sum = builder.CreateFAdd(product, added);
  Value* part = builder.CreateFSub(sum, product);
  Value* lost = builder.CreateFSub(product, builder.CreateFSub(sum, part));
  Value* error = builder.CreateFAdd(lost, builder.CreateFSub(added, part));
  // The product of both has the sign that matters, and no exponent that double has not. Of infinities and NaN it is NaN, which is
  // neither greater nor less.
  Value* sides = builder.CreateFMul(error, sum);
  llvm::Constant* zero = llvm::ConstantFP::getZero(doubles);
  Value* above = builder.CreateSExt(builder.CreateFCmpOLT(sides, zero), words);
  Value* below = builder.CreateSExt(builder.CreateFCmpOGT(sides, zero), words);
  Value* inexact = builder.CreateLShr(builder.CreateOr(above, below), 63);
  Value* odd = builder.CreateOr(builder.CreateAdd(builder.CreateBitCast(sum, words), above), inexact);
  return builder.CreateFPTrunc(builder.CreateBitCast(odd, doubles), floats);
}

}  // namespace

void fuse_floats_in_double(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (!call || call->getIntrinsicID() != llvm::Intrinsic::fma || !call->getType()->getScalarType()->isFloatTy()) continue;
    llvm::IRBuilder<> builder(call);
    Value* made = in_double(builder, call->getArgOperand(0), call->getArgOperand(1), call->getArgOperand(2));
    made->takeName(call);
    call->replaceAllUsesWith(made);
    call->eraseFromParent();
  }
}

}  // namespace weft::compiler::wide
