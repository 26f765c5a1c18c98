#include "compiler/simt/memory/joined_places.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "compiler/simt/ir/divisions.h"

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::Value;

/// From an index to a division.
constexpr unsigned kDeepestDivision = 8;

/// Whether a division is part of the sum that `value` is.
bool divides(const Value& value, unsigned depth = 0) {
  if (as_division(value)) return true;
  const auto* instruction = llvm::dyn_cast<Instruction>(&value);
  if (!instruction || depth == kDeepestDivision) return false;
  switch (instruction->getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
    case Instruction::Shl:
    case Instruction::Or:
    case Instruction::SExt:
    case Instruction::ZExt:
    case Instruction::Trunc:
      return llvm::any_of(instruction->operands(), [&](const Value* operand) { return divides(*operand, depth + 1); });
    default: return false;
  }
}

/// The one index of `place`, if it divides; null if there are more or it does not.
Value* dividing_index(const llvm::GetElementPtrInst& place) {
  if (place.getNumIndices() != 1 || !place.getOperand(1)->getType()->isIntegerTy(64)) return nullptr;
  return divides(*place.getOperand(1)) ? place.getOperand(1) : nullptr;
}

}  // namespace

bool join_places(llvm::Function& function) {
  bool changed = false;
  for (Instruction& instruction : llvm::instructions(function)) {
    auto* place = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
    auto* first = place ? llvm::dyn_cast<llvm::GetElementPtrInst>(place->getPointerOperand()) : nullptr;
    if (!first || first->getSourceElementType() != place->getSourceElementType()) continue;
    Value *further = dividing_index(*place), *index = further ? dividing_index(*first) : nullptr;
    if (!index) continue;
    const bool in_bounds = place->isInBounds() && first->isInBounds();
    place->setOperand(1, llvm::IRBuilder<>(place).CreateAdd(index, further, "", /*HasNUW=*/false, /*HasNSW=*/in_bounds));
    place->setOperand(0, first->getPointerOperand());
    place->setIsInBounds(in_bounds);
    changed = true;
  }
  return changed;
}

}  // namespace weft::compiler::simt
