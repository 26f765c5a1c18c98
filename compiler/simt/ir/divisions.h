// Divisions of integers, by what they give.
#pragma once

#include <llvm/IR/Instructions.h>

namespace weft::compiler::simt {

/// A quotient or remainder of scalars; null if `value` is none.
inline const llvm::BinaryOperator* as_division(const llvm::Value& value) {
  const auto* division = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  return division && division->getType()->isIntegerTy() && division->isIntDivRem() ? division : nullptr;
}

inline bool is_signed_division(const llvm::Instruction& division) {
  return division.getOpcode() == llvm::Instruction::SDiv || division.getOpcode() == llvm::Instruction::SRem;
}

inline bool is_quotient(const llvm::Instruction& division) {
  return division.getOpcode() == llvm::Instruction::SDiv || division.getOpcode() == llvm::Instruction::UDiv;
}

}  // namespace weft::compiler::simt
