// Strategy "two-rows".
// Matches: elements that lie side by side in rows that have no relation to warps, as of pictures whose pixels are numbered one behind the
// other: `id % width` along a row, `id / width` rows down; or every second element of a row, as of windows that are two apart. In a loop what it
// adds is the same in all lanes. Where rows are no shorter than a register, its lanes have parts of two at most: the code looks, in front of the
// loop, and loads or stores what lies in the first lane's row and what lies in the last one's; else a fall-back. Costs: two masked accesses a
// register, for every second element four.
#include <llvm/Analysis/VectorUtils.h>

#include <utility>

#include "compiler/passes/pass_list.h"
#include "compiler/simt/widen/memory/masked.h"
#include "compiler/simt/widen/memory/split_index.h"
#include "compiler/simt/widen/memory/strategies.h"
#include "compiler/simt/widen/memory/texels.h"
#include "compiler/simt/widen/memory/two_ways.h"
#include "compiler/simt/widen/packed.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

/// Lanes of a piece, at least: of few lanes each would be a load of its own.
constexpr unsigned kShortestPiece = 8;

/// Elements from a lane to the next: of those in between as much is loaded as of these.
constexpr std::int64_t kMostStep = 2;

/// The rows that the lanes of each piece have parts of: those of its first lane and of its last.
class TwoRows {
 public:
  /// `step`: in elements, from lane to lane.
  TwoRows(Widening& w, const Access& access, const SplitIndex& index, unsigned piece, unsigned step)
      : w_(w), b_(w.builder), access_(access), index_(index), parts_(index_.parts()), piece_(piece), elements_(piece * step * access.count) {
    Value* const places = parts_.own;
    auto* number = llvm::cast<llvm::IntegerType>(places->getType()->getScalarType());
    lane_bytes_ = std::uint64_t{step} * access.element_bytes * access.count;
    const auto from_lane_to_lane = static_cast<std::int64_t>(lane_bytes_ / index_.unit());
    llvm::SmallVector<int, 64> firsts, lasts;
    for (unsigned lane = 0; lane < w.lanes; ++lane) {
      firsts.push_back(static_cast<int>(lane / piece * piece));
      lasts.push_back(static_cast<int>(lane / piece * piece + piece - 1));
    }
    Value* numbers = w.lane_numbers(number, piece, from_lane_to_lane);
    Value* from_last = b_.CreateSub(numbers, llvm::ConstantInt::get(places->getType(), static_cast<std::uint64_t>(from_lane_to_lane * (piece - 1))));
    in_first_ = b_.CreateICmpEQ(places, b_.CreateAdd(b_.CreateShuffleVector(places, firsts), numbers), "in.first");
    Value* in_either = b_.CreateOr(in_first_, b_.CreateICmpEQ(places, b_.CreateAdd(b_.CreateShuffleVector(places, lasts), from_last)));
    if (number->getBitWidth() < 64) in_either = b_.CreateAnd(in_either, index_.is_small(places));
    holds_ = w.reduce(in_either, false);
    if (number->getBitWidth() < 64 && parts_.shared) holds_ = b_.CreateAnd(holds_, index_.is_small(parts_.shared));
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
      const bool is_apart = elements_ != piece_ * access_.count;
      pieces.push_back(is_apart ? b_.CreateShuffleVector(of_last, llvm::createStrideMask(0, elements_ / piece_, piece_)) : static_cast<Value*>(of_last));
    }
    return pieces.size() == 1 ? pieces.front() : llvm::concatenateVectors(b_, pieces);
  }

  void store() {
    Value* values = w_.values.as_in_memory(access_.value);
    for (unsigned lane = 0; lane < w_.lanes; lane += piece_) {
      const auto [first, last] = masks(lane);
      Value* value = part(values, lane, access_.count);
      store_some(w_, access_, value, base(lane, lane), first);
      store_some(w_, access_, value, base(lane, lane + piece_ - 1), last);
    }
  }

 private:
  /// Lanes from `lane` on, of `each` elements.
  Value* part(Value* vector, unsigned lane, unsigned each = 1) {
    return piece_ == w_.lanes ? vector : b_.CreateShuffleVector(vector, llvm::createSequentialMask(lane * each, piece_ * each, 0));
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
    return b_.CreateSExt(mask, llvm::FixedVectorType::get(b_.getIntNTy(access_.bits / access_.count), piece_));
  }

  /// The mask of elements that `mask` of lanes is, which are none in between.
  Value* of_elements(Value* mask) {
    auto* none = llvm::Constant::getNullValue(mask->getType());
    if (elements_ != piece_) {
      llvm::SmallVector<int, 64> elements(elements_, static_cast<int>(piece_));
      for (unsigned lane = 0; lane < piece_; ++lane)
        for (unsigned i = 0; i < access_.count; ++i) elements[lane * (elements_ / piece_) + i] = static_cast<int>(lane);
      mask = b_.CreateShuffleVector(mask, none, elements);
    }
    return w_.traits.mask_registers ? mask : b_.CreateICmpSLT(mask, llvm::Constant::getNullValue(mask->getType()));
  }

  /// Where the piece from `begin` on begins if all of its lanes are in the row of lane `of`. The row may begin behind that: an index of 32 bits would
  /// wrap around.
  Value* base(unsigned begin, unsigned of) {
    Value* address = index_.address(access_, parts_, of);
    return of == begin ? address : b_.CreateConstGEP1_64(b_.getInt8Ty(), address, -(lane_bytes_ * (of - begin)));
  }

  Widening& w_;
  llvm::IRBuilder<>& b_;
  const Access& access_;
  SplitIndex index_;
  const SplitIndex::Parts parts_;
  const unsigned piece_;     ///< lanes
  const unsigned elements_;  ///< that these lie in
  std::uint64_t lane_bytes_ = 0;  ///< from lane to lane
  Value *in_first_ = nullptr, *holds_ = nullptr;
};

}  // namespace

std::optional<AccessPlan> plan_two_rows(Widening& w, const Access& access) {
  if (access.shape.is_affine() || access.is_volatile || access.is_seldom || !access.bits || access.bits / access.count < 32)
    return std::nullopt;
  if (access.element_bytes < w.traits.masked_bytes || w.memory.rows_asked == MemoryState::kMostRowsAsked) return std::nullopt;
  const unsigned piece = std::min(w.lanes, std::max(w.traits.register_bits / (32 * access.count), kShortestPiece));
  const std::int64_t step = row_of_lanes(w) < piece ? 0 : step_in_row(w, access).value_or(0);
  // With masks to spread and elements to bring together, a gather of every second one takes as long where it is no slower than loads.
  const bool may_step = access.is_load() && access.count == 1 && (w.traits.mask_registers || w.traits.slow_gather);
  if (step < 1 || step > (may_step ? kMostStep : 1)) return std::nullopt;
  // Looking costs as much as a gather where masks are vectors.
  const bool in_loop = scalar_loops(w).getLoopFor(access.instruction.getParent());
  if (!w.traits.mask_registers && (!in_loop || access.count != 1)) return std::nullopt;
  const std::optional<SplitIndex> index = SplitIndex::find(w, access);
  if (!index) return std::nullopt;
  std::optional<AccessPlan> other = plan_access_after(w, access, passes::Pass::kRowPieces);
  if (!other) return std::nullopt;
  AccessPlan plan{.cost = 2 * static_cast<unsigned>(step) * registers_of(w, access),
                  .emit = {},
                  .fall_back = "parts of two rows where the lanes have no more, else " + other->fall_back};
  plan.emit = [&w, &access, index = *index, piece, step, other = std::move(other->emit)]() mutable {
    ++w.memory.rows_asked;
    TwoRows rows(w, access, index, piece, static_cast<unsigned>(step));
    constexpr TwoWays kWays{.usual = "rows", .other = "scattered", .join = "from.rows", .weighted = false};
    return emit_two_ways(
        w, rows.holds(), kWays,
        [&]() -> Parts {
          if (access.is_load()) return {rows.load()};  // packed, of several components
          rows.store();
          return {};
        },
        [&] {
          Parts parts = other();
          if (access.is_load() && access.count != 1 && parts.size() != 1) parts = {interleave(w, parts)};
          return parts;
        });
  };
  return plan;
}

}  // namespace weft::compiler::simt
