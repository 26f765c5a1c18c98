// A value in one lane.
#include <llvm/IR/Instructions.h>

#include "compiler/passes/pass_list.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/widen/memory/access.h"
#include "compiler/simt/widen/operations.h"
#include "compiler/simt/widen/primitives.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

Value* WideValues::scalar_at(Value* value, unsigned lane) {
  if (auto* constant = llvm::dyn_cast<llvm::Constant>(value)) {
    if (!constant->getType()->isPtrOrPtrVectorTy() || constant->getType() == w_.lowered(constant->getType())) return constant;
    if (constant->isNullValue()) return llvm::Constant::getNullValue(w_.lowered(constant->getType()));
    return llvm::ConstantExpr::getPointerBitCastOrAddrSpaceCast(constant, w_.lowered(constant->getType()));
  }
  if (!llvm::isa<llvm::Instruction>(value) && !llvm::isa<llvm::Argument>(value)) return value;  // metadata
  const Shape shape = w_.shape(value);
  const auto& bases = bases_[value];
  if (bases.empty()) {
    w_.fail(*llvm::cast<llvm::Instruction>(value), "no scalar form");
    return llvm::PoisonValue::get(w_.lowered(value->getType()));
  }
  Value* base = bases.size() == 1 ? bases.front() : bases[lane / shape.segment];
  const std::int64_t distance =
      bases.size() == 1 && !llvm::isa<llvm::Instruction>(value) ? 0 : shape.stride * (lane % shape.segment);
  if (!distance) return base;
  if (base->getType()->isPointerTy()) return w_.builder.CreateGEP(w_.builder.getInt8Ty(), base, w_.builder.getInt64(distance));
  return w_.builder.CreateAdd(base, llvm::ConstantInt::get(base->getType(), static_cast<std::uint64_t>(distance), true));
}

Value* WideValues::exact_at(Value* value, unsigned lane) {
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || !w_.shape(value).checked) return scalar_at(value, lane);
  return clone_at(*instruction, lane, true);
}

/// Memory for all lanes' copies of `variable`. Each lane has a whole copy behind the lane before, so that any pointer finds its
/// own lane's; or, of an interleaved variable, units of all lanes lie side by side (interleave.h).
Value* WideValues::clone_variable(const llvm::AllocaInst& variable) {
  const std::uint64_t bytes = variable.getAllocationSize(w_.layout)->getFixedValue();
  const std::uint64_t unit = std::max<std::uint64_t>(1, interleaved_unit(variable));
  auto* type = llvm::ArrayType::get(w_.builder.getInt8Ty(), llvm::alignTo(bytes, unit) * w_.lanes);
  return w_.new_variable(type, std::max(variable.getAlign(), llvm::Align(64)), variable.getName());
}

/// Whether the components of `load`, an OpenCL vector that segments of lanes share, are read one by one: where each goes alone into registers
/// that hold nothing else, a load repeats it, and components of a vector would take a shuffle each.
bool WideValues::reads_numbers(const llvm::LoadInst& load) const {
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(load.getType());
  if (!type || load.isAtomic() || w_.is_uniform(&load) || !w_.control.is_on(passes::Pass::kPackVectors)) return false;
  if (load.isVolatile() && !load.hasMetadata(primitive::kNonVolatileMetadata)) return false;
  const unsigned bits = type->getScalarSizeInBits();
  if (type->getElementType()->isPointerTy() || bits < 32) return false;
  // A number that a vector repeats for all components, or one in each lane.
  const auto times = [](const llvm::Value* value) {
    const auto* repeated = llvm::dyn_cast<llvm::ShuffleVectorInst>(value);
    return repeated && repeated->isZeroEltSplat() ? static_cast<unsigned>(repeated->getShuffleMask().size()) : 1;
  };
  const auto fill_registers = [&](unsigned times) { return w_.shape(&load).segment * times * bits >= w_.traits.register_bits; };
  const auto fills_registers = [&](const llvm::User* user) {
    return fill_registers(llvm::isa<llvm::InsertElementInst>(user) && user->hasOneUse() ? times(*user->user_begin()) : 1);
  };
  return llvm::all_of(load.users(), [&](const llvm::User* user) {
    if (const auto component = repeated_component(*user); component && component->first == &load)
      return fill_registers(static_cast<unsigned>(llvm::cast<llvm::ShuffleVectorInst>(user)->getShuffleMask().size()));
    const auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(user);
    return extract && llvm::isa<llvm::ConstantInt>(extract->getIndexOperand()) && llvm::all_of(extract->users(), fills_registers);
  });
}

/// `load` at `address`, component by component.
Value* WideValues::load_numbers(const llvm::LoadInst& load, Value* address) {
  auto* type = llvm::cast<llvm::FixedVectorType>(load.getType());
  const std::uint64_t bytes = w_.layout.getTypeStoreSize(type->getElementType());
  Value* vector = llvm::PoisonValue::get(type);
  for (unsigned i = 0; i < type->getNumElements(); ++i) {
    Value* place = w_.builder.CreateConstInBoundsGEP1_64(w_.builder.getInt8Ty(), address, i * bytes);
    const llvm::Align align = llvm::commonAlignment(load.getAlign(), i * bytes);
    llvm::LoadInst* number = w_.builder.CreateAlignedLoad(type->getElementType(), place, align, load.getName());
    copy_alias_metadata(*number, load);
    vector = w_.builder.CreateInsertElement(vector, number, i);
  }
  return vector;
}

Value* WideValues::clone_at(llvm::Instruction& instruction, unsigned lane, bool exact) {
  if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    if (Value* value = scalar_primitive(w_, *call, lane)) return value;
  if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) return clone_variable(*variable);
  auto operand = [&](unsigned i) {
    Value* value = instruction.getOperand(i);
    if (w_.shape(value).is_varying()) return value_in_lane(value, lane);  // what chooses between progressions
    return exact ? exact_at(value, lane) : scalar_at(value, lane);
  };
  const unsigned opcode = instruction.getOpcode();
  if (opcode == llvm::Instruction::AddrSpaceCast) return operand(0);
  // In a lane that is not live the operands need not be disjoint, and the base of a segment may be such a lane.
  if (opcode == llvm::Instruction::Or && w_.shape(&instruction).stride != 0)
    return w_.builder.CreateAdd(operand(0), operand(1), instruction.getName());
  if (opcode == llvm::Instruction::ZExt && instruction.hasNonNeg() && w_.shape(&instruction).stride != 0)
    return w_.builder.CreateSExt(operand(0), instruction.getType(), instruction.getName());
  const bool everyone = !w_.mask || w_.is_uniform(&instruction);
  if ((opcode == llvm::Instruction::SDiv || opcode == llvm::Instruction::UDiv || opcode == llvm::Instruction::SRem ||
       opcode == llvm::Instruction::URem) &&
      !instruction.getType()->isVectorTy())
    return divide(w_, instruction, operand(0), operand(1));
  llvm::SmallVector<Value*, 4> operands;
  for (unsigned i = 0; i < instruction.getNumOperands(); ++i)
    operands.push_back(llvm::isa<llvm::Function>(instruction.getOperand(i)) ? instruction.getOperand(i) : operand(i));
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && !w_.is_uniform(load)) {
    // A segment of which no lane is live may hold any address.
    Value* live = w_.mask.segment(lane, w_.shape(load).segment, 1);
    if (live) operands[0] = w_.scratch.safe_pointer(operands[0], w_.reduce(live, true), w_.lowered(load->getType()));
    if (reads_numbers(*load)) return load_numbers(*load, operands[0]);
  }
  llvm::Instruction* copy = instruction.clone();
  for (unsigned i = 0; i < operands.size(); ++i) {
    // Functions are declared for pointers of one address space.
    llvm::Type* type = instruction.getOperand(i)->getType();
    if (llvm::isa<llvm::CallBase>(copy) && type->isPointerTy() && operands[i]->getType() != type)
      operands[i] = w_.builder.CreateAddrSpaceCast(operands[i], type);
    copy->setOperand(i, operands[i]);
  }
  if (copy->getType() != w_.lowered(copy->getType())) copy->mutateType(w_.lowered(copy->getType()));
  if (!everyone) copy->dropPoisonGeneratingAnnotations();
  if (llvm::isa<llvm::LoadInst>(copy)) {
    auto* load = llvm::cast<llvm::LoadInst>(copy);
    if (load->hasMetadata(primitive::kNonVolatileMetadata)) load->setVolatile(false);
    load->setMetadata(primitive::kNonVolatileMetadata, nullptr);
  }
  copy->setDebugLoc(llvm::DebugLoc());
  w_.builder.Insert(copy, instruction.getName());
  return copy;
}

Value* WideValues::value_in_lane(Value* value, unsigned lane, unsigned depth) {
  const Shape shape = w_.shape(value);
  if (llvm::isa<llvm::Constant>(value) || (shape.is_affine() && !shape.checked)) return scalar_at(value, lane);
  if (shape.checked) return exact_at(value, lane);
  auto* instruction = llvm::cast<llvm::Instruction>(value);
  constexpr unsigned kDeepest = 3;
  if (depth < kDeepest && !value->getType()->isVectorTy()) {
    switch (instruction->getOpcode()) {
      case llvm::Instruction::GetElementPtr: {
        auto* gep = llvm::cast<llvm::GetElementPtrInst>(instruction);
        if (!w_.is_uniform(gep->getPointerOperand()) && !llvm::isa<llvm::Instruction>(gep->getPointerOperand())) break;
        llvm::SmallVector<Value*, 4> indices;
        for (Value* index : gep->indices()) indices.push_back(value_in_lane(index, lane, depth + 1));
        return w_.builder.CreateGEP(gep->getSourceElementType(), value_in_lane(gep->getPointerOperand(), lane, depth + 1),
                                    indices);
      }
      case llvm::Instruction::ICmp:
        return w_.builder.CreateICmp(llvm::cast<llvm::ICmpInst>(instruction)->getPredicate(),
                                     value_in_lane(instruction->getOperand(0), lane, depth + 1),
                                     value_in_lane(instruction->getOperand(1), lane, depth + 1));
      case llvm::Instruction::Select:
        return w_.builder.CreateSelect(value_in_lane(instruction->getOperand(0), lane, depth + 1),
                                       value_in_lane(instruction->getOperand(1), lane, depth + 1),
                                       value_in_lane(instruction->getOperand(2), lane, depth + 1));
      case llvm::Instruction::SExt:
      case llvm::Instruction::ZExt:
        return w_.builder.CreateCast(static_cast<llvm::Instruction::CastOps>(instruction->getOpcode()),
                                     value_in_lane(instruction->getOperand(0), lane, depth + 1), instruction->getType());
      default: break;
    }
  }
  const Parts parts = vector(value);
  if (auto* type = llvm::dyn_cast<llvm::FixedVectorType>(value->getType())) {
    Value* result = llvm::PoisonValue::get(w_.lowered(type));
    for (unsigned i = 0; i < parts.size(); ++i)
      result = w_.builder.CreateInsertElement(result, w_.builder.CreateExtractElement(parts[i], lane), i);
    return result;
  }
  return w_.builder.CreateExtractElement(parts.front(), lane);
}

Value* WideValues::in_live_lane(Value* value, llvm::Intrinsic::ID scan) {
  if (!w_.mask) return value_in_lane(value, scan == llvm::Intrinsic::ctlz ? w_.lanes - 1 : 0);
  Value* bits = w_.mask.bits();
  Value* lane = w_.builder.CreateBinaryIntrinsic(scan, bits, w_.builder.getFalse());
  auto* last = llvm::ConstantInt::get(bits->getType(), w_.lanes - 1);
  if (scan == llvm::Intrinsic::ctlz) lane = w_.builder.CreateSub(last, lane);
  lane = w_.builder.CreateAnd(lane, last);  // in range also when no lane is live
  const Parts parts = vector(value);
  if (!value->getType()->isVectorTy()) return w_.builder.CreateExtractElement(parts.front(), lane);
  Value* result = llvm::PoisonValue::get(w_.lowered(value->getType()));
  for (unsigned c = 0; c < parts.size(); ++c)
    result = w_.builder.CreateInsertElement(result, w_.builder.CreateExtractElement(parts[c], lane), c);
  return result;
}

}  // namespace weft::compiler::simt
