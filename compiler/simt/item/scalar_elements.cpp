#include "compiler/simt/item/scalar_elements.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

/// Of vectors alone, all of one type.
bool is_by_elements(const llvm::IntrinsicInst& call) {
  return llvm::isTriviallyVectorizable(call.getIntrinsicID()) &&
         llvm::all_of(call.args(), [&](const llvm::Use& argument) { return argument->getType() == call.getType(); });
}

}  // namespace

Value* ScalarElements::element(Value& vector, unsigned index) {
  if (auto* constant = llvm::dyn_cast<llvm::Constant>(&vector))
    if (llvm::Constant* element = constant->getAggregateElement(index)) return element;
  if (Value* known = known_.lookup({&vector, index})) return known;
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(&vector);
  Value* made = instruction ? compute(*instruction, index) : nullptr;
  if (!made) made = extract(vector, index);
  return known_[{&vector, index}] = made;
}

/// Null if the instruction is not made element by element.
Value* ScalarElements::compute(llvm::Instruction& vector, unsigned index) {
  const auto of = [&](unsigned operand) { return element(*vector.getOperand(operand), index); };
  llvm::IRBuilder<> builder(&vector);
  const auto flagged = [&](Value* made) {
    if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(made)) instruction->copyIRFlags(&vector);
    return made;
  };
  if (auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(&vector)) {
    auto* place = llvm::dyn_cast<llvm::ConstantInt>(insert->getOperand(2));
    if (!place) return nullptr;
    return place->equalsInt(index) ? insert->getOperand(1) : of(0);
  }
  if (auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&vector)) {
    const int from = shuffle->getMaskValue(index);
    if (from < 0) return llvm::PoisonValue::get(shuffle->getType()->getScalarType());
    const auto count = static_cast<int>(llvm::cast<llvm::FixedVectorType>(shuffle->getOperand(0)->getType())->getNumElements());
    return element(*shuffle->getOperand(from < count ? 0 : 1), static_cast<unsigned>(from % count));
  }
  if (auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&vector)) {
    Value* left = of(0);
    return flagged(builder.CreateBinOp(binary->getOpcode(), left, of(1)));
  }
  if (auto* unary = llvm::dyn_cast<llvm::UnaryOperator>(&vector)) return flagged(builder.CreateUnOp(unary->getOpcode(), of(0)));
  if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&vector)) {
    const bool same_elements = cast->getSrcTy()->isVectorTy() && (!llvm::isa<llvm::BitCastInst>(cast) ||
                               cast->getSrcTy()->getScalarSizeInBits() == cast->getDestTy()->getScalarSizeInBits());
    return same_elements ? flagged(builder.CreateCast(cast->getOpcode(), of(0), cast->getType()->getScalarType())) : nullptr;
  }
  if (llvm::isa<llvm::FreezeInst>(vector)) return builder.CreateFreeze(of(0));
  if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&vector)) {
    Value* condition = select->getCondition()->getType()->isVectorTy() ? of(0) : select->getCondition();
    Value* left = of(1);
    return builder.CreateSelect(condition, left, of(2));
  }
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&vector)) {
    auto* made = llvm::PHINode::Create(phi->getType()->getScalarType(), phi->getNumIncomingValues(), "", phi->getIterator());
    known_[{&vector, index}] = made;
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) made->addIncoming(of(i), phi->getIncomingBlock(i));
    return made;
  }
  if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&vector); call && is_by_elements(*call)) {
    llvm::SmallVector<Value*, 3> elements;
    for (unsigned i = 0; i < call->arg_size(); ++i) elements.push_back(of(i));
    return flagged(builder.CreateIntrinsic(call->getIntrinsicID(), {call->getType()->getScalarType()}, elements));
  }
  return nullptr;
}

Value* ScalarElements::extract(Value& vector, unsigned index) {
  if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(&vector)) {
    llvm::BasicBlock::iterator place = *instruction->getInsertionPointAfterDef();
    return llvm::IRBuilder<>(place->getParent(), place).CreateExtractElement(&vector, index);
  }
  llvm::BasicBlock& entry = llvm::cast<llvm::Argument>(vector).getParent()->getEntryBlock();
  return llvm::IRBuilder<>(&entry, entry.getFirstInsertionPt()).CreateExtractElement(&vector, index);
}

void ScalarElements::take_operands(Value& scalar) {
  llvm::SmallVector<Value*, 16> values{&scalar};
  while (!values.empty()) {
    auto* user = llvm::dyn_cast<llvm::Instruction>(values.pop_back_val());
    if (!user || !llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::CastInst, llvm::SelectInst, llvm::PHINode, llvm::IntrinsicInst>(user) ||
        !taken_.insert(user).second)
      continue;
    for (llvm::Use& operand : user->operands()) {
      auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(operand);
      auto* index = extract ? llvm::dyn_cast<llvm::ConstantInt>(extract->getIndexOperand()) : nullptr;
      auto* type = extract ? llvm::dyn_cast<llvm::FixedVectorType>(extract->getVectorOperandType()) : nullptr;
      if (index && type && index->getValue().ult(type->getNumElements()))
        operand.set(element(*extract->getVectorOperand(), static_cast<unsigned>(index->getZExtValue())));
      values.push_back(operand);
    }
  }
}

Value* ScalarElements::rebuild(Value& vector, llvm::Instruction& user) {
  auto* type = llvm::cast<llvm::FixedVectorType>(vector.getType());
  llvm::IRBuilder<> builder(&user);
  Value* result = llvm::PoisonValue::get(type);
  for (unsigned i = 0; i < type->getNumElements(); ++i) {
    Value* part = element(vector, i);
    take_operands(*part);
    builder.SetInsertPoint(&user);
    result = builder.CreateInsertElement(result, part, i);
  }
  return result;
}

}  // namespace weft::compiler::simt
