// Loads and stores of a block of lanes of which the rows are neighbours in memory (grid.h): columns as whole vectors, transposed
// in registers (grid_plan.h).
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>

#include "compiler/simt/widen/widener.h"

namespace weft::compiler::simt {

using llvm::Value;

/// `value`, of a form that grid.h knows, in lane `lane`, whatever its shape.
Value* Widener::tile_value_at(Value* value, unsigned lane) {
  if (is_uniform(value)) return scalar_at(value, 0);
  if (Value* known = tile_values_.lookup({value, lane})) return known;
  auto* instruction = llvm::cast<llvm::Instruction>(value);
  const auto result = [&](Value* made) { return tile_values_[{value, lane}] = made; };
  if (auto* call = llvm::dyn_cast<llvm::CallBase>(instruction)) return result(scalar_primitive(*call, lane));
  llvm::SmallVector<Value*, 4> operands;
  for (Value* operand : instruction->operands()) operands.push_back(tile_value_at(operand, lane));
  if (instruction->getOpcode() == llvm::Instruction::AddrSpaceCast) return operands[0];
  // In a lane that is not live the operands need not be disjoint.
  if (instruction->getOpcode() == llvm::Instruction::Or) return result(builder_.CreateAdd(operands[0], operands[1]));
  llvm::Instruction* copy = instruction->clone();
  for (unsigned i = 0; i < operands.size(); ++i) copy->setOperand(i, operands[i]);
  if (copy->getType() != lowered(copy->getType())) copy->mutateType(lowered(copy->getType()));
  if (mask_) copy->dropPoisonGeneratingAnnotations();
  copy->setDebugLoc(llvm::DebugLoc());
  return result(builder_.Insert(copy, instruction->getName()));
}

/// Whether the number that `check` extends stays in its range at all corners of the block.
Value* Widener::tile_check_holds(const TileCheck& check) {
  auto* integer = builder_.getInt64Ty();
  const auto value_at = [&](unsigned lane) {
    Value* value = tile_value_at(check.extension, lane);
    return check.is_signed ? builder_.CreateSExt(value, integer) : builder_.CreateZExt(value, integer);
  };
  Value* first = value_at(0);
  Value* across = check.across ? static_cast<Value*>(builder_.getInt64(static_cast<std::uint64_t>(*check.across)))
                               : builder_.CreateSub(value_at(1), first);
  Value* width = builder_.CreateMul(across, builder_.getInt64(block_->columns - 1));
  auto* height = builder_.getInt64(static_cast<std::uint64_t>(check.along * (block_->rows - 1)));
  // x in [-2^(n-1), 2^(n-1)) as an unsigned number below 2^n; the first corner is an extended number.
  const std::uint64_t range = std::uint64_t{1} << check.bits;
  Value* shifted = check.is_signed ? builder_.CreateAdd(first, llvm::ConstantInt::get(integer, range / 2)) : first;
  Value* holds = nullptr;
  Value* end = builder_.CreateAdd(shifted, width);
  for (Value* corner : {end, builder_.CreateAdd(shifted, height), builder_.CreateAdd(end, height)}) {
    Value* inside = builder_.CreateICmpULT(corner, builder_.getInt64(range));
    holds = holds ? builder_.CreateAnd(holds, inside) : inside;
  }
  return holds;
}

/// Where the columns begin, and whether the access may go by columns; `holds` is null where it may for certain.
TileColumns Widener::tile_columns(Value* pointer, const TiledAccess& access, bool is_store) {
  const LaneBlock& block = *block_;
  TileColumns columns;
  tile_values_.clear();
  const auto require = [&](Value* ok) { columns.holds = columns.holds ? builder_.CreateAnd(columns.holds, ok) : ok; };
  if (mask_) require(reduce(mask_, false));
  for (const TileCheck& check : access.checks) require(tile_check_holds(check));
  auto* integer = builder_.getInt64Ty();
  columns.first = tile_value_at(pointer, 0);
  if (access.pitch) {
    columns.pitch = builder_.getInt64(static_cast<std::uint64_t>(*access.pitch));
    return columns;
  }
  columns.pitch = builder_.CreateSub(builder_.CreatePtrToInt(tile_value_at(pointer, 1), integer),
                                     builder_.CreatePtrToInt(columns.first, integer));
  if (is_store) {
    // Columns that meet are to be written in the order of the lanes.
    const auto most = static_cast<std::uint64_t>(block.rows * access.unit - 1);
    require(builder_.CreateICmpUGT(builder_.CreateAdd(columns.pitch, builder_.getInt64(most)), builder_.getInt64(2 * most)));
  }
  return columns;
}

/// Addresses of all columns, from the first on.
llvm::SmallVector<Value*, 32> Widener::column_bases(const TileColumns& columns) {
  llvm::SmallVector<Value*, 32> bases{columns.first};
  while (bases.size() < block_->columns) bases.push_back(builder_.CreateGEP(builder_.getInt8Ty(), bases.back(), columns.pitch));
  return bases;
}

/// What the registers of an access of `type` are made of: shuffles of it are the processor's.
llvm::Type* Widener::tile_element(llvm::Type* type) {
  if (type->isIntegerTy() || type->isFloatTy() || type->isDoubleTy()) return type;
  return builder_.getIntNTy(std::min(64u, static_cast<unsigned>(layout_.getTypeSizeInBits(type))));
}

unsigned Widener::tile_pieces(const TiledAccess& access, llvm::Type* element) const {
  return static_cast<unsigned>(static_cast<std::uint64_t>(access.unit) / layout_.getTypeStoreSize(element));
}

void Widener::store_columns(llvm::StoreInst& store, Value* value, const TiledAccess& access, const TilePlan& plan,
                            const TileColumns& columns) {
  auto* element = value->getType()->getScalarType();
  const unsigned units = 1u << plan.inner, run = 1u << plan.run, pieces = tile_pieces(access, element);
  const auto part = [&](Value* from, unsigned first, unsigned count) {
    llvm::SmallVector<int, 64> elements;
    for (unsigned i = 0; i < count * pieces; ++i) elements.push_back(static_cast<int>(first * pieces + i));
    return builder_.CreateShuffleVector(from, elements);
  };
  LaneRegisters::Registers registers;
  for (unsigned first = 0; first < lanes_; first += units) registers.push_back(part(value, first, units));
  LaneRegisters lanes(builder_, std::move(registers), static_cast<unsigned>(access.unit), pieces, plan.inner, plan.places);
  lanes.arrange(plan.wanted);
  // Column by column, from the first row on.
  llvm::SmallVector<std::pair<unsigned, unsigned>, 64> runs(lanes_ / run);
  for (unsigned number = 0; number < lanes.registers().size(); ++number)
    for (unsigned first = 0; first < units; first += run) {
      const unsigned lane = lanes.lane(number, first);
      runs[(lane % block_->columns * block_->rows + lane / block_->columns) / run] = {number, first};
    }
  const auto bases = column_bases(columns);
  const llvm::Align align = std::min(store.getAlign(), llvm::Align(static_cast<std::uint64_t>(access.unit)));
  for (const auto& [number, first] : runs) {
    const unsigned lane = lanes.lane(number, first);
    Value* from = lanes.registers()[number];
    Value* address = builder_.CreateConstGEP1_64(element, bases[lane % block_->columns], lane / block_->columns * pieces);
    llvm::StoreInst* made = builder_.CreateAlignedStore(run == units ? from : part(from, first, run), address, align);
    copy_alias_metadata(*made, store);
  }
}

Value* Widener::load_columns(llvm::LoadInst& load, const TiledAccess& access, const TilePlan& plan, const TileColumns& columns) {
  auto* type = lowered(load.getType());
  auto* element = tile_element(type);
  const unsigned units = 1u << plan.inner, run = 1u << plan.run, pieces = tile_pieces(access, element);
  const auto bases = column_bases(columns);
  const llvm::Align align = std::min(load.getAlign(), llvm::Align(static_cast<std::uint64_t>(access.unit)));
  const LaneRegisters places(builder_, {}, static_cast<unsigned>(access.unit), pieces, plan.inner, plan.places);
  LaneRegisters::Registers registers;
  for (unsigned number = 0; number < lanes_ / units; ++number) {
    llvm::SmallVector<Value*, 8> runs;
    for (unsigned first = 0; first < units; first += run) {
      const unsigned lane = places.lane(number, first);
      Value* address = builder_.CreateConstGEP1_64(element, bases[lane % block_->columns], lane / block_->columns * pieces);
      llvm::LoadInst* made =
          builder_.CreateAlignedLoad(llvm::FixedVectorType::get(element, run * pieces), address, align, load.getName());
      copy_alias_metadata(*made, load);
      runs.push_back(made);
    }
    registers.push_back(runs.size() == 1 ? runs.front() : llvm::concatenateVectors(builder_, runs));
  }
  LaneRegisters lanes(builder_, std::move(registers), static_cast<unsigned>(access.unit), pieces, plan.inner, plan.places);
  lanes.arrange(plan.wanted);
  llvm::SmallVector<Value*, 32> ordered(lanes_ / units);
  for (unsigned number = 0; number < ordered.size(); ++number) ordered[lanes.lane(number, 0) / units] = lanes.registers()[number];
  Value* whole = ordered.size() == 1 ? ordered.front() : llvm::concatenateVectors(builder_, ordered);
  return builder_.CreateBitCast(whole, type->isVectorTy() ? packed_type(type) : wide(type));
}

/// Null, with nothing emitted, where a gather is to do it.
Value* Widener::load_tiled(llvm::LoadInst& load) {
  const auto access = tiled_ ? tiled_->access(load) : std::nullopt;
  const auto plan = access ? plan_tile(*block_, *access, false, request_.traits.register_bits) : std::nullopt;
  if (!plan) return nullptr;
  const TileColumns columns = tile_columns(load.getPointerOperand(), *access, false);
  if (!columns.holds) return load_columns(load, *access, *plan, columns);
  auto* fast = llvm::BasicBlock::Create(context_, "columns", wide_);
  auto* slow = llvm::BasicBlock::Create(context_, "apart", wide_);
  auto* join = llvm::BasicBlock::Create(context_, "loaded", wide_);
  builder_.CreateCondBr(columns.holds, fast, slow, llvm::MDBuilder(context_).createLikelyBranchWeights());
  builder_.SetInsertPoint(fast);
  return or_gathered(load, load_columns(load, *access, *plan, columns), slow, join);
}

/// False, with nothing emitted, where a scatter is to do it.
bool Widener::store_tiled(llvm::StoreInst& store) {
  const auto access = tiled_ ? tiled_->access(store) : std::nullopt;
  if (!access || (access->pitch && std::abs(*access->pitch) < block_->rows * access->unit)) return false;
  const auto plan = plan_tile(*block_, *access, true, request_.traits.register_bits);
  if (!plan) return false;
  auto* type = lowered(store.getValueOperand()->getType());
  auto* element = tile_element(type);
  Value* value = builder_.CreateBitCast(type->isVectorTy() ? packed(store.getValueOperand()) : vector1(store.getValueOperand()),
                                        llvm::FixedVectorType::get(element, lanes_ * tile_pieces(*access, element)));
  const TileColumns columns = tile_columns(store.getPointerOperand(), *access, true);
  if (!columns.holds) {
    store_columns(store, value, *access, *plan, columns);
    return true;
  }
  auto* fast = llvm::BasicBlock::Create(context_, "columns", wide_);
  auto* slow = llvm::BasicBlock::Create(context_, "apart", wide_);
  auto* join = llvm::BasicBlock::Create(context_, "stored", wide_);
  builder_.CreateCondBr(columns.holds, fast, slow, llvm::MDBuilder(context_).createLikelyBranchWeights());
  builder_.SetInsertPoint(fast);
  store_columns(store, value, *access, *plan, columns);
  or_scattered(store, slow, join);
  return true;
}

}  // namespace weft::compiler::simt
