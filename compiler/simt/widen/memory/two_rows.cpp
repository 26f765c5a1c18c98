// Strategy "two-rows".
// Matches: elements that lie side by side in rows that have no relation to warps, as of pictures whose pixels are numbered one behind the other: `id % width`
// along a row, `id / width` rows down; or every second element of a row, as of windows that are two apart. Where rows are no shorter than a register, its lanes have parts of two at most: the code looks, and loads or stores
// what lies in the first lane's row and what lies in the last one's; else a fall-back. Costs: two masked accesses a register, and of the lanes' indices two
// comparisons, which mostly are the same in all iterations of a loop.
#include <llvm/Analysis/VectorUtils.h>

#include "compiler/passes/pass_list.h"
#include "compiler/simt/widen/memory/masked.h"
#include "compiler/simt/widen/memory/strategies.h"
#include "compiler/simt/widen/memory/texels.h"
#include "compiler/simt/widen/memory/two_ways.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

/// Lanes of a piece, at least: of few lanes each would be a load of its own.
constexpr unsigned kShortestPiece = 8;

/// Accesses of a region, each with a way of its own for lanes that lie otherwise: of more the code would take long to make.
constexpr unsigned kMostAsked = 128;

/// Elements from a lane to the next: of those in between as much is loaded as of these.
constexpr std::int64_t kMostStep = 2;

/// The rows that the lanes of each piece have parts of: those of its first lane and of its last.
class TwoRows {
 public:
  /// `step`: in elements, from lane to lane.
  TwoRows(Widening& w, const Access& access, unsigned piece, unsigned step) : w_(w), b_(w.builder), access_(access), piece_(piece), elements_(piece * step) {
    const auto [places, unit] = texel_offsets(w, access);
    places_ = b_.CreateFreeze(places);
    number_ = llvm::cast<llvm::IntegerType>(places->getType()->getScalarType());
    step_ = static_cast<std::int64_t>(step * access.element_bytes / unit);
    const std::int64_t reach = step_ * (piece - 1);
    llvm::SmallVector<int, 64> firsts, lasts;
    for (unsigned lane = 0; lane < w.lanes; ++lane) {
      firsts.push_back(static_cast<int>(lane / piece * piece));
      lasts.push_back(static_cast<int>(lane / piece * piece + piece - 1));
    }
    Value* numbers = w.lane_numbers(number_, piece, step_);
    Value* from_last = b_.CreateSub(numbers, llvm::ConstantInt::get(places->getType(), static_cast<std::uint64_t>(reach)));
    Value *first = b_.CreateShuffleVector(places_, firsts), *last = b_.CreateShuffleVector(places_, lasts);
    in_first_ = b_.CreateICmpEQ(places_, b_.CreateAdd(first, numbers), "in.first");
    Value* in_either = b_.CreateOr(in_first_, b_.CreateICmpEQ(places_, b_.CreateAdd(last, from_last)));
    if (number_->getBitWidth() < 64) {
      // Narrow numbers that wrap around lie far apart.
      const unsigned bits = number_->getBitWidth();
      const llvm::APInt most = llvm::APInt::getSignedMaxValue(bits) - static_cast<std::uint64_t>(reach), least = llvm::APInt::getSignedMinValue(bits) + static_cast<std::uint64_t>(reach);
      in_either = b_.CreateAnd(in_either, b_.CreateICmpSLE(first, llvm::ConstantInt::get(places->getType(), most)));
      in_either = b_.CreateAnd(in_either, b_.CreateICmpSGE(last, llvm::ConstantInt::get(places->getType(), least)));
    }
    holds_ = w.reduce(in_either, false);
  }

  Value* holds() const { return holds_; }

  Value* load() {
    auto* type = llvm::FixedVectorType::get(w_.lowered(access_.element), elements_);
    llvm::SmallVector<Value*, 8> pieces;
    for (unsigned lane = 0; lane < w_.lanes; lane += piece_) {
      const auto [first, last] = masks(lane);
      llvm::CallInst* of_first = b_.CreateMaskedLoad(type, base(lane, lane), access_.element_align, first);
      copy_alias_metadata(*of_first, access_.instruction);
      llvm::CallInst* of_last = b_.CreateMaskedLoad(type, base(lane, lane + piece_ - 1), access_.element_align, last, of_first);
      copy_alias_metadata(*of_last, access_.instruction);
      pieces.push_back(elements_ == piece_ ? static_cast<Value*>(of_last) : b_.CreateShuffleVector(of_last, llvm::createStrideMask(0, elements_ / piece_, piece_)));
    }
    return pieces.size() == 1 ? pieces.front() : llvm::concatenateVectors(b_, pieces);
  }

  void store() {
    Value* values = w_.values.vector1(access_.value);
    for (unsigned lane = 0; lane < w_.lanes; lane += piece_) {
      const auto [first, last] = masks(lane);
      Value* value = part(values, lane);
      store_some(w_, access_, value, base(lane, lane), first);
      store_some(w_, access_, value, base(lane, lane + piece_ - 1), last);
    }
  }

 private:
  /// Lanes from `lane` on.
  Value* part(Value* vector, unsigned lane) {
    return piece_ == w_.lanes ? vector : b_.CreateShuffleVector(vector, llvm::createSequentialMask(lane, piece_, 0));
  }

  /// Of the piece from `lane` on, the elements of those that access the first lane's row and of those that access the last one's alone.
  std::pair<Value*, Value*> masks(unsigned lane) {
    Value* first = words(part(in_first_, lane));
    Value* last = b_.CreateNot(first);
    Value* live = w_.mask ? words(part(w_.mask.lanes(), lane)) : nullptr;
    if (live) first = b_.CreateAnd(first, live);
    if (live) last = b_.CreateAnd(last, live);
    return {of_elements(first), of_elements(last)};
  }

  /// `mask` as wide as elements are, where masks have no registers: what is done with it would take it apart to bytes otherwise.
  Value* words(Value* mask) {
    if (w_.traits.mask_registers) return mask;
    return b_.CreateSExt(mask, llvm::FixedVectorType::get(b_.getIntNTy(access_.bits), piece_));
  }

  /// The mask of elements that `mask` of lanes is, which are none in between.
  Value* of_elements(Value* mask) {
    auto* none = llvm::Constant::getNullValue(mask->getType());
    if (elements_ != piece_) {
      llvm::SmallVector<int, 64> elements(elements_, static_cast<int>(piece_));
      for (unsigned lane = 0; lane < piece_; ++lane) elements[lane * (elements_ / piece_)] = static_cast<int>(lane);
      mask = b_.CreateShuffleVector(mask, none, elements);
    }
    return w_.traits.mask_registers ? mask : b_.CreateICmpSLT(mask, llvm::Constant::getNullValue(mask->getType()));
  }

  /// Where the piece from `begin` on begins if all of its lanes are in the row of lane `of`.
  Value* base(unsigned begin, unsigned of) {
    Value* place = b_.CreateExtractElement(places_, of);
    place = b_.CreateSub(place, llvm::ConstantInt::get(number_, static_cast<std::uint64_t>(step_ * (of - begin))));
    return address_at(w_, access_, of, place);
  }

  Widening& w_;
  llvm::IRBuilder<>& b_;
  const Access& access_;
  const unsigned piece_;     ///< lanes
  const unsigned elements_;  ///< that these lie in
  llvm::IntegerType* number_ = nullptr;
  std::int64_t step_ = 0;
  Value *places_ = nullptr, *in_first_ = nullptr, *holds_ = nullptr;
};

}  // namespace

std::optional<AccessPlan> plan_two_rows(Widening& w, const Access& access) {
  if (access.shape.is_affine() || access.is_volatile || access.is_seldom || access.count != 1 || !access.bits || access.bits < 32) return std::nullopt;
  if (access.element_bytes < w.traits.masked_bytes || w.memory.rows_asked == kMostAsked) return std::nullopt;
  const unsigned piece = std::max(w.traits.register_bits / 32, kShortestPiece);
  const std::int64_t step = row_of_lanes(w) < piece ? 0 : step_in_row(w, access);
  if (step < 1 || step > (access.is_load() ? kMostStep : 1)) return std::nullopt;
  std::optional<AccessPlan> other = plan_access_after(w, access, passes::Pass::kRowPieces);
  if (!other) return std::nullopt;
  AccessPlan plan{.cost = 2 * static_cast<unsigned>(step) * registers_of(w, access), .emit = {}, .fall_back = "parts of two rows where the lanes have no more, else " + other->fall_back};
  plan.emit = [&w, &access, piece, step, other = std::move(other->emit)]() mutable {
    ++w.memory.rows_asked;
    TwoRows rows(w, access, piece, static_cast<unsigned>(step));
    constexpr TwoWays kWays{.usual = "rows", .other = "scattered", .join = "from.rows", .weighted = false};
    return emit_two_ways(
        w, rows.holds(), kWays,
        [&]() -> Parts {
          if (access.is_load()) return {rows.load()};
          rows.store();
          return {};
        },
        [&] { return other(); });
  };
  return plan;
}

}  // namespace weft::compiler::simt
