#include "compiler/wide/constant_rotates.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace weft::compiler::wide {
namespace {

constexpr unsigned kRotatedFloatBits = 32;

bool has_rotate(const llvm::FixedVectorType& type, const VectorTraits& vectors) {
  return vectors.mask_registers && type.getScalarSizeInBits() >= 32;
}

}  // namespace

void hide_rotated_constants(llvm::Function& function, const VectorTraits& vectors) {
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* const shift = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (!shift || (shift->getIntrinsicID() != llvm::Intrinsic::fshl && shift->getIntrinsicID() != llvm::Intrinsic::fshr)) continue;
    auto* const type = llvm::dyn_cast<llvm::FixedVectorType>(shift->getType());
    auto* const rotated = llvm::dyn_cast<llvm::Constant>(shift->getArgOperand(0));
    if (!type || !rotated || shift->getArgOperand(1) != rotated || llvm::isa<llvm::Constant>(shift->getArgOperand(2)) || has_rotate(*type, vectors)) continue;
    const std::uint64_t bits = type->getPrimitiveSizeInBits().getFixedValue();
    if (bits % kRotatedFloatBits) continue;  // a group of a few bytes: no vector of a processor
    llvm::IRBuilder<> builder(shift);
    // LLVM has a fence for floating point only.
    auto* const real = llvm::FixedVectorType::get(builder.getFloatTy(), static_cast<unsigned>(bits / kRotatedFloatBits));
    llvm::Value* const hidden = builder.CreateBitCast(builder.CreateArithmeticFence(builder.CreateBitCast(rotated, real), real), type);
    shift->setArgOperand(0, hidden);
    shift->setArgOperand(1, hidden);
  }
}

}  // namespace weft::compiler::wide
