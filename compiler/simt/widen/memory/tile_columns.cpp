#include "compiler/simt/widen/memory/tile_columns.h"

#include "compiler/simt/widen/primitives.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

TileColumns::TileColumns(Widening& w, Value& pointer, const TiledAccess& access, bool is_store) : w_(w), block_(*w.memory.block) {
  if (w.mask) require(w.reduce(w.mask.lanes(), false));
  for (const TileCheck& check : access.checks) require(check_holds(check));
  auto* integer = w.builder.getInt64Ty();
  first_ = value_at(&pointer, 0);
  if (access.pitch) {
    pitch_ = w.builder.getInt64(static_cast<std::uint64_t>(*access.pitch));
    return;
  }
  pitch_ =
      w.builder.CreateSub(w.builder.CreatePtrToInt(value_at(&pointer, 1), integer), w.builder.CreatePtrToInt(first_, integer));
  if (is_store) {
    // Columns that overlap have to be written in the order of the lanes.
    const auto most = static_cast<std::uint64_t>(block_.rows * access.unit - 1);
    require(w.builder.CreateICmpUGT(w.builder.CreateAdd(pitch_, w.builder.getInt64(most)), w.builder.getInt64(2 * most)));
  }
}

llvm::SmallVector<Value*, 32> TileColumns::bases() {
  llvm::SmallVector<Value*, 32> bases{first_};
  while (bases.size() < block_.columns) bases.push_back(w_.builder.CreateGEP(w_.builder.getInt8Ty(), bases.back(), pitch_));
  return bases;
}

void TileColumns::require(Value* condition) {
  holds_ = holds_ ? w_.builder.CreateAnd(holds_, condition) : condition;
}

/// `value`, of a form that tiled_access.h knows, in lane `lane`, whatever its shape.
Value* TileColumns::value_at(Value* value, unsigned lane) {
  if (w_.is_uniform(value)) return w_.values.scalar_at(value, 0);
  if (Value* known = values_.lookup({value, lane})) return known;
  auto* instruction = llvm::cast<llvm::Instruction>(value);
  const auto result = [&](Value* made) { return values_[{value, lane}] = made; };
  if (auto* call = llvm::dyn_cast<llvm::CallBase>(instruction)) return result(scalar_primitive(w_, *call, lane));
  llvm::SmallVector<Value*, 4> operands;
  for (Value* operand : instruction->operands()) operands.push_back(value_at(operand, lane));
  if (instruction->getOpcode() == llvm::Instruction::AddrSpaceCast) return operands[0];
  // In a lane that is not live the operands need not be disjoint.
  if (instruction->getOpcode() == llvm::Instruction::Or) return result(w_.builder.CreateAdd(operands[0], operands[1]));
  llvm::Instruction* copy = instruction->clone();
  for (unsigned i = 0; i < operands.size(); ++i) copy->setOperand(i, operands[i]);
  if (copy->getType() != w_.lowered(copy->getType())) copy->mutateType(w_.lowered(copy->getType()));
  if (w_.mask) copy->dropPoisonGeneratingAnnotations();
  copy->setDebugLoc(llvm::DebugLoc());
  return result(w_.builder.Insert(copy, instruction->getName()));
}

/// Whether the number that `check` extends stays in its range at all corners of the block.
Value* TileColumns::check_holds(const TileCheck& check) {
  auto& builder = w_.builder;
  auto* integer = builder.getInt64Ty();
  const auto extended_at = [&](unsigned lane) {
    Value* value = value_at(check.extension, lane);
    return check.is_signed ? builder.CreateSExt(value, integer) : builder.CreateZExt(value, integer);
  };
  Value* first = extended_at(0);
  Value* across = check.across ? static_cast<Value*>(builder.getInt64(static_cast<std::uint64_t>(*check.across)))
                               : builder.CreateSub(extended_at(1), first);
  Value* width = builder.CreateMul(across, builder.getInt64(block_.columns - 1));
  auto* height = builder.getInt64(static_cast<std::uint64_t>(check.along * (block_.rows - 1)));
  // x in [-2^(n-1), 2^(n-1)) as an unsigned number below 2^n; the first corner is an extended number.
  const std::uint64_t range = std::uint64_t{1} << check.bits;
  Value* shifted = check.is_signed ? builder.CreateAdd(first, llvm::ConstantInt::get(integer, range / 2)) : first;
  Value* holds = nullptr;
  Value* end = builder.CreateAdd(shifted, width);
  for (Value* corner : {end, builder.CreateAdd(shifted, height), builder.CreateAdd(end, height)}) {
    Value* inside = builder.CreateICmpULT(corner, builder.getInt64(range));
    holds = holds ? builder.CreateAnd(holds, inside) : inside;
  }
  return holds;
}

}  // namespace weft::compiler::simt
