#include "compiler/simt/ir/vector_form.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/Sequence.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicInst.h>

namespace weft::compiler::simt {

using llvm::Instruction;
using llvm::Value;

bool is_componentwise(const Instruction& instruction) {
  switch (instruction.getOpcode()) {
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem:
    case Instruction::FRem: return false;
    default: break;
  }
  if (llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator>(instruction)) return true;
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return call && llvm::isTriviallyVectorizable(call->getIntrinsicID()) && !call->mayHaveSideEffects() &&
         llvm::none_of(llvm::seq(0u, call->arg_size()), [&](unsigned i) {
           return llvm::isVectorIntrinsicWithScalarOpAtArg(call->getIntrinsicID(), i);
         });
}

Value* same_of_vectors(llvm::IRBuilder<>& builder, const Instruction& like, llvm::ArrayRef<Value*> operands, llvm::Type& type) {
  Value* value = nullptr;
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&like)) {
    value = builder.CreateIntrinsic(&type, call->getIntrinsicID(), operands);
  } else if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&like)) {
    value = builder.CreateCast(cast->getOpcode(), operands[0], &type);
  } else if (llvm::isa<llvm::SelectInst>(like)) {
    value = builder.CreateSelect(operands[0], operands[1], operands[2]);
  } else if (llvm::isa<llvm::UnaryOperator>(like)) {
    value = builder.CreateUnOp(static_cast<Instruction::UnaryOps>(like.getOpcode()), operands[0]);
  } else {
    value = builder.CreateBinOp(static_cast<Instruction::BinaryOps>(like.getOpcode()), operands[0], operands[1]);
  }
  if (auto* made = llvm::dyn_cast<Instruction>(value)) made->copyIRFlags(&like);
  return value;
}

}  // namespace weft::compiler::simt
