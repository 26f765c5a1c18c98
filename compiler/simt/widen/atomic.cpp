// Atomic updates. Lanes take their turns in order, the lowest first; where all of a warp's lanes meet at one address, one
// update of the memory does for all of them.
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

#include <optional>

#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/widen/widener.h"

namespace weft::compiler::simt {

using llvm::AtomicRMWInst;
using llvm::Value;

namespace {

constexpr unsigned kMostWrittenOut = 8;  // updates of global memory: each is some hundred instructions
constexpr unsigned kChunk = 32;  // lanes that are ranked together: a warp

bool is_sum(AtomicRMWInst::BinOp operation) {
  return operation == AtomicRMWInst::Add || operation == AtomicRMWInst::Sub;
}

/// What leaves every value as it is; nothing where lanes cannot be combined.
std::optional<llvm::APInt> neutral(AtomicRMWInst::BinOp operation, unsigned bits) {
  switch (operation) {
    case AtomicRMWInst::Add:
    case AtomicRMWInst::Sub:
    case AtomicRMWInst::Or:
    case AtomicRMWInst::Xor:
    case AtomicRMWInst::UMax: return llvm::APInt::getZero(bits);
    case AtomicRMWInst::And:
    case AtomicRMWInst::UMin: return llvm::APInt::getAllOnes(bits);
    case AtomicRMWInst::Max: return llvm::APInt::getSignedMinValue(bits);
    case AtomicRMWInst::Min: return llvm::APInt::getSignedMaxValue(bits);
    default: return std::nullopt;
  }
}

Value* combine(llvm::IRBuilder<>& builder, AtomicRMWInst::BinOp operation, Value* lanes) {
  switch (operation) {
    case AtomicRMWInst::And: return builder.CreateAndReduce(lanes);
    case AtomicRMWInst::Or: return builder.CreateOrReduce(lanes);
    case AtomicRMWInst::Xor: return builder.CreateXorReduce(lanes);
    case AtomicRMWInst::Max: return builder.CreateIntMaxReduce(lanes, true);
    case AtomicRMWInst::Min: return builder.CreateIntMinReduce(lanes, true);
    case AtomicRMWInst::UMax: return builder.CreateIntMaxReduce(lanes, false);
    case AtomicRMWInst::UMin: return builder.CreateIntMinReduce(lanes, false);
    default: return builder.CreateAddReduce(lanes);
  }
}

unsigned count_atomics(llvm::Function& function) {
  return static_cast<unsigned>(
      llvm::count_if(llvm::instructions(function), [](auto& one) { return llvm::isa<AtomicRMWInst>(one); }));
}

/// Whether it is one instruction, not a loop around a comparison and exchange. `asked`: for the old value.
bool is_one_instruction(const AtomicRMWInst& update, bool asked) {
  const llvm::Type* type = update.getType();
  if (!type->isIntegerTy(32) && !type->isIntegerTy(64)) return false;
  switch (update.getOperation()) {
    case AtomicRMWInst::Xchg:
    case AtomicRMWInst::Add:
    case AtomicRMWInst::Sub: return true;
    case AtomicRMWInst::And:
    case AtomicRMWInst::Or:
    case AtomicRMWInst::Xor: return !asked;
    default: return false;
  }
}

}  // namespace

/// A group runs on one thread, and its local memory is nobody else's: no need to keep others out.
void relax_local_atomic(llvm::Instruction& atomic, unsigned address_space) {
  if (address_space != kLocalSpace) return;
  // Either ends the instruction's life.
  if (auto* update = llvm::dyn_cast<AtomicRMWInst>(&atomic)) {
    llvm::lowerAtomicRMWInst(update);
  } else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&atomic)) {
    llvm::lowerAtomicCmpXchgInst(exchange);
  }
}

Parts Widener::widen_atomic(AtomicRMWInst& update) {
  Value* operand = update.getValOperand();
  const bool asked = !update.use_empty();
  const auto operation = update.getOperation();
  const bool possible = is_uniform(update.getPointerOperand()) && operand->getType()->isIntegerTy() &&
                        neutral(operation, operand->getType()->getIntegerBitWidth()) &&
                        (!asked || (is_sum(operation) && is_uniform(operand)));
  if (possible) return update_once(update);
  // Plain accesses are so short that the loop over lanes costs more than they do. Behind an atomic instruction loads
  // have to wait; what the loop loads for the next lane must be in registers by then.
  const bool is_short = update.getPointerAddressSpace() == kLocalSpace ||
                        (is_one_instruction(update, asked) && count_atomics(scalar_) <= kMostWrittenOut);
  if (!is_short || lanes_ != kChunk) return lane_loop(update);
  if (!mask_) return update_in_turn(update);
  auto* all = llvm::BasicBlock::Create(context_, "all", wide_);
  auto* some = llvm::BasicBlock::Create(context_, "some", wide_);
  auto* join = llvm::BasicBlock::Create(context_, "updated", wide_);
  builder_.CreateCondBr(builder_.CreateIsNull(builder_.CreateNot(live_bits())), all, some);
  builder_.SetInsertPoint(all);
  Value* from_all = update_in_turn(update).front();
  llvm::BasicBlock* all_end = builder_.GetInsertBlock();
  builder_.CreateBr(join);
  builder_.SetInsertPoint(some);
  Value* from_some = lane_loop(update).front();
  llvm::BasicBlock* some_end = builder_.GetInsertBlock();
  builder_.CreateBr(join);
  builder_.SetInsertPoint(join);
  llvm::PHINode* phi = builder_.CreatePHI(from_all->getType(), 2);
  phi->addIncoming(from_all, all_end);
  phi->addIncoming(from_some, some_end);
  return {phi};
}

/// The turns written out, for an update by all lanes.
Parts Widener::update_in_turn(AtomicRMWInst& update) {
  const bool asked = !update.use_empty();
  llvm::Type* type = lowered(update.getType());
  llvm::SmallVector<AtomicRMWInst*, kChunk> turns;
  Value* result = llvm::PoisonValue::get(wide(type));
  for (unsigned lane = 0; lane < lanes_; ++lane) {
    AtomicRMWInst* turn = builder_.CreateAtomicRMW(
        update.getOperation(), value_in_lane(update.getPointerOperand(), lane),
        value_in_lane(update.getValOperand(), lane), update.getAlign(), update.getOrdering(), update.getSyncScopeID());
    turn->setVolatile(update.isVolatile() && update.getPointerAddressSpace() != kLocalSpace);
    turns.push_back(turn);
    if (asked) result = builder_.CreateInsertElement(result, turn, lane);
  }
  for (AtomicRMWInst* turn : turns) relax_local_atomic(*turn, update.getPointerAddressSpace());
  return {result};
}

/// One update with what all live lanes bring. A lane that asks for the old value gets what it would have found in its turn.
Parts Widener::update_once(AtomicRMWInst& update) {
  const auto operation = update.getOperation();
  Value* operand = update.getValOperand();
  auto* type = llvm::cast<llvm::IntegerType>(operand->getType());
  Value* pointer = uniform(update.getPointerOperand());
  Value* rank = nullptr;
  Value* count = llvm::ConstantInt::get(type, lanes_);
  const bool asked = !update.use_empty();
  const bool multiplies = is_sum(operation) && is_uniform(operand);
  if (multiplies) {
    if (asked) rank = rank_of_lanes(type);
    if (mask_)
      count = builder_.CreateZExtOrTrunc(builder_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, live_bits()), type);
  }
  Value* total;
  if (multiplies) {
    total = builder_.CreateMul(uniform(operand), count);
  } else {
    Value* lanes = vector1(operand);
    if (mask_)
      lanes = builder_.CreateSelect(
          mask_, lanes, llvm::ConstantInt::get(lanes->getType(), *neutral(operation, type->getBitWidth())));
    total = combine(builder_, operation, lanes);
  }

  // The address may be anything where no lane is live.
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  llvm::BasicBlock* after = nullptr;
  if (mask_) {
    Value* any = builder_.CreateIsNotNull(live_bits());
    auto* once = llvm::BasicBlock::Create(context_, "once", wide_);
    after = llvm::BasicBlock::Create(context_, "updated", wide_);
    builder_.CreateCondBr(any, once, after);
    builder_.SetInsertPoint(once);
  }
  Value* old = builder_.CreateAtomicRMW(operation, pointer, total, update.getAlign(), update.getOrdering(),
                                        update.getSyncScopeID());
  llvm::AtomicRMWInst* made = llvm::cast<AtomicRMWInst>(old);
  if (mask_) {
    builder_.CreateBr(after);
    builder_.SetInsertPoint(after);
    llvm::PHINode* phi = builder_.CreatePHI(type, 2);
    phi->addIncoming(old, made->getParent());
    phi->addIncoming(llvm::Constant::getNullValue(type), before);
    old = phi;
  }
  Value* result = llvm::PoisonValue::get(wide(type));
  if (asked) {
    Value* first = builder_.CreateVectorSplat(lanes_, old);
    Value* taken = builder_.CreateMul(rank, builder_.CreateVectorSplat(lanes_, uniform(operand)));
    result = operation == AtomicRMWInst::Add ? builder_.CreateAdd(first, taken) : builder_.CreateSub(first, taken);
  }
  relax_local_atomic(*made, update.getPointerAddressSpace());
  return {result};
}

/// For each lane, how many live lanes come before it.
Value* Widener::rank_of_lanes(llvm::IntegerType* type) {
  if (!mask_) return lane_numbers(type, lanes_, 1);
  auto* word = builder_.getInt32Ty();
  llvm::SmallVector<llvm::Constant*, kChunk> lower;
  for (unsigned lane = 0; lane < kChunk; ++lane) lower.push_back(builder_.getInt32((1u << lane) - 1));
  Value* bits = live_bits();
  Value* earlier = builder_.getInt32(0);
  llvm::SmallVector<Value*, 8> chunks;
  for (unsigned lane = 0; lane < lanes_; lane += kChunk) {
    Value* chunk = builder_.CreateTrunc(builder_.CreateLShr(bits, lane), word);
    Value* below = builder_.CreateAnd(builder_.CreateVectorSplat(kChunk, chunk), llvm::ConstantVector::get(lower));
    Value* ranks = builder_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, below);
    chunks.push_back(builder_.CreateAdd(ranks, builder_.CreateVectorSplat(kChunk, earlier)));
    earlier = builder_.CreateAdd(earlier, builder_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, chunk));
  }
  Value* all = chunks.size() == 1 ? chunks.front() : llvm::concatenateVectors(builder_, chunks);
  return builder_.CreateZExtOrTrunc(all, wide(type));
}

}  // namespace weft::compiler::simt
