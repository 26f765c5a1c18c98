#include "compiler/simt/item/half_overflow.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace weft::compiler::simt {
namespace {

/// The greatest integer that becomes a finite half: 65520 lies halfway to 65536 and rounds to the even one, which is none.
constexpr int kGreatest = 65519;

/// The conversion of an integer of more than 16 bits that the half `value` is, also by way of a wider number; null otherwise.
llvm::CastInst* integer_conversion(llvm::Value* value) {
  while (auto* const shorter = llvm::dyn_cast<llvm::FPTruncInst>(value)) value = shorter->getOperand(0);
  auto* const cast = llvm::dyn_cast<llvm::CastInst>(value);
  if (!cast || !llvm::isa<llvm::UIToFPInst, llvm::SIToFPInst>(cast) || cast->getSrcTy()->getScalarSizeInBits() <= 16) return nullptr;
  return cast;
}

}  // namespace

void keep_half_overflow(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* const extension = llvm::dyn_cast<llvm::FPExtInst>(&instruction);
    if (!extension || !extension->getSrcTy()->getScalarType()->isHalfTy()) continue;
    const llvm::CastInst* const conversion = integer_conversion(extension->getOperand(0));
    if (!conversion) continue;
    llvm::IRBuilder<> builder(extension);
    llvm::Value* const integer = conversion->getOperand(0);
    llvm::Type* const type = extension->getType();
    const auto infinity_where = [&](llvm::CmpInst::Predicate predicate, int bound, bool negative, llvm::Value* elsewhere) {
      llvm::Value* const beyond = builder.CreateICmp(predicate, integer, llvm::ConstantInt::getSigned(integer->getType(), bound));
      return builder.CreateSelect(beyond, llvm::ConstantFP::getInfinity(type, negative), elsewhere);
    };
    llvm::Value* result = builder.CreateFPExt(extension->getOperand(0), type);
    if (llvm::isa<llvm::UIToFPInst>(conversion)) {
      result = infinity_where(llvm::CmpInst::ICMP_UGT, kGreatest, false, result);
    } else {
      result = infinity_where(llvm::CmpInst::ICMP_SGT, kGreatest, false, result);
      result = infinity_where(llvm::CmpInst::ICMP_SLT, -kGreatest, true, result);
    }
    extension->replaceAllUsesWith(result);
    extension->eraseFromParent();
  }
}

}  // namespace weft::compiler::simt
