#include "compiler/wide/short_masks.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <numeric>

#include "compiler/simt/ir/hidden_values.h"

namespace weft::compiler::wide {
namespace {

using llvm::Value;

constexpr unsigned kShort = 8, kWhole = 16;

bool is_short(const Value& value) {
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(value.getType());
  return type && type->getNumElements() == kShort && type->getElementType()->isIntegerTy(8);
}

/// `value` with eight elements of `rest`, which is as long, behind it.
Value* widened(llvm::IRBuilder<>& builder, Value* value, llvm::Constant* rest) {
  llvm::SmallVector<int, kWhole> lanes(kWhole);
  std::iota(lanes.begin(), lanes.end(), 0);
  return builder.CreateShuffleVector(value, rest, lanes);
}

Value* widened(llvm::IRBuilder<>& builder, Value* value) { return widened(builder, value, llvm::PoisonValue::get(value->getType())); }

/// A word of which the first eight bits are set, as LLVM does not know, in front of all else.
Value* first_lanes(llvm::Function& function) {
  llvm::IRBuilder<> builder(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  return simt::hidden(builder, *builder.getInt16((1u << kShort) - 1));
}

Value* widened_mask(llvm::IRBuilder<>& builder, Value* mask, Value* first) {
  Value* lanes = builder.CreateBitCast(first, llvm::FixedVectorType::get(builder.getInt1Ty(), kWhole));
  return builder.CreateAnd(widened(builder, mask, llvm::Constant::getNullValue(mask->getType())), lanes);
}

}  // namespace

void widen_short_masks(llvm::Function& function) {
  Value* first = nullptr;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* access = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (!access) continue;
    const llvm::Intrinsic::ID id = access->getIntrinsicID();
    const bool stores = id == llvm::Intrinsic::masked_store;
    if (!stores && id != llvm::Intrinsic::masked_load) continue;
    Value* mask = access->getArgOperand(stores ? 3 : 2);
    if (!is_short(stores ? *access->getArgOperand(0) : *access) || llvm::isa<llvm::Constant>(mask)) continue;
    const llvm::Align align(llvm::cast<llvm::ConstantInt>(access->getArgOperand(stores ? 2 : 1))->getZExtValue());
    if (!first) first = first_lanes(function);
    llvm::IRBuilder<> builder(access);
    llvm::CallInst* made = nullptr;
    if (stores) {
      made = builder.CreateMaskedStore(widened(builder, access->getArgOperand(0)), access->getArgOperand(1), align, widened_mask(builder, mask, first));
    } else {
      auto* type = llvm::FixedVectorType::get(builder.getInt8Ty(), kWhole);
      made = builder.CreateMaskedLoad(type, access->getArgOperand(0), align, widened_mask(builder, mask, first), widened(builder, access->getArgOperand(3)));
      llvm::SmallVector<int, kShort> lanes(kShort);
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
