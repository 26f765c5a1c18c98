#include "compiler/simt/analysis/lane_values.h"

#include <llvm/ADT/APInt.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <optional>

#include "compiler/simt/analysis/uniformity.h"

namespace weft::compiler::simt {
namespace {

using llvm::APInt;
using llvm::Instruction;

constexpr unsigned kMaxBits = 64;  // bits

bool is_small_integer(const llvm::Type* type) {
  return type->isIntegerTy() && type->getIntegerBitWidth() <= kMaxBits;
}

/// nullopt if the result is undefined, as it may be in a lane that is not live.
std::optional<APInt> fold_binary(unsigned opcode, const APInt& a, const APInt& b) {
  const unsigned width = a.getBitWidth();
  switch (opcode) {
    case Instruction::Add: return a + b;
    case Instruction::Sub: return a - b;
    case Instruction::Mul: return a * b;
    case Instruction::And: return a & b;
    case Instruction::Or: return a | b;
    case Instruction::Xor: return a ^ b;
    default: break;
  }
  const bool is_shift = opcode == Instruction::Shl || opcode == Instruction::LShr || opcode == Instruction::AShr;
  if (is_shift ? b.uge(width) : b.isZero()) return std::nullopt;
  switch (opcode) {
    case Instruction::Shl: return a.shl(b);
    case Instruction::LShr: return a.lshr(b);
    case Instruction::AShr: return a.ashr(b);
    case Instruction::UDiv: return a.udiv(b);
    case Instruction::URem: return a.urem(b);
    case Instruction::SDiv: return a.sdiv(b);
    case Instruction::SRem: return a.srem(b);
    default: return std::nullopt;
  }
}

std::optional<APInt> fold_intrinsic(llvm::Intrinsic::ID id, const APInt& a, const APInt& b) {
  switch (id) {
    case llvm::Intrinsic::umin: return llvm::APIntOps::umin(a, b);
    case llvm::Intrinsic::umax: return llvm::APIntOps::umax(a, b);
    case llvm::Intrinsic::smin: return llvm::APIntOps::smin(a, b);
    case llvm::Intrinsic::smax: return llvm::APIntOps::smax(a, b);
    default: return std::nullopt;
  }
}

APInt fold_cast(unsigned opcode, const APInt& value, unsigned width) {
  return opcode == Instruction::SExt ? value.sext(width) : value.zextOrTrunc(width);
}

}  // namespace

LaneValues::LaneValues(llvm::Function& function, const Specialization& specialization, unsigned lanes)
    : lanes_(lanes), specialization_(specialization) {
  for (const llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function))
    for (const Instruction& instruction : *block) {
      if (!is_small_integer(instruction.getType())) continue;
      auto result = std::make_unique<Lanes>(lanes_);
      if (compute(instruction, *result)) known_[&instruction] = std::move(result);
    }
}

const LaneValues::Lanes* LaneValues::of(const llvm::Value& value) {
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value);
      constant && is_small_integer(constant->getType())) {
    std::unique_ptr<Lanes>& lanes = known_[constant];
    if (!lanes) lanes = std::make_unique<Lanes>(lanes_, constant->getZExtValue());
    return lanes.get();
  }
  const auto found = known_.find(&value);
  return found == known_.end() ? nullptr : found->second.get();
}

bool LaneValues::knows(const Instruction& instruction) const { return known_.contains(&instruction); }

bool LaneValues::compute(const Instruction& instruction, Lanes& result) {
  if (llvm::isa<llvm::CallBase>(instruction) && of_call(instruction, result)) return true;
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  const bool is_binary = llvm::isa<llvm::BinaryOperator>(instruction);
  if (!is_binary && !call && !llvm::isa<llvm::CastInst, llvm::ICmpInst, llvm::SelectInst, llvm::FreezeInst>(instruction))
    return false;
  const unsigned count = call ? call->arg_size() : instruction.getNumOperands();
  if (count < 1 || count > 3) return false;
  llvm::SmallVector<const Lanes*, 3> operands;
  for (unsigned i = 0; i < count; ++i) {
    const Lanes* lanes = is_small_integer(instruction.getOperand(i)->getType()) ? of(*instruction.getOperand(i)) : nullptr;
    if (!lanes) return false;
    operands.push_back(lanes);
  }
  const unsigned opcode = instruction.getOpcode();
  const unsigned width = instruction.getType()->getIntegerBitWidth();
  const unsigned from = instruction.getOperand(0)->getType()->getIntegerBitWidth();
  for (unsigned lane = 0; lane < lanes_; ++lane) {
    const APInt first(from, (*operands[0])[lane]);
    std::optional<APInt> value;
    if (is_binary) {
      value = fold_binary(opcode, first, APInt(from, (*operands[1])[lane]));
      if (!value) value = APInt::getZero(width);
    } else if (call) {
      if (count != 2) return false;
      value = fold_intrinsic(call->getIntrinsicID(), first, APInt(from, (*operands[1])[lane]));
    } else if (const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction)) {
      value = APInt(1, llvm::ICmpInst::compare(first, APInt(from, (*operands[1])[lane]), compare->getPredicate()));
    } else if (opcode == Instruction::Select) {
      value = APInt(width, (*operands[first.isOne() ? 1 : 2])[lane]);
    } else if (opcode == Instruction::Freeze) {
      value = first;
    } else if (opcode == Instruction::ZExt || opcode == Instruction::SExt || opcode == Instruction::Trunc) {
      value = fold_cast(opcode, first, width);
    }
    if (!value) return false;
    result[lane] = value->getZExtValue();
  }
  return true;
}

/// Computes the local ids and weft.live.
bool LaneValues::of_call(const Instruction& instruction, Lanes& result) const {
  const llvm::StringRef name = called_name(instruction);
  const auto& size = specialization_.local_size;
  if (!size[0]) return false;
  if (name == primitive::kLive) {
    const std::uint64_t items = std::uint64_t{size[0]} * size[1] * size[2];
    for (unsigned lane = 0; lane < lanes_; ++lane) result[lane] = lane < items;
    return true;
  }
  if (!name.starts_with(primitive::kLocalId) || name.size() != primitive::kLocalId.size() + 1) return false;
  const unsigned dimension = static_cast<unsigned>(name.back() - 'x');
  std::uint64_t inner = 1;
  for (unsigned d = 0; d < dimension; ++d) inner *= size[d];
  for (unsigned lane = 0; lane < lanes_; ++lane) {
    const std::uint64_t id = lane / inner;
    result[lane] = dimension == 2 ? id : id % size[dimension];
  }
  return true;
}

}  // namespace weft::compiler::simt
