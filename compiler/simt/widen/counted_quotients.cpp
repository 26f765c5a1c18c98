#include "compiler/simt/widen/counted_quotients.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "compiler/compiler_api.h"
#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/ir/divisions.h"
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

/// A division of numbers, piece after piece of lanes that go on from the number of the first.
class Counted {
 public:
  /// `rows`: of the number, if it is a quotient itself.
  Counted(Widening& w, Instruction& division, unsigned piece, const CountedRows* rows)
      : w_(w), b_(w.builder), division_(division), rows_(rows), type_(division.getType()), piece_(piece) {
    is_signed_ = is_signed_division(division);
    is_quotient_ = is_quotient(division);
    divisor_ = frozen(w.values.uniform(division.getOperand(1)));
    if (rows) firsts_ = rows->firsts;
    else
      for (unsigned lane = 0; lane < w.lanes; lane += piece) firsts_.push_back(frozen(w.values.value_in_lane(division.getOperand(0), lane)));
    holds_ = rows ? both(rows->holds, divides_rows()) : both(divides_lanes(), counts());
    divide_firsts();
    if (rows) find_last_rows();
    next_ = rows ? b_.CreateAnd(rows->next, spread(lasts_), "in.next") : b_.CreateICmpUGE(numbers(), spread(rooms()), "in.next");
  }

  /// Null: always.
  Value* holds() const { return holds_; }
  CountedRows quotients() const { return {.piece = piece_, .holds = holds_, .next = next_, .firsts = quotients_}; }

  Value* lanes() {
    if (is_quotient_) return b_.CreateAdd(spread(quotients_), b_.CreateZExt(next_, llvm::FixedVectorType::get(type_, w_.lanes)));
    if (!rows_) {
      Value* remainders = b_.CreateAdd(spread(remainders_), numbers());
      return b_.CreateSelect(next_, b_.CreateSub(remainders, b_.CreateVectorSplat(w_.lanes, divisor_)), remainders);
    }
    llvm::SmallVector<Value*, 8> others;
    for (unsigned i = 0; i < lasts_.size(); ++i)
      others.push_back(b_.CreateSelect(lasts_[i], llvm::Constant::getNullValue(type_), b_.CreateAdd(remainders_[i], llvm::ConstantInt::get(type_, 1))));
    return b_.CreateSelect(rows_->next, spread(others), spread(remainders_));
  }

 private:
  /// A work-item that is not there may have no number and no divisor.
  Value* frozen(Value* value) { return llvm::isa<llvm::ConstantInt>(value) ? value : b_.CreateFreeze(value); }

  Value* both(Value* a, Value* b) { return !a ? b : !b ? a : b_.CreateAnd(a, b); }

  /// Whether no piece has lanes of more than two rows.
  Value* divides_lanes() {
    if (llvm::isa<llvm::ConstantInt>(divisor_)) return nullptr;
    auto* lanes = llvm::ConstantInt::get(type_, piece_);
    return is_signed_ ? b_.CreateICmpSGE(divisor_, lanes) : b_.CreateICmpUGE(divisor_, lanes);
  }

  Value* divides_rows() { return is_signed_ && !llvm::isa<llvm::ConstantInt>(divisor_) ? b_.CreateICmpSGT(divisor_, llvm::Constant::getNullValue(type_)) : nullptr; }

  /// Whether no number is negative or wraps around.
  Value* counts() {
    const unsigned bits = type_->getIntegerBitWidth();
    const llvm::APInt most = (is_signed_ ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits)) - piece_;
    if (const auto greatest = greatest_id(*division_.getOperand(0)); greatest && *greatest <= most.getZExtValue()) return nullptr;
    Value* all = nullptr;
    for (Value* first : firsts_) all = both(all, b_.CreateICmpULE(first, llvm::ConstantInt::get(type_, most)));
    return all;
  }

  /// Whatever holds.
  void divide_firsts() {
    Value* by = llvm::isa<llvm::ConstantInt>(divisor_) ? divisor_ : b_.CreateBinaryIntrinsic(llvm::Intrinsic::umax, divisor_, llvm::ConstantInt::get(type_, 1));
    for (Value* first : firsts_) {
      quotients_.push_back(b_.CreateUDiv(first, by, "row"));
      remainders_.push_back(b_.CreateSub(first, b_.CreateMul(quotients_.back(), by), "in.row"));
    }
  }

  /// The first lane of each piece that is in the next row.
  llvm::SmallVector<Value*, 8> rooms() {
    llvm::SmallVector<Value*, 8> rooms;
    for (Value* remainder : remainders_) rooms.push_back(b_.CreateSub(divisor_, remainder));
    return rooms;
  }

  /// Whether a piece's first number is the last one of its row.
  void find_last_rows() {
    Value* greatest = b_.CreateSub(divisor_, llvm::ConstantInt::get(type_, 1));
    for (Value* remainder : remainders_) lasts_.push_back(b_.CreateICmpEQ(remainder, greatest));
  }

  Value* numbers() { return w_.lane_numbers(type_, piece_, 1); }

  /// Each of `scalars` for the lanes of its piece.
  Value* spread(llvm::ArrayRef<Value*> scalars) {
    if (scalars.size() == 1) return b_.CreateVectorSplat(w_.lanes, scalars.front());
    Value* all = llvm::PoisonValue::get(llvm::FixedVectorType::get(scalars.front()->getType(), static_cast<unsigned>(scalars.size())));
    for (unsigned i = 0; i < scalars.size(); ++i) all = b_.CreateInsertElement(all, scalars[i], i);
    llvm::SmallVector<int, 64> pieces;
    for (unsigned lane = 0; lane < w_.lanes; ++lane) pieces.push_back(static_cast<int>(lane / piece_));
    return b_.CreateShuffleVector(all, pieces);
  }

  Widening& w_;
  llvm::IRBuilder<>& b_;
  Instruction& division_;
  const CountedRows* rows_;
  llvm::Type* type_;
  const unsigned piece_;
  bool is_signed_, is_quotient_;
  Value *divisor_, *holds_, *next_;
  llvm::SmallVector<Value*, 8> firsts_, quotients_, remainders_, lasts_;
};

/// Lanes that go on from one to the next in `number`; 0 if it does not count, or no more than two rows of `divisor` are known to be in none.
unsigned counting_piece(Widening& w, const Value& number, const Value& divisor) {
  const Shape shape = w.shape(&number);
  if (!shape.is_affine() || shape.stride != 1 || shape.checked || shape.segment < kLeastPiece) return 0;
  const unsigned piece = std::min<unsigned>(shape.segment, abi::kWarpSize);
  const auto* known = llvm::dyn_cast<llvm::ConstantInt>(&divisor);
  return known && (known->isNegative() || known->getValue().ult(piece)) ? 0 : piece;
}

}  // namespace

Parts counted_quotients(Widening& w, Instruction& division) {
  Value *number = division.getOperand(0), *divisor = division.getOperand(1);
  if (!division.getType()->isIntegerTy(32) && !division.getType()->isIntegerTy(64)) return {};
  if (!w.is_uniform(divisor)) return {};
  const auto found = w.counted_rows.find(number);
  const CountedRows* rows = found == w.counted_rows.end() ? nullptr : &found->second;
  if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(divisor); rows && known && (known->isNegative() || known->isZero())) return {};
  const unsigned piece = rows ? rows->piece : counting_piece(w, *number, *divisor);
  if (!piece) return {};
  Counted counted(w, division, piece, rows);
  Parts result;
  if (!counted.holds()) {
    result = {counted.lanes()};
  } else {
    // Outside, for what else asks for them.
    Value *numbers = w.values.vector1(number), *divisors = w.values.vector1(divisor);
    constexpr TwoWays kWays{.usual = "counted", .other = "divided", .join = "quotients"};
    result = emit_two_ways(w, counted.holds(), kWays, [&] { return Parts{counted.lanes()}; }, [&] { return Parts{divide(w, division, numbers, divisors)}; });
  }
  if (is_quotient(division)) w.counted_rows.try_emplace(&division, counted.quotients());
  return result;
}

}  // namespace weft::compiler::simt
