#include "compiler/wide/short_masks.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <numeric>

namespace weft::compiler::wide {
namespace {

using llvm::Value;

constexpr unsigned kShortMask = 8, kWhole = 16;

bool is_short(const Value& value) {
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(value.getType());
  return type && type->getNumElements() == kShortMask && type->getElementType()->isIntegerTy(8);
}

Value* widened(llvm::IRBuilder<>& builder, Value* value) {
  llvm::SmallVector<int, kWhole> lanes(kWhole, -1);
  std::iota(lanes.begin(), lanes.begin() + kShortMask, 0);
  return builder.CreateShuffleVector(value, lanes);
}

Value* widened_mask(llvm::IRBuilder<>& builder, Value* mask) {
  Value* bits = builder.CreateZExt(builder.CreateBitCast(mask, builder.getIntNTy(kShortMask)), builder.getIntNTy(kWhole));
  return builder.CreateBitCast(bits, llvm::FixedVectorType::get(builder.getInt1Ty(), kWhole));
}

}  // namespace

void widen_short_masks(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* access = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (!access) continue;
    const llvm::Intrinsic::ID id = access->getIntrinsicID();
    const bool stores = id == llvm::Intrinsic::masked_store;
    if (!stores && id != llvm::Intrinsic::masked_load) continue;
    Value* mask = access->getArgOperand(stores ? 3 : 2);
    if (!is_short(stores ? *access->getArgOperand(0) : *access) || llvm::isa<llvm::Constant>(mask)) continue;
    const llvm::Align align(llvm::cast<llvm::ConstantInt>(access->getArgOperand(stores ? 2 : 1))->getZExtValue());
    llvm::IRBuilder<> builder(access);
    llvm::CallInst* made = nullptr;
    if (stores) {
      made = builder.CreateMaskedStore(widened(builder, access->getArgOperand(0)), access->getArgOperand(1), align, widened_mask(builder, mask));
    } else {
      auto* type = llvm::FixedVectorType::get(builder.getInt8Ty(), kWhole);
      made = builder.CreateMaskedLoad(type, access->getArgOperand(0), align, widened_mask(builder, mask), widened(builder, access->getArgOperand(3)));
      llvm::SmallVector<int, kShortMask> lanes(kShortMask);
      std::iota(lanes.begin(), lanes.end(), 0);
      Value* value = builder.CreateShuffleVector(made, lanes);
      value->takeName(access);
      access->replaceAllUsesWith(value);
    }
    made->copyMetadata(*access);
    access->eraseFromParent();
  }
}

}  // namespace weft::compiler::wide
