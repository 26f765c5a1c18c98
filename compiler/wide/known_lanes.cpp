#include "compiler/wide/known_lanes.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace weft::compiler::wide {
namespace {

constexpr unsigned kAffectedRegisterBits = 128;
constexpr unsigned kDepth = 6;

/// Whether lanes of `value` differ by constants, as ids do.
bool has_lane_numbers(const llvm::Value& value, unsigned depth = 0) {
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(&value)) return !constant->getSplatValue();
  const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  const auto* cast = llvm::dyn_cast<llvm::CastInst>(&value);
  if (depth == kDepth || (!operation && !cast)) return false;
  return llvm::any_of(llvm::cast<llvm::User>(value).operands(), [&](const llvm::Use& use) { return has_lane_numbers(*use, depth + 1); });
}

}  // namespace

void hide_known_lanes(llvm::Function& function, const VectorTraits& vectors) {
  if (vectors.register_bits > kAffectedRegisterBits) return;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* const compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction);
    auto* const type = compare ? llvm::dyn_cast<llvm::FixedVectorType>(compare->getOperand(0)->getType()) : nullptr;
    if (!type || (!type->getElementType()->isIntegerTy(32) && !type->getElementType()->isIntegerTy(64))) continue;
    llvm::IRBuilder<> builder(compare);
    llvm::Type* const lane = type->getScalarSizeInBits() == 32 ? builder.getFloatTy() : builder.getDoubleTy();
    llvm::Type* const real = llvm::FixedVectorType::get(lane, type->getNumElements());
    for (unsigned side : {0u, 1u}) {
      llvm::Value* const value = compare->getOperand(side);
      if (llvm::isa<llvm::Constant>(value) || !has_lane_numbers(*value)) continue;
      // LLVM has a fence for floating point only.
      llvm::Value* const fence = builder.CreateArithmeticFence(builder.CreateBitCast(value, real), real);
      compare->setOperand(side, builder.CreateBitCast(fence, type));
    }
  }
}

}  // namespace weft::compiler::wide
