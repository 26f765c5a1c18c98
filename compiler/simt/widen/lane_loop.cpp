#include "compiler/simt/widen/lane_loop.h"

#include <llvm/IR/Module.h>

#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/widen/atomic.h"
#include "compiler/simt/widen/memory/access.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

Parts lane_loop(Widening& w, llvm::Instruction& instruction) {
  w.control.remark(&instruction, llvm::Twine(instruction.getOpcodeName()) + ": one live lane after the other, in a loop");
  // An array of i1 or i24 has gaps, a vector has none: in memory they are the next whole integer.
  auto memory_type = [&](llvm::Type* type) -> llvm::Type* {
    const bool gaps = type->isIntegerTy() && !solid_bits(type, w.layout);
    return gaps ? w.builder.getIntNTy(static_cast<unsigned>(8 * w.layout.getTypeAllocSize(type))) : type;
  };
  auto temporary = [&](llvm::Type* type) {
    const llvm::IRBuilder<>::InsertPointGuard guard(w.builder);
    w.builder.SetInsertPoint(w.entry_point);
    auto* array = w.builder.CreateAlloca(llvm::ArrayType::get(memory_type(type), w.lanes), nullptr, "lanes");
    // Whole vectors go in and out, at a vector's alignment.
    array->setAlignment(w.layout.getABITypeAlign(w.wide(memory_type(type))));
    return array;
  };
  auto address = [&](Value* array, llvm::Type* type, Value* lane) {
    return w.builder.CreateInBoundsGEP(memory_type(type), array, lane);
  };
  auto store_all = [&](Value* wide_value) {
    auto* type = wide_value->getType()->getScalarType();
    Value* array = temporary(type);
    if (memory_type(type) != type) wide_value = w.builder.CreateZExt(wide_value, w.wide(memory_type(type)));
    w.builder.CreateStore(wide_value, array);
    return array;
  };
  auto load_one = [&](Value* array, llvm::Type* type, Value* lane) -> Value* {
    Value* value = w.builder.CreateLoad(memory_type(type), address(array, type, lane));
    return memory_type(type) != type ? w.builder.CreateTrunc(value, type) : value;
  };

  // Operands: scalars where uniform, computed from the lane's number where they follow it, otherwise an array in memory
  // that the loop indexes by lane.
  struct Operand {
    Value* scalar = nullptr;
    std::int64_t stride = 0;
    llvm::SmallVector<Value*, 4> arrays;
  };
  const auto follows_lanes = [&](const Value& value) {
    const Shape shape = w.shape(&value);
    const llvm::Type* type = value.getType();
    return shape.is_affine() && !shape.checked && shape.segment == w.lanes && (type->isIntegerTy() || type->isPointerTy());
  };
  llvm::SmallVector<Operand, 4> operands;
  for (Value* operand : instruction.operands()) {
    Operand entry;
    if (llvm::isa<llvm::Function>(operand) || operand->getType()->isMetadataTy()) {
      entry.scalar = operand;
    } else if (w.is_uniform(operand)) {
      entry.scalar = w.values.uniform(operand);
    } else if (follows_lanes(*operand)) {
      entry.scalar = w.values.scalar_at(operand, 0);
      entry.stride = w.shape(operand).stride;
    } else {
      for (Value* part : w.values.vector(operand)) entry.arrays.push_back(store_all(part));
    }
    operands.push_back(std::move(entry));
  }
  const bool has_result = !instruction.getType()->isVoidTy() && !instruction.use_empty();
  const auto types = has_result ? w.components(instruction.getType()) : llvm::SmallVector<llvm::Type*, 4>();
  llvm::SmallVector<Value*, 4> results;
  for (llvm::Type* type : types) results.push_back(temporary(type));

  auto* mask_type = w.builder.getIntNTy(w.lanes);
  Value* live = w.mask ? w.builder.CreateBitCast(w.mask.lanes(), mask_type) : llvm::Constant::getAllOnesValue(mask_type);
  llvm::BasicBlock* before = w.builder.GetInsertBlock();
  auto* loop = w.new_block("lane");
  auto* after = w.new_block("lanes.done");
  w.builder.CreateCondBr(w.builder.CreateIsNotNull(live), loop, after);
  w.builder.SetInsertPoint(loop);
  llvm::PHINode* left = w.builder.CreatePHI(mask_type, 2, "left");
  left->addIncoming(live, before);
  Value* lane = w.builder.CreateZExtOrTrunc(
      w.builder.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, left, w.builder.getTrue()), w.builder.getInt64Ty(), "lane");

  llvm::Instruction* copy = instruction.clone();
  for (unsigned i = 0; i < operands.size(); ++i) {
    auto* type = instruction.getOperand(i)->getType();
    Value* value = operands[i].scalar;
    if (!value && type->isVectorTy()) {
      value = llvm::PoisonValue::get(w.lowered(type));
      for (unsigned c = 0; c < operands[i].arrays.size(); ++c)
        value = w.builder.CreateInsertElement(
            value, load_one(operands[i].arrays[c], w.lowered(type->getScalarType()), lane), c);
    } else if (!value && type->isAggregateType()) {
      w.fail(instruction, "an aggregate operand in a lane loop");
      value = llvm::PoisonValue::get(type);
    } else if (!value) {
      value = load_one(operands[i].arrays.front(), w.lowered(type), lane);
    } else if (const std::int64_t stride = operands[i].stride) {
      Value* distance = w.builder.CreateMul(lane, w.builder.getInt64(static_cast<std::uint64_t>(stride)));
      value = type->isPointerTy() ? w.builder.CreateGEP(w.builder.getInt8Ty(), value, distance)
                                  : w.builder.CreateAdd(value, w.builder.CreateSExtOrTrunc(distance, type));
    }
    // Intrinsics are declared for pointers of one address space.
    if (llvm::isa<llvm::CallBase>(instruction) && value->getType() != type && type->isPointerTy())
      value = w.builder.CreateAddrSpaceCast(value, type);
    copy->setOperand(i, value);
  }
  if (!llvm::isa<llvm::CallBase>(copy) && copy->getType() != w.lowered(copy->getType()))
    copy->mutateType(w.lowered(copy->getType()));
  copy->setDebugLoc(llvm::DebugLoc());
  copy->setMetadata(primitive::kNonVolatileMetadata, nullptr);
  w.builder.Insert(copy);
  for (unsigned i = 0; i < types.size(); ++i) {
    Value* value = copy;
    if (instruction.getType()->isVectorTy())
      value = w.builder.CreateExtractElement(copy, i);
    else if (instruction.getType()->isAggregateType())
      value = w.builder.CreateExtractValue(copy, i);
    if (memory_type(types[i]) != types[i]) value = w.builder.CreateZExt(value, memory_type(types[i]));
    w.builder.CreateStore(value, address(results[i], types[i], lane));
  }
  if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction))
    relax_local_atomic(*copy, instruction.getOperand(0)->getType()->getPointerAddressSpace());
  Value* rest = w.builder.CreateAnd(left, w.builder.CreateSub(left, llvm::ConstantInt::get(mask_type, 1)));
  left->addIncoming(rest, w.builder.GetInsertBlock());
  w.builder.CreateCondBr(w.builder.CreateIsNotNull(rest), loop, after);

  w.builder.SetInsertPoint(after);
  Parts parts;
  for (unsigned i = 0; i < types.size(); ++i) {
    Value* value = w.builder.CreateLoad(w.wide(memory_type(types[i])), results[i]);
    parts.push_back(memory_type(types[i]) != types[i] ? w.builder.CreateTrunc(value, w.wide(types[i])) : value);
  }
  if (parts.empty() && !instruction.getType()->isVoidTy())
    for (llvm::Type* type : w.components(instruction.getType())) parts.push_back(llvm::PoisonValue::get(w.wide(type)));
  return parts;
}

}  // namespace weft::compiler::simt
