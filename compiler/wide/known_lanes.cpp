#include "compiler/wide/known_lanes.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

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

}  // namespace

void hide_known_lanes(llvm::Function& function, const VectorTraits& vectors) {
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
