// Strategy "lane-runs".
// Matches: loads by lanes that lie in runs of neighbours, each run anywhere (lane_runs.h): work-items that fill a tile with a border of its
// own, `l % 19` along a row and `l / 19` rows down, and rows of a small group that meet an edge. The code looks whether in each run each
// lane reads what lies behind the one before; then a run is copied as a whole, to memory of the function's own, where its lanes' places
// are. No byte is read but the lanes'. Where an edge moves some lanes: a fall-back. Not of three bytes: shuffles that take such lanes apart
// join with a gather's, but not across the ways' end (OpenCV's dilation of three channels: 1.4 ms by gathers, 2.7 by runs). Costs: two
// comparisons for each register of indices, and for each run a load and a store of each register that it fills.
#include <llvm/IR/Module.h>

#include <algorithm>
#include <bit>

#include "compiler/passes/pass_list.h"
#include "compiler/simt/analysis/lane_runs.h"
#include "compiler/simt/analysis/struct_access.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/widen/memory/strategies.h"
#include "compiler/simt/widen/memory/two_ways.h"
#include "compiler/simt/widen/packed.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

/// Lanes of a run, on average: below that a gather is as fast.
constexpr unsigned kFewestLanes = 8;

class RunsAccess {
 public:
  RunsAccess(Widening& w, const Access& access) : w_(w), builder_(w.builder), access_(access), bytes_(access.bits / 8) {}

  bool matches() {
    begins_ = LaneRuns(w_.shapes, w_.layout, w_.request.specialization, w_.lanes).begins(*access_.pointer, bytes_);
    return begins_.size() * kFewestLanes <= w_.lanes;
  }

  unsigned cost() const { return registers_of(w_, access_) + 2 * static_cast<unsigned>(begins_.size()); }

  /// Whether all lanes run, and each run's are neighbours.
  Value* holds() {
    find_indices();
    // Lanes that are off may have what LLVM calls poison.
    if (w_.mask) indices_ = builder_.CreateFreeze(indices_);
    llvm::SmallVector<int, 256> before;
    llvm::SmallVector<llvm::Constant*, 256> is_first(w_.lanes, builder_.getFalse());
    for (unsigned lane = 0; lane < w_.lanes; ++lane) before.push_back(static_cast<int>(lane ? lane - 1 : 0));
    for (const unsigned lane : begins_) is_first[lane] = builder_.getTrue();
    Value* last = builder_.CreateShuffleVector(indices_, before);
    Value* step = llvm::ConstantInt::get(indices_->getType(), static_cast<std::uint64_t>(bytes_ / scale_));
    Value* are_neighbours = builder_.CreateICmpEQ(builder_.CreateSub(indices_, last), step);
    Value* in_order = builder_.CreateICmp(is_signed_ ? llvm::CmpInst::ICMP_SGT : llvm::CmpInst::ICMP_UGT, indices_, last);
    Value* lanes = builder_.CreateOr(builder_.CreateAnd(are_neighbours, in_order), llvm::ConstantVector::get(is_first));
    if (w_.mask) lanes = builder_.CreateAnd(lanes, w_.mask.lanes());
    return w_.reduce(lanes, false);
  }

  Parts load() {
    llvm::Type* byte = builder_.getInt8Ty();
    const auto all = static_cast<std::uint64_t>(bytes_) * w_.lanes;
    llvm::AllocaInst* copy = w_.new_variable(llvm::ArrayType::get(byte, all), llvm::Align(64), "runs");
    for (std::size_t i = 0; i < begins_.size(); ++i) {
      const unsigned begin = begins_[i], end = i + 1 < begins_.size() ? begins_[i + 1] : w_.lanes;
      copy_run(address(begin), builder_.CreateConstInBoundsGEP1_64(byte, copy, static_cast<std::uint64_t>(bytes_) * begin),
               static_cast<std::uint64_t>(bytes_) * (end - begin));
    }
    llvm::Type* type = access_.type->isVectorTy() ? w_.packed_type(access_.type) : w_.wide(access_.type);
    return {builder_.CreateAlignedLoad(type, copy, llvm::Align(64))};
  }

 private:
  /// What lanes' addresses differ by: numbers of the index's own width, where they are sums of a shared pointer and these.
  void find_indices() {
    std::int64_t offset = 0;
    const FieldBase base = base_of(*access_.pointer, w_.layout, offset);
    if (base.index && w_.is_uniform(base.pointer) && base.scale > 0 && bytes_ % base.scale == 0 &&
        base.index->getType()->getScalarSizeInBits() >= 32) {
      indices_ = w_.values.vector1(const_cast<Value*>(base.index));
      scale_ = base.scale;
      is_signed_ = base.is_signed;
      Value* shared = w_.values.scalar_at(const_cast<Value*>(base.pointer), 0);
      base_ = builder_.CreateConstGEP1_64(builder_.getInt8Ty(), shared, static_cast<std::uint64_t>(offset));
      return;
    }
    indices_ = builder_.CreatePtrToInt(w_.values.vector1(access_.pointer), w_.wide(builder_.getInt64Ty()));
  }

  Value* address(unsigned lane) {
    Value* index = builder_.CreateExtractElement(indices_, lane);
    if (!base_) return builder_.CreateIntToPtr(index, builder_.getPtrTy());
    index = builder_.CreateIntCast(index, builder_.getInt64Ty(), is_signed_);
    return builder_.CreateGEP(builder_.getInt8Ty(), base_,
                              builder_.CreateMul(index, builder_.getInt64(static_cast<std::uint64_t>(scale_))));
  }

  /// In pieces of which the last overlaps the one before. Stores are volatile, so that LLVM makes no vector of all lanes of each of them.
  void copy_run(Value* from, Value* to, std::uint64_t size) {
    const std::uint64_t piece = std::min<std::uint64_t>(std::bit_floor(size), w_.traits.register_bits / 8);
    auto* type = llvm::FixedVectorType::get(builder_.getInt8Ty(), static_cast<unsigned>(piece));
    for (std::uint64_t at = 0; at < size; at += piece) {
      const std::uint64_t place = std::min(at, size - piece);
      llvm::LoadInst* part =
          builder_.CreateAlignedLoad(type, builder_.CreateConstGEP1_64(builder_.getInt8Ty(), from, place), llvm::Align(1));
      copy_alias_metadata(*part, access_.instruction);
      builder_.CreateAlignedStore(part, builder_.CreateConstGEP1_64(builder_.getInt8Ty(), to, place), llvm::Align(1), /*isVolatile=*/true);
    }
  }

  Widening& w_;
  llvm::IRBuilder<>& builder_;
  const Access& access_;
  const std::int64_t bytes_;  ///< of a lane
  llvm::SmallVector<unsigned, 16> begins_;
  Value* base_ = nullptr;  ///< null: the indices are addresses
  Value* indices_ = nullptr;
  std::int64_t scale_ = 1;
  bool is_signed_ = false;
};

}  // namespace

std::optional<AccessPlan> plan_lane_runs(Widening& w, const Access& access) {
  const unsigned space = access.pointer->getType()->getPointerAddressSpace();
  if (!access.is_load() || access.is_volatile || access.is_seldom || access.bits < 8 || !std::has_single_bit(access.bits) ||
      space == kPrivateSpace || access.type->getScalarType()->isPointerTy() || w.mask.known_prefix().value_or(w.lanes) != w.lanes)
    return std::nullopt;
  auto runs = std::make_unique<RunsAccess>(w, access);
  if (!runs->matches()) return std::nullopt;
  std::optional<AccessPlan> other = plan_access_after(w, access, passes::Pass::kRowPieces);
  if (!other) return std::nullopt;
  AccessPlan plan{.cost = runs->cost(), .emit = {}, .fall_back = {}};
  plan.emit = [&w, &access, runs = std::move(runs), other = std::move(other->emit)]() mutable {
    constexpr TwoWays kWays{.usual = "runs", .other = "apart", .join = "taken"};
    return emit_two_ways(
        w, runs->holds(), kWays, [&] { return runs->load(); },
        [&] {
          Parts parts = other();
          if (access.type->isVectorTy() && parts.size() != 1) parts = {interleave(w, parts)};
          return parts;
        });
  };
  return plan;
}

}  // namespace weft::compiler::simt
