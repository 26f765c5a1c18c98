#include "compiler/simt/widen/counted_quotients.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "compiler/compiler_api.h"
#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/widen/memory/two_ways.h"
#include "compiler/simt/widen/operations.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::Value;

/// Lanes that count on: shorter pieces have a scalar division each.
constexpr unsigned kLeastPiece = 16;

/// What an id is no greater than, or a part of it that has all of its bits. Of what is made of it flags know more, but not for lanes that are off.
std::optional<std::uint64_t> greatest_id(const Value& value) {
  const Value* id = &value;
  if (const auto* part = llvm::dyn_cast<llvm::TruncInst>(id)) id = part->getOperand(0);
  const auto* call = llvm::dyn_cast<llvm::CallBase>(id);
  const auto range = call ? call->getRange() : std::nullopt;
  if (!range) return std::nullopt;
  return range->getUnsignedMax().getZExtValue();
}

/// A division of `lanes` numbers, piece after piece.
class Counted {
 public:
  Counted(Widening& w, Instruction& division, unsigned piece) : w_(w), b_(w.builder), division_(division), type_(division.getType()), piece_(piece) {
    const unsigned opcode = division.getOpcode();
    is_signed_ = opcode == Instruction::SDiv || opcode == Instruction::SRem;
    is_quotient_ = opcode == Instruction::SDiv || opcode == Instruction::UDiv;
    divisor_ = frozen(w.values.uniform(division.getOperand(1)));
    for (unsigned lane = 0; lane < w.lanes; lane += piece) firsts_.push_back(frozen(w.values.value_in_lane(division.getOperand(0), lane)));
  }

  /// Whether no piece has more than two rows, and none is negative or wraps around.
  Value* holds() {
    auto* lanes = llvm::ConstantInt::get(type_, piece_);
    Value* all = is_signed_ ? b_.CreateICmpSGE(divisor_, lanes) : b_.CreateICmpUGE(divisor_, lanes);
    const unsigned bits = type_->getIntegerBitWidth();
    const llvm::APInt most = is_signed_ ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits);
    if (const auto greatest = greatest_id(*division_.getOperand(0)); greatest && *greatest < most.getZExtValue() - piece_) return all;
    for (Value* first : firsts_) all = b_.CreateAnd(all, b_.CreateICmpULE(first, llvm::ConstantInt::get(type_, most - (piece_ - 1))));
    return all;
  }

  /// Of each piece's first lane, whatever holds.
  void divide_firsts() {
    Value* by = llvm::isa<llvm::ConstantInt>(divisor_) ? divisor_ : b_.CreateBinaryIntrinsic(llvm::Intrinsic::umax, divisor_, llvm::ConstantInt::get(type_, 1));
    for (Value* first : firsts_) {
      quotients_.push_back(b_.CreateUDiv(first, by, "row"));
      remainders_.push_back(b_.CreateSub(first, b_.CreateMul(quotients_.back(), by), "in.row"));
    }
  }

  Value* lanes() {
    llvm::SmallVector<Value*, 8> rooms;
    for (Value* remainder : remainders_) rooms.push_back(b_.CreateSub(divisor_, remainder));
    Value* numbers = w_.lane_numbers(type_, piece_, 1);
    Value* next = b_.CreateICmpUGE(numbers, spread(rooms), "in.next");
    if (is_quotient_) return b_.CreateAdd(spread(quotients_), b_.CreateZExt(next, numbers->getType()));
    Value* remainders = b_.CreateAdd(spread(remainders_), numbers);
    return b_.CreateSelect(next, b_.CreateSub(remainders, b_.CreateVectorSplat(w_.lanes, divisor_)), remainders);
  }

 private:
  /// A work-item that is not there may have no number and no divisor.
  Value* frozen(Value* value) { return llvm::isa<llvm::ConstantInt>(value) ? value : b_.CreateFreeze(value); }

  /// Each of `scalars` for the lanes of its piece.
  Value* spread(llvm::ArrayRef<Value*> scalars) {
    if (scalars.size() == 1) return b_.CreateVectorSplat(w_.lanes, scalars.front());
    Value* all = llvm::PoisonValue::get(llvm::FixedVectorType::get(type_, static_cast<unsigned>(scalars.size())));
    for (unsigned i = 0; i < scalars.size(); ++i) all = b_.CreateInsertElement(all, scalars[i], i);
    llvm::SmallVector<int, 64> pieces;
    for (unsigned lane = 0; lane < w_.lanes; ++lane) pieces.push_back(static_cast<int>(lane / piece_));
    return b_.CreateShuffleVector(all, pieces);
  }

  Widening& w_;
  llvm::IRBuilder<>& b_;
  Instruction& division_;
  llvm::Type* type_;
  const unsigned piece_;
  bool is_signed_, is_quotient_;
  Value* divisor_;
  llvm::SmallVector<Value*, 8> firsts_, quotients_, remainders_;
};

}  // namespace

Parts counted_quotients(Widening& w, Instruction& division) {
  Value *number = division.getOperand(0), *divisor = division.getOperand(1);
  const Shape shape = w.shape(number);
  if (!division.getType()->isIntegerTy(32) && !division.getType()->isIntegerTy(64)) return {};
  if (!shape.is_affine() || shape.stride != 1 || shape.checked || shape.segment < kLeastPiece || !w.is_uniform(divisor)) return {};
  const unsigned piece = std::min<unsigned>(shape.segment, abi::kWarpSize);
  if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(divisor); known && (known->isNegative() || known->getValue().ult(piece))) return {};
  Counted counted(w, division, piece);
  Value* holds = counted.holds();
  counted.divide_firsts();
  if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(holds); known && known->isOne()) return {counted.lanes()};
  // Outside, for what else asks for them.
  Value *numbers = w.values.vector1(number), *divisors = w.values.vector1(divisor);
  constexpr TwoWays kWays{.usual = "counted", .other = "divided", .join = "quotients"};
  return emit_two_ways(w, holds, kWays, [&] { return Parts{counted.lanes()}; }, [&] { return Parts{divide(w, division, numbers, divisors)}; });
}

}  // namespace weft::compiler::simt
