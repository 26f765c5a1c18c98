// An index as a sum, so that indices at a constant distance are seen to be such however they were added up.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>

namespace weft::compiler::simt {

/// An index as a sum of 64 bits, which nothing wraps around.
struct IndexSum {
  static constexpr unsigned kMostSteps = 12;
  llvm::SmallVector<const llvm::Value*, 4> parts;  ///< in the order in which they are found
  std::int64_t constant = 0;

  void add(const llvm::Value& value, unsigned steps = kMostSteps) {
    const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(&value);
    const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&value);
    const auto* last = sum ? llvm::dyn_cast<llvm::ConstantInt>(sum->getOperand(1)) : nullptr;
    const auto* either = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&value);
    if (number) {
      constant += number->getSExtValue();
    } else if (steps && sum && sum->getOpcode() == llvm::Instruction::Add && sum->hasNoSignedWrap()) {
      add(*sum->getOperand(0), steps - 1);
      add(*sum->getOperand(1), steps - 1);
    } else if (steps && either && either->isDisjoint() && (!last || !last->isNegative())) {
      add(*either->getOperand(0), steps - 1);
      add(*either->getOperand(1), steps - 1);
    } else {
      parts.push_back(&value);
    }
  }
};

}  // namespace weft::compiler::simt
