// Strategy "two-places".
// Matches: loads of which all lanes of a row read one element, where rows have no relation to warps: a weight or a bias of the channel that an
// element is of, `id / (width * height) % channels`. Rows are longer than a warp, mostly, so its lanes have parts of two at most: the code looks,
// and loads the first lane's element and the last one's; else a fall-back. In a loop what it adds is the same in all lanes, and the code looks
// in front of it. Costs: two scalar loads.
#include <llvm/IR/IRBuilder.h>

#include <utility>

#include "compiler/passes/pass_list.h"
#include "compiler/simt/widen/memory/split_index.h"
#include "compiler/simt/widen/memory/strategies.h"
#include "compiler/simt/widen/memory/texels.h"
#include "compiler/simt/widen/memory/two_ways.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

class TwoPlaces {
 public:
  TwoPlaces(Widening& w, const Access& access, const SplitIndex& index) : w_(w), b_(w.builder), access_(access), index_(index), parts_(index_.parts()) {
    Value *const places = parts_.own, *const shared = parts_.shared;
    const auto of_lane = [&](unsigned lane) { return b_.CreateShuffleVector(places, llvm::SmallVector<int, 64>(w.lanes, static_cast<int>(lane))); };
    is_first_ = b_.CreateICmpEQ(places, of_lane(0), "of.first");
    holds_ = w.reduce(b_.CreateOr(is_first_, b_.CreateICmpEQ(places, of_lane(w.lanes - 1))), /*any=*/false);
    if (!shared || shared->getType()->isIntegerTy(64)) return;
    holds_ = b_.CreateAnd(holds_, b_.CreateAnd(w.reduce(index_.is_small(places), /*any=*/false), index_.is_small(shared)));
  }

  Value* holds() const { return holds_; }

  Value* load() {
    Value* first = load_of(0, is_first_);
    Value* last = load_of(w_.lanes - 1, b_.CreateNot(is_first_));
    return b_.CreateSelect(is_first_, b_.CreateVectorSplat(w_.lanes, first), b_.CreateVectorSplat(w_.lanes, last));
  }

 private:
  /// What the lanes of `lanes` read, if any of them runs: that of lane `of`, which need not.
  Value* load_of(unsigned of, Value* lanes) {
    Value* address = index_.address(access_, parts_, of);
    llvm::Type* type = w_.lowered(access_.element);
    if (w_.mask) address = w_.scratch.safe_pointer(address, w_.reduce(b_.CreateAnd(lanes, w_.mask.lanes()), /*any=*/true), type);
    llvm::LoadInst* load = b_.CreateAlignedLoad(type, address, access_.element_align, access_.instruction.getName());
    if (!w_.mask) copy_alias_metadata(*load, access_.instruction);
    return load;
  }

  Widening& w_;
  llvm::IRBuilder<>& b_;
  const Access& access_;
  SplitIndex index_;
  const SplitIndex::Parts parts_;
  Value *is_first_ = nullptr, *holds_ = nullptr;
};

}  // namespace

std::optional<AccessPlan> plan_two_places(Widening& w, const Access& access) {
  if (!access.is_load() || access.shape.is_affine() || access.is_volatile || access.is_atomic || access.is_seldom || access.count != 1 || !access.bits)
    return std::nullopt;
  if (w.memory.rows_asked == MemoryState::kMostRowsAsked || row_of_lanes(w) < w.lanes || step_in_row(w, access) != 0) return std::nullopt;
  const std::optional<SplitIndex> index = SplitIndex::find(w, access);
  if (!index) return std::nullopt;
  std::optional<AccessPlan> other = plan_access_after(w, access, passes::Pass::kRowPieces);
  if (!other) return std::nullopt;
  AccessPlan plan{.cost = 2, .emit = {}, .fall_back = "two elements where the lanes read no more, else " + other->fall_back};
  plan.emit = [&w, &access, index = *index, other = std::move(other->emit)]() mutable {
    ++w.memory.rows_asked;
    TwoPlaces places(w, access, index);
    constexpr TwoWays kWays{.usual = "places", .other = "scattered", .join = "from.places", .weighted = false};
    return emit_two_ways(w, places.holds(), kWays, [&] { return Parts{places.load()}; }, [&] { return other(); });
  };
  return plan;
}

}  // namespace weft::compiler::simt
