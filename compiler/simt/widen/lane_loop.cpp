// What has no form for a whole warp runs for one live lane after the other, in place.
#include <llvm/IR/Module.h>

#include "compiler/simt/widen/widener.h"

namespace weft::compiler::simt {

using llvm::Value;

Parts Widener::lane_loop(llvm::Instruction& instruction) {
  control_.remark(&instruction, llvm::Twine(instruction.getOpcodeName()) + " runs lane by lane");
  // An array of i1 or i24 has gaps, a vector has none: in memory they are the next whole integer.
  auto memory_type = [&](llvm::Type* type) -> llvm::Type* {
    const bool gaps = type->isIntegerTy() && !solid_bits(type, layout_);
    return gaps ? builder_.getIntNTy(static_cast<unsigned>(8 * layout_.getTypeAllocSize(type))) : type;
  };
  auto temporary = [&](llvm::Type* type) {
    const llvm::IRBuilder<>::InsertPointGuard guard(builder_);
    builder_.SetInsertPoint(entry_point_);
    auto* array = builder_.CreateAlloca(llvm::ArrayType::get(memory_type(type), lanes_), nullptr, "lanes");
    // Whole vectors go in and out, at a vector's alignment.
    array->setAlignment(wide_->getDataLayout().getABITypeAlign(wide(memory_type(type))));
    return array;
  };
  auto address = [&](Value* array, llvm::Type* type, Value* lane) {
    return builder_.CreateInBoundsGEP(memory_type(type), array, lane);
  };
  auto store_all = [&](Value* wide_value) {
    auto* type = wide_value->getType()->getScalarType();
    Value* array = temporary(type);
    if (memory_type(type) != type) wide_value = builder_.CreateZExt(wide_value, wide(memory_type(type)));
    builder_.CreateStore(wide_value, array);
    return array;
  };
  auto load_one = [&](Value* array, llvm::Type* type, Value* lane) -> Value* {
    Value* value = builder_.CreateLoad(memory_type(type), address(array, type, lane));
    return memory_type(type) != type ? builder_.CreateTrunc(value, type) : value;
  };

  // Operands: scalars where uniform, computed from the lane's number where they follow it, otherwise an array in memory
  // that the loop indexes by lane.
  struct Operand {
    Value* scalar = nullptr;
    std::int64_t stride = 0;
    llvm::SmallVector<Value*, 4> arrays;
  };
  const auto follows_lanes = [&](const Value& value) {
    const Shape shape = this->shape(&value);
    const llvm::Type* type = value.getType();
    return shape.is_affine() && !shape.checked && shape.segment == lanes_ && (type->isIntegerTy() || type->isPointerTy());
  };
  llvm::SmallVector<Operand, 4> operands;
  for (Value* operand : instruction.operands()) {
    Operand entry;
    if (llvm::isa<llvm::Function>(operand) || operand->getType()->isMetadataTy()) {
      entry.scalar = operand;
    } else if (is_uniform(operand)) {
      entry.scalar = uniform(operand);
    } else if (follows_lanes(*operand)) {
      entry.scalar = scalar_at(operand, 0);
      entry.stride = shape(operand).stride;
    } else {
      for (Value* part : vector(operand)) entry.arrays.push_back(store_all(part));
    }
    operands.push_back(std::move(entry));
  }
  const bool has_result = !instruction.getType()->isVoidTy() && !instruction.use_empty();
  const auto types = has_result ? components(instruction.getType()) : llvm::SmallVector<llvm::Type*, 4>();
  llvm::SmallVector<Value*, 4> results;
  for (llvm::Type* type : types) results.push_back(temporary(type));

  auto* mask_type = builder_.getIntNTy(lanes_);
  Value* live = mask_ ? builder_.CreateBitCast(mask_, mask_type) : llvm::Constant::getAllOnesValue(mask_type);
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  auto* loop = llvm::BasicBlock::Create(context_, "lane", wide_);
  auto* after = llvm::BasicBlock::Create(context_, "lanes.done", wide_);
  builder_.CreateCondBr(builder_.CreateIsNotNull(live), loop, after);
  builder_.SetInsertPoint(loop);
  llvm::PHINode* left = builder_.CreatePHI(mask_type, 2, "left");
  left->addIncoming(live, before);
  Value* lane = builder_.CreateZExtOrTrunc(
      builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, left, builder_.getTrue()), builder_.getInt64Ty(), "lane");

  llvm::Instruction* copy = instruction.clone();
  for (unsigned i = 0; i < operands.size(); ++i) {
    auto* type = instruction.getOperand(i)->getType();
    Value* value = operands[i].scalar;
    if (!value && type->isVectorTy()) {
      value = llvm::PoisonValue::get(lowered(type));
      for (unsigned c = 0; c < operands[i].arrays.size(); ++c)
        value = builder_.CreateInsertElement(
            value, load_one(operands[i].arrays[c], lowered(type->getScalarType()), lane), c);
    } else if (!value && type->isAggregateType()) {
      fail(instruction, "an aggregate operand in a lane loop");
      value = llvm::PoisonValue::get(type);
    } else if (!value) {
      value = load_one(operands[i].arrays.front(), lowered(type), lane);
    } else if (const std::int64_t stride = operands[i].stride) {
      Value* distance = builder_.CreateMul(lane, builder_.getInt64(static_cast<std::uint64_t>(stride)));
      value = type->isPointerTy() ? builder_.CreateGEP(builder_.getInt8Ty(), value, distance)
                                  : builder_.CreateAdd(value, builder_.CreateSExtOrTrunc(distance, type));
    }
    // Intrinsics are declared for pointers of one address space.
    if (llvm::isa<llvm::CallBase>(instruction) && value->getType() != type && type->isPointerTy())
      value = builder_.CreateAddrSpaceCast(value, type);
    copy->setOperand(i, value);
  }
  if (!llvm::isa<llvm::CallBase>(copy) && copy->getType() != lowered(copy->getType()))
    copy->mutateType(lowered(copy->getType()));
  copy->setDebugLoc(llvm::DebugLoc());
  copy->setMetadata(primitive::kNonVolatileMetadata, nullptr);
  builder_.Insert(copy);
  for (unsigned i = 0; i < types.size(); ++i) {
    Value* value = copy;
    if (instruction.getType()->isVectorTy())
      value = builder_.CreateExtractElement(copy, i);
    else if (instruction.getType()->isAggregateType())
      value = builder_.CreateExtractValue(copy, i);
    if (memory_type(types[i]) != types[i]) value = builder_.CreateZExt(value, memory_type(types[i]));
    builder_.CreateStore(value, address(results[i], types[i], lane));
  }
  if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction))
    relax_local_atomic(*copy, instruction.getOperand(0)->getType()->getPointerAddressSpace());
  Value* rest = builder_.CreateAnd(left, builder_.CreateSub(left, llvm::ConstantInt::get(mask_type, 1)));
  left->addIncoming(rest, builder_.GetInsertBlock());
  builder_.CreateCondBr(builder_.CreateIsNotNull(rest), loop, after);

  builder_.SetInsertPoint(after);
  Parts parts;
  for (unsigned i = 0; i < types.size(); ++i) {
    Value* value = builder_.CreateLoad(wide(memory_type(types[i])), results[i]);
    parts.push_back(memory_type(types[i]) != types[i] ? builder_.CreateTrunc(value, wide(types[i])) : value);
  }
  if (parts.empty() && !instruction.getType()->isVoidTy())
    for (llvm::Type* type : components(instruction.getType())) parts.push_back(llvm::PoisonValue::get(wide(type)));
  return parts;
}

}  // namespace weft::compiler::simt
