#include "compiler/simt/widen/memory/split_index.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include "compiler/simt/widen/memory/strategies.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

/// From an index to what it is the sum of.
constexpr unsigned kMostSums = 8;

/// Of a narrow index, what a lane has of its own and what all have are each so small that their sum does not wrap around.
constexpr unsigned kBitsOfEach = 30;

}  // namespace

SplitIndex::SplitIndex(Widening& w, const PlaceInRow& place, const llvm::Loop* loop) : w_(w), place_(place), loop_(loop), index_(place.operand) {
  extension_ = llvm::dyn_cast<llvm::CastInst>(index_);
  if (extension_ && llvm::isa<llvm::SExtInst, llvm::ZExtInst>(extension_) && extension_->getSrcTy()->isIntegerTy(32))
    index_ = extension_->getOperand(0);
  else
    extension_ = nullptr;
}

std::optional<SplitIndex> SplitIndex::find(Widening& w, const Access& access) {
  const std::optional<PlaceInRow> place = place_in_row(w, access);
  if (!place) return std::nullopt;
  const auto in = [&](const llvm::Loop* loop) { return SplitIndex(w, *place, loop); };
  const auto may_be = [](const SplitIndex& index) { return index.may_be(*index.index_); };
  const llvm::Loop* loop = scalar_loops(w).getLoopFor(access.instruction.getParent());
  if (!may_be(in(loop))) return std::nullopt;
  while (loop && loop->getParentLoop() && may_be(in(loop->getParentLoop()))) loop = loop->getParentLoop();
  return in(loop);
}

bool SplitIndex::is_unsigned() const { return extension_ && llvm::isa<llvm::ZExtInst>(extension_); }

SplitIndex::Parts SplitIndex::parts() {
  Parts parts = split(index_);
  parts.own = w_.builder.CreateFreeze(parts.own);
  return parts;
}

Value* SplitIndex::address(const Access& access, const Parts& parts, unsigned lane) {
  auto& builder = w_.builder;
  Value* number = builder.CreateExtractElement(parts.own, lane);
  if (extension_) number = builder.CreateCast(extension_->getOpcode(), number, extension_->getType());
  Value* address = address_at(w_, access, place_, lane, number);
  if (!parts.shared) return address;
  auto* whole = builder.getInt64Ty();
  Value* further = is_unsigned() ? builder.CreateZExt(parts.shared, whole) : builder.CreateSExt(parts.shared, whole);
  return builder.CreateGEP(builder.getInt8Ty(), address, builder.CreateMul(further, builder.getInt64(place_.bytes)));
}

Value* SplitIndex::is_small(Value* number) {
  auto& builder = w_.builder;
  const auto constant = [&](unsigned bits) { return llvm::ConstantInt::get(number->getType(), std::uint64_t{1} << bits); };
  if (is_unsigned()) return builder.CreateICmpULT(number, constant(kBitsOfEach));
  return builder.CreateICmpULT(builder.CreateAdd(number, constant(kBitsOfEach)), constant(kBitsOfEach + 1));
}

bool SplitIndex::is_constant(const Value& value) const {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  return !instruction || !loop_ || !loop_->contains(instruction);
}

bool SplitIndex::may_be(Value& value, unsigned steps) const { return w_.is_uniform(&value) || is_sum(value, steps) || is_constant(value); }

/// Whether `value` is made of others by operations that split it. Of what does not change in the loop only what is the same in all lanes
/// is told apart, so that neighbours' indices have one part in common.
bool SplitIndex::is_sum(Value& value, unsigned steps) const {
  const auto* operation = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!operation || steps == kMostSums) return false;
  const bool is_whole = is_constant(value);
  const auto of = [&](unsigned operand) { return may_be(*operation->getOperand(operand), steps + 1); };
  const auto is_same = [&](unsigned operand) { return w_.is_uniform(operation->getOperand(operand)); };
  switch (operation->getOpcode()) {
    case llvm::Instruction::Or:
      if (!llvm::cast<llvm::PossiblyDisjointInst>(operation)->isDisjoint()) return false;
      [[fallthrough]];
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub: return is_whole ? is_same(0) || is_same(1) : of(0) && of(1);
    case llvm::Instruction::Mul:
      return !is_whole && ((is_factor(*operation->getOperand(1)) && of(0)) || (is_factor(*operation->getOperand(0)) && of(1)));
    case llvm::Instruction::Shl: return !is_whole && is_factor(*operation->getOperand(1)) && of(0);
    default: return false;
  }
}

bool SplitIndex::is_factor(Value& value) const { return w_.is_uniform(&value) && is_constant(value); }

SplitIndex::Parts SplitIndex::split(Value* value, unsigned steps) {
  auto& builder = w_.builder;
  if (w_.is_uniform(value)) return {.shared = w_.values.uniform(value)};
  if (!is_sum(*value, steps)) return {.own = w_.values.vector1(value)};
  auto* operation = llvm::cast<llvm::Instruction>(value);
  const unsigned opcode = operation->getOpcode();
  if (opcode == llvm::Instruction::Mul || opcode == llvm::Instruction::Shl) {
    const bool of_second = opcode == llvm::Instruction::Mul && !is_factor(*operation->getOperand(1));
    const Parts of = split(operation->getOperand(of_second), steps + 1);
    Value* factor = w_.values.uniform(operation->getOperand(!of_second));
    const auto multiple = [&](Value* part) -> Value* {
      if (!part) return nullptr;
      Value* by = part->getType()->isVectorTy() ? builder.CreateVectorSplat(w_.lanes, factor) : factor;
      return builder.CreateBinOp(static_cast<llvm::Instruction::BinaryOps>(opcode), part, by);
    };
    return {.shared = multiple(of.shared), .own = multiple(of.own)};
  }
  const Parts left = split(operation->getOperand(0), steps + 1), right = split(operation->getOperand(1), steps + 1);
  const auto combined = [&](Value* a, Value* b) -> Value* {
    if (opcode == llvm::Instruction::Sub) return !b ? a : a ? builder.CreateSub(a, b) : builder.CreateNeg(b);
    return !b ? a : a ? builder.CreateAdd(a, b) : b;
  };
  return {.shared = combined(left.shared, right.shared), .own = combined(left.own, right.own)};
}

}  // namespace weft::compiler::simt
