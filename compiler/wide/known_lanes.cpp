#include "compiler/wide/known_lanes.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace weft::compiler::wide {
namespace {

constexpr unsigned kAffectedRegisterBits = 128;
constexpr unsigned kDepth = 6;
constexpr unsigned kFloatBits = 32;

/// Whether lanes of `value` differ by constants, as ids do.
bool has_lane_numbers(const llvm::Value& value, unsigned depth = 0) {
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(&value)) return !constant->getSplatValue();
  const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  const auto* cast = llvm::dyn_cast<llvm::CastInst>(&value);
  if (depth == kDepth || (!operation && !cast)) return false;
  return llvm::any_of(llvm::cast<llvm::User>(value).operands(), [&](const llvm::Use& use) { return has_lane_numbers(*use, depth + 1); });
}

/// Whether some lanes of the mask `value` are constants.
bool has_known_lanes(const llvm::Value& value, unsigned depth = 0) {
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(&value)) return !constant->getSplatValue() && !llvm::isa<llvm::UndefValue>(constant);
  if (depth == kDepth || !llvm::isa<llvm::BinaryOperator, llvm::SelectInst, llvm::ShuffleVectorInst, llvm::FreezeInst>(value)) return false;
  return llvm::any_of(llvm::cast<llvm::User>(value).operands(), [&](const llvm::Use& use) { return has_known_lanes(*use, depth + 1); });
}

/// `mask` as the code generator cannot know it. It has a fence for floating point only.
llvm::Value* hidden(llvm::Instruction& mask) {
  llvm::IRBuilder<> builder(mask.getParent(), *mask.getInsertionPointAfterDef());
  auto* const type = llvm::cast<llvm::FixedVectorType>(mask.getType());
  auto* const bytes = llvm::FixedVectorType::get(builder.getInt8Ty(), type->getNumElements());
  auto* const real = llvm::FixedVectorType::get(builder.getFloatTy(), type->getNumElements() / (kFloatBits / 8));
  llvm::Value* fenced = builder.CreateArithmeticFence(builder.CreateBitCast(builder.CreateSExt(&mask, bytes), real), real);
  return builder.CreateICmpNE(builder.CreateBitCast(fenced, bytes), llvm::Constant::getNullValue(bytes));
}

void hide_known_masks(llvm::Function& function) {
  llvm::MapVector<llvm::Instruction*, llvm::Value*> masks;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* access = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (!access || (access->getIntrinsicID() != llvm::Intrinsic::masked_load && access->getIntrinsicID() != llvm::Intrinsic::masked_store)) continue;
    auto* spread = llvm::dyn_cast<llvm::ShuffleVectorInst>(access->getArgOperand(access->getIntrinsicID() == llvm::Intrinsic::masked_load ? 2 : 3));
    if (!spread || !llvm::isa<llvm::UndefValue>(spread->getOperand(1))) continue;
    auto* mask = llvm::dyn_cast<llvm::Instruction>(spread->getOperand(0));
    if (!mask || llvm::cast<llvm::FixedVectorType>(mask->getType())->getNumElements() % (kFloatBits / 8) || !has_known_lanes(*mask)) continue;
    masks.try_emplace(mask);
  }
  // Each use that spreads it, not the mask's others.
  for (auto& [mask, fenced] : masks) {
    fenced = hidden(*mask);
    mask->replaceUsesWithIf(fenced, [](const llvm::Use& use) { return llvm::isa<llvm::ShuffleVectorInst>(use.getUser()) && use.getOperandNo() == 0; });
  }
}

}  // namespace

void hide_known_lanes(llvm::Function& function, const VectorTraits& vectors) {
  if (!vectors.mask_registers) hide_known_masks(function);
  if (vectors.register_bits > kAffectedRegisterBits) return;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (!llvm::isa<llvm::ICmpInst, llvm::ZExtInst, llvm::SExtInst>(instruction)) continue;
    for (llvm::Use& use : instruction.operands()) {
      auto* const type = llvm::dyn_cast<llvm::FixedVectorType>(use->getType());
      if (!type || !type->getElementType()->isIntegerTy() || llvm::isa<llvm::Constant>(use) || !has_lane_numbers(*use)) continue;
      const std::uint64_t bits = type->getPrimitiveSizeInBits().getFixedValue();
      if (type->getScalarSizeInBits() < 8 || bits % kFloatBits) continue;
      llvm::IRBuilder<> builder(&instruction);
      // LLVM has a fence for floating point only.
      auto* const real = llvm::FixedVectorType::get(builder.getFloatTy(), static_cast<unsigned>(bits / kFloatBits));
      use.set(builder.CreateBitCast(builder.CreateArithmeticFence(builder.CreateBitCast(use.get(), real), real), type));
    }
  }
}

}  // namespace weft::compiler::wide
