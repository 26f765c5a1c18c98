// Run-time tests of checked shapes: whether an index that might have wrapped around, or met a bound, has done so.
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/simt/widen/widener.h"

namespace weft::compiler::simt {

using llvm::Value;

/// Run-time test of a checked shape.
Value* Widener::progression_holds(Value* pointer, const Shape& shape) {
  Value* holds = nullptr;
  const auto require = [&](Value* ok) { holds = holds ? builder_.CreateAnd(holds, ok) : ok; };
  if (const auto extensions = extensions_of(*pointer)) {
    for (llvm::Instruction* extension : *extensions)
      for (unsigned lane = 0; lane < lanes_; lane += this->shape(extension).segment)
        require(extension_holds(*extension, lane));
    return holds;
  }
  // In general: the last lane of each segment is where the progression says.
  auto* integer = builder_.getInt64Ty();
  for (unsigned lane = 0; lane < lanes_; lane += shape.segment) {
    Value* first = builder_.CreatePtrToInt(scalar_at(pointer, lane), integer);
    Value* last = builder_.CreatePtrToInt(exact_at(pointer, lane + shape.segment - 1), integer);
    require(builder_.CreateICmpEQ(builder_.CreateSub(last, first),
                                  builder_.getInt64(static_cast<std::uint64_t>(shape.stride * (shape.segment - 1)))));
  }
  return holds;
}

/// The extensions that decide whether `pointer`, of a checked shape, follows it. None if it is not that simple.
std::optional<llvm::SmallVector<llvm::Instruction*, 4>> Widener::extensions_of(Value& pointer) {
  llvm::SmallVector<llvm::Instruction*, 4> extensions;
  llvm::SmallSetVector<Value*, 16> expression;
  expression.insert(&pointer);
  for (unsigned i = 0; i < expression.size(); ++i) {
    const Shape to = shape(expression[i]);
    if (!to.checked || to.stride == 0) continue;
    auto& instruction = *llvm::cast<llvm::Instruction>(expression[i]);
    switch (instruction.getOpcode()) {
      case llvm::Instruction::SExt:
      case llvm::Instruction::ZExt:
      case llvm::Instruction::AShr:
      case llvm::Instruction::And: {
        const Shape from = shape(instruction.getOperand(0));
        const unsigned bits = instruction.getOperand(0)->getType()->getScalarSizeInBits();
        const auto distance = static_cast<std::uint64_t>(std::abs(from.stride)) * from.segment;
        if (from.segment != to.segment || !llvm::isUIntN(bits - 1, distance)) return std::nullopt;
        extensions.push_back(&instruction);
        break;
      }
      case llvm::Instruction::Call: {
        const auto counting = counting_operand(instruction, [this](const Value& operand) { return shape(&operand); });
        if (!counting || shape(instruction.getOperand(*counting)).segment != to.segment) return std::nullopt;
        extensions.push_back(&instruction);
        expression.insert(instruction.getOperand(*counting));
        continue;
      }
      case llvm::Instruction::GetElementPtr:
        for (const llvm::Use& index : llvm::cast<llvm::GetElementPtrInst>(instruction).indices())
          if (index->getType()->getScalarSizeInBits() < 64 && !shape(index).no_signed_wrap) return std::nullopt;
        break;
      case llvm::Instruction::Add:
      case llvm::Instruction::Sub:
      case llvm::Instruction::Or:
      case llvm::Instruction::Mul:
      case llvm::Instruction::Shl:
      case llvm::Instruction::Trunc:
      case llvm::Instruction::AddrSpaceCast: break;
      default: return std::nullopt;
    }
    expression.insert(instruction.op_begin(), instruction.op_end());
  }
  return extensions;
}

/// Whether what `extension` extends goes from `lane` to the end of its segment without leaving its range; or what a
/// `min` or `max` bounds, without meeting the bound.
Value* Widener::extension_holds(llvm::Instruction& extension, unsigned lane) {
  if (const auto* bound = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&extension)) {
    const unsigned counting = *counting_operand(extension, [this](const Value& operand) { return shape(&operand); });
    const Shape shape = this->shape(extension.getOperand(counting));
    const bool is_least = bound->getIntrinsicID() == llvm::Intrinsic::smin || bound->getIntrinsicID() == llvm::Intrinsic::umin;
    const unsigned decides = is_least == (shape.stride > 0) ? lane + shape.segment - 1 : lane;
    return builder_.CreateICmp(llvm::CmpInst::getNonStrictPredicate(bound->getPredicate()),
                               scalar_at(extension.getOperand(counting), decides),
                               scalar_at(extension.getOperand(1 - counting), lane));
  }
  Value* first = scalar_at(extension.getOperand(0), lane);
  const Shape shape = this->shape(extension.getOperand(0));
  const unsigned bits = first->getType()->getIntegerBitWidth();
  const auto distance = static_cast<std::uint64_t>(std::abs(shape.stride)) * (shape.segment - 1);
  const bool is_and = extension.getOpcode() == llvm::Instruction::And;
  // As clone_at extends what is not negative.
  const bool is_signed = !is_and && (extension.getOpcode() != llvm::Instruction::ZExt || extension.hasNonNeg());
  llvm::APInt lowest = is_signed ? llvm::APInt::getSignedMinValue(bits) : llvm::APInt::getZero(bits);
  llvm::APInt highest = is_signed ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits);
  if (is_and) {
    highest = llvm::cast<llvm::ConstantInt>(extension.getOperand(1))->getValue();
    first = builder_.CreateAnd(first, highest);
  }
  if (shape.stride < 0)
    return builder_.CreateICmp(is_signed ? llvm::CmpInst::ICMP_SGE : llvm::CmpInst::ICMP_UGE, first,
                               builder_.getInt(lowest + distance));
  return builder_.CreateICmp(is_signed ? llvm::CmpInst::ICMP_SLE : llvm::CmpInst::ICMP_ULE, first,
                             builder_.getInt(highest - distance));
}

}  // namespace weft::compiler::simt
