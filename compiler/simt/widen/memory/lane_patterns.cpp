// Strategy "lane-patterns".
// Matches: lanes that do not lie evenly, but each at a distance from the first one's place that the compiler knows, and close together: pixels
// of a plane of half the width, `x >> 1`, the even ones of pairs, `x & ~1`, neighbours that change places, `x ^ 1` (lane_patterns.h); and
// numbers that lie evenly, as every second byte does. A register's lanes lie in a window, of which all from the first
// place to the last is the same buffer's: it is loaded as a whole, and each lane takes its own by a shuffle with constant indices. Stores whose
// lanes are those of a segment in another order are shuffled first. Lanes that are off mask what they alone would take. Where an index may
// wrap around, or meet a bound, the code looks, and falls back.
// Costs: a load and a shuffle for each register of the window.
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>
#include <bit>

#include "compiler/simt/analysis/lane_patterns.h"
#include "compiler/simt/widen/memory/masked.h"
#include "compiler/simt/widen/memory/picked_elements.h"
#include "compiler/simt/widen/memory/strategies.h"
#include "compiler/simt/widen/memory/two_ways.h"
#include "compiler/simt/widen/packed.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

/// Of each register of a window, a load and a shuffle, and one that puts two together: as much as two lanes of a gather.
constexpr unsigned kLanesOfRegister = 2;
/// Elements of 4 or 8 bytes from a lane to the next one up to which they are strided.cpp's.
constexpr std::int64_t kStridedWords = 4;
/// Comparisons in front of one access.
constexpr std::size_t kMostComparisons = 8;

class PatternAccess {
 public:
  PatternAccess(Widening& w, const Access& access) : w_(w), builder_(w.builder), access_(access), patterns_(w.shapes, w.layout, !w.mask) {
    if (access.bits > 64) {
      unit_ = access.element;
      per_lane_ = access.count;
    } else {
      unit_ = access.type->isVectorTy() ? builder_.getIntNTy(access.bits) : access.type;
    }
    chunk_ = std::max(1u, w.traits.register_bits / access.bits);
  }

  bool matches() {
    pattern_ = patterns_.of(*access_.pointer);
    if (!pattern_ || pattern_->segment < kFewestLanes) return false;
    if (patterns_.checks().size() * (w_.lanes / pattern_->segment) > kMostComparisons) return false;
    chunk_ = std::min(chunk_, pattern_->segment);
    const auto bytes = static_cast<std::int64_t>(access_.bits / 8);
    for (unsigned lane = 0; lane < w_.lanes; lane += pattern_->segment) {
      const std::int64_t first = place(pattern_->lowest_lane(lane));
      for (unsigned i = lane; i < lane + pattern_->segment; ++i) {
        if ((place(i) - first) % bytes != 0) return false;
        elements_.push_back((place(i) - first) / bytes);
      }
    }
    return access_.is_load() ? is_close() : is_permutation();
  }

  unsigned cost() const { return 2 * w_.lanes / chunk_; }

  /// Whether no index wraps around or meets a bound; null if that is known.
  Value* holds() {
    Value* all = nullptr;
    for (const PatternCheck& check : patterns_.checks())
      for (unsigned lane = 0; lane < w_.lanes; lane += check.pattern->segment) {
        Value* ok = holds(check, lane);
        all = all && ok ? builder_.CreateAnd(all, ok) : ok ? ok : all;
      }
    return all;
  }

  /// Of all lanes; `masked`: of those that run.
  Parts access(bool masked) {
    if (access_.is_load()) return load(masked);
    store(masked);
    return {};
  }

 private:
  static constexpr unsigned kFewestLanes = 4;

  /// In the segment from `lane` on; null if that is known.
  Value* holds(const PatternCheck& check, unsigned lane) {
    const unsigned lowest = check.pattern->lowest_lane(lane), highest = check.pattern->highest_lane(lane);
    const auto span = static_cast<std::uint64_t>(check.pattern->places[highest] - check.pattern->places[lowest]);
    Value* ok = nullptr;
    if (!(check.is_signed ? check.pattern->no_signed_wrap : check.pattern->no_unsigned_wrap)) {
      Value* first = in_lane(check.value, lowest);
      const unsigned bits = first->getType()->getIntegerBitWidth();
      const llvm::APInt last = check.is_signed ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits);
      ok = builder_.CreateICmp(check.is_signed ? llvm::CmpInst::ICMP_SLE : llvm::CmpInst::ICMP_ULE, first, builder_.getInt(last - span));
    }
    if (!check.bound) return ok;
    const auto predicate = check.bound->getPredicate();
    const bool is_least = predicate == llvm::CmpInst::ICMP_SLT || predicate == llvm::CmpInst::ICMP_ULT;
    Value* limit = check.bound->getArgOperand(check.value == check.bound->getArgOperand(0) ? 1 : 0);
    Value* within = builder_.CreateICmp(llvm::CmpInst::getNonStrictPredicate(predicate), in_lane(check.value, is_least ? highest : lowest),
                                        w_.values.scalar_at(limit, lane));
    return ok ? builder_.CreateAnd(ok, within) : within;
  }

  std::int64_t place(unsigned lane) const { return pattern_->places[lane]; }
  std::int64_t last_element(unsigned lane) const {
    return *std::max_element(elements_.begin() + lane, elements_.begin() + lane + pattern_->segment);
  }

  /// Elements of a register.
  unsigned in_register() const { return w_.traits.register_bits / access_.bits; }

  bool is_close() const {
    for (unsigned lane = 0; lane < w_.lanes; lane += chunk_) {
      const auto [first, last] = std::minmax_element(elements_.begin() + lane, elements_.begin() + lane + chunk_);
      if (kLanesOfRegister * llvm::divideCeil(static_cast<std::uint64_t>(*last - *first + 1), in_register()) >= chunk_) return false;
    }
    return true;
  }

  bool is_permutation() const {
    for (unsigned lane = 0; lane < w_.lanes; lane += pattern_->segment) {
      llvm::SmallVector<bool, 64> taken(pattern_->segment);
      for (unsigned i = lane; i < lane + pattern_->segment; ++i) {
        if (elements_[i] >= pattern_->segment || taken[static_cast<std::size_t>(elements_[i])]) return false;
        taken[static_cast<std::size_t>(elements_[i])] = true;
      }
    }
    return true;
  }

  llvm::SmallVector<int, 64> units_of(llvm::ArrayRef<int> elements) const {
    llvm::SmallVector<int, 64> units;
    for (const int element : elements)
      for (int i = 0; i < static_cast<int>(per_lane_); ++i)
        units.push_back(element < 0 ? llvm::PoisonMaskElem : element * static_cast<int>(per_lane_) + i);
    return units;
  }

  Parts load(bool masked) {
    llvm::SmallVector<Value*, 8> registers;
    for (unsigned lane = 0; lane < w_.lanes; lane += pattern_->segment) {
      Value* base = base_of(lane);
      for (unsigned i = lane; i < lane + pattern_->segment; i += chunk_) registers.push_back(load_register(base, lane, i, masked));
    }
    Value* all = registers.size() == 1 ? registers.front() : llvm::concatenateVectors(builder_, registers);
    return {builder_.CreateBitCast(all, access_.type->isVectorTy() ? w_.packed_type(access_.type) : w_.wide(access_.type))};
  }

  void store(bool masked) {
    Value* all = w_.values.as_in_memory(access_.value);
    all = builder_.CreateBitCast(all, llvm::FixedVectorType::get(unit_, w_.lanes * per_lane_));
    for (unsigned lane = 0; lane < w_.lanes; lane += pattern_->segment) {
      llvm::SmallVector<int, 64> lanes(pattern_->segment);
      for (unsigned i = 0; i < pattern_->segment; ++i) lanes[static_cast<std::size_t>(elements_[lane + i])] = static_cast<int>(lane + i);
      Value* block = builder_.CreateShuffleVector(all, units_of(lanes));
      Value* base = base_of(lane);
      if (masked) {
        llvm::SmallVector<int, 64> unit_lanes;
        for (const int i : lanes) unit_lanes.append(per_lane_, i);
        store_some(w_, access_, block, base, builder_.CreateShuffleVector(w_.mask.lanes(), unit_lanes));
      } else {
        copy_alias_metadata(*builder_.CreateAlignedStore(block, base, access_.element_align), access_.instruction);
      }
    }
  }

  /// Of `count` elements from number `first` on, those that lanes [lane, lane + chunk_) take and that run; an element for each unit.
  Value* live_elements(unsigned lane, std::int64_t first, unsigned count) {
    llvm::SmallVector<llvm::SmallVector<unsigned, 4>, 64> takers(count);
    std::size_t rounds = 0;
    for (unsigned i = lane; i < lane + chunk_; ++i)
      if (const std::int64_t element = elements_[i] - first; element >= 0 && element < count) {
        takers[static_cast<std::size_t>(element)].push_back(i);
        rounds = std::max(rounds, takers[static_cast<std::size_t>(element)].size());
      }
    Value* live = nullptr;
    Value* none = llvm::Constant::getNullValue(w_.mask.lanes()->getType());
    for (std::size_t round = 0; round < rounds; ++round) {
      llvm::SmallVector<int, 64> lanes;
      for (const auto& of_element : takers)
        lanes.append(per_lane_, static_cast<int>(round < of_element.size() ? of_element[round] : w_.lanes));
      Value* some = builder_.CreateShuffleVector(w_.mask.lanes(), none, lanes);
      live = live ? builder_.CreateOr(live, some) : some;
    }
    return live ? live : llvm::Constant::getNullValue(llvm::FixedVectorType::get(builder_.getInt1Ty(), count * per_lane_));
  }

  Value* base_of(unsigned lane) { return in_lane(access_.pointer, pattern_->lowest_lane(lane)); }

  /// `count` elements from number `first` on; `masked`: what lanes [lane, lane + chunk_) take of them.
  Value* load_elements(Value* base, std::int64_t first, unsigned count, unsigned lane, bool masked) {
    Value* from = builder_.CreateConstGEP1_64(builder_.getInt8Ty(), base, static_cast<std::uint64_t>(first) * (access_.bits / 8));
    auto* type = llvm::FixedVectorType::get(unit_, count * per_lane_);
    if (masked) return load_some(w_, access_, type, from, live_elements(lane, first, count), false);
    llvm::LoadInst* loaded = builder_.CreateAlignedLoad(type, from, access_.element_align, access_.instruction.getName());
    copy_alias_metadata(*loaded, access_.instruction);
    return loaded;
  }

  /// Where elements are loaded from to have all from `first` to `last`, `count` at a time, all within the first `end`: those of its lanes.
  struct Window {
    unsigned count = 0;
    llvm::SmallVector<std::int64_t, 4> begins;
  };
  Window window(std::int64_t first, std::int64_t last, std::int64_t end) const {
    const auto needed = static_cast<std::uint64_t>(last - first + 1);
    const std::uint64_t whole = std::bit_ceil(needed), part = std::bit_floor(needed);
    Window result;
    if (needed > in_register()) {
      result.count = in_register();
      for (; first <= last; first += result.count) result.begins.push_back(std::min(first, end - result.count));
    } else if (static_cast<std::int64_t>(whole) <= end) {
      result = {static_cast<unsigned>(whole), {std::min(first, end - static_cast<std::int64_t>(whole))}};
    } else {
      result = {static_cast<unsigned>(part), {first, end - static_cast<std::int64_t>(part)}};
    }
    return result;
  }

  /// What lanes [lane, lane + chunk_) take, of the segment from `begin` on.
  Value* load_register(Value* base, unsigned begin, unsigned lane, bool masked) {
    const auto [first, last] = std::minmax_element(elements_.begin() + lane, elements_.begin() + lane + chunk_);
    const Window from = window(*first, *last, last_element(begin) + 1);
    // The first load that has a lane's element.
    const auto load_of = [&](unsigned i) {
      unsigned load = 0;
      while (elements_[lane + i] >= from.begins[load] + from.count) ++load;
      return load;
    };
    llvm::SmallVector<Value*, 4> loaded;
    for (const std::int64_t first_element : from.begins) loaded.push_back(load_elements(base, first_element, from.count, lane, masked));
    llvm::SmallVector<PickedElement, 64> picked;
    for (unsigned i = 0; i < chunk_; ++i)
      picked.push_back({.vector = load_of(i), .element = static_cast<unsigned>(elements_[lane + i] - from.begins[load_of(i)])});
    return pick_elements(builder_, loaded, picked, per_lane_);
  }

  /// As a scalar, for values of which the pattern is made, as LanePatterns has it for lanes that are off.
  Value* in_lane(Value* value, unsigned lane) {
    const Shape shape = w_.shape(value);
    if (shape.is_affine() && !shape.checked) return w_.values.scalar_at(value, lane);
    auto& instruction = *llvm::cast<llvm::Instruction>(value);
    if (const auto* bound = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&instruction)) return in_lane(&bounded_operand(*bound, w_.shapes), lane);
    llvm::SmallVector<Value*, 4> operands;
    for (Value* operand : instruction.operands()) operands.push_back(in_lane(operand, lane));
    if (auto* place = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction))
      return builder_.CreateGEP(place->getSourceElementType(), operands[0], llvm::ArrayRef(operands).drop_front());
    if (llvm::isa<llvm::AddrSpaceCastInst>(instruction)) return operands[0];
    if (instruction.getOpcode() == llvm::Instruction::Or && llvm::cast<llvm::PossiblyDisjointInst>(instruction).isDisjoint())
      return builder_.CreateAdd(operands[0], operands[1], instruction.getName());
    if (instruction.getOpcode() == llvm::Instruction::ZExt && extends_signed(instruction))
      return builder_.CreateSExt(operands[0], instruction.getType(), instruction.getName());
    llvm::Instruction* copy = instruction.clone();
    for (unsigned i = 0; i < operands.size(); ++i) copy->setOperand(i, operands[i]);
    copy->dropPoisonGeneratingAnnotations();
    copy->setDebugLoc(llvm::DebugLoc());
    return builder_.Insert(copy, instruction.getName());
  }

  Widening& w_;
  llvm::IRBuilder<>& builder_;
  const Access& access_;
  LanePatterns patterns_;
  const LanePattern* pattern_ = nullptr;
  llvm::SmallVector<std::int64_t, 64> elements_;  ///< each lane's, from the first one of its segment on
  llvm::Type* unit_ = nullptr;                    ///< of the vectors that are shuffled
  unsigned per_lane_ = 1;                         ///< units
  unsigned chunk_ = 1;                            ///< lanes that fill a register, or a segment
};

}  // namespace

std::optional<AccessPlan> plan_lane_pattern(Widening& w, const Access& access) {
  if (access.is_volatile || access.is_seldom || !std::has_single_bit(access.bits) || access.bits < 8 ||
      2 * access.bits > w.traits.register_bits || access.type->getScalarType()->isPointerTy())
    return std::nullopt;
  // Neighbours, and words at a few words' distance, have strategies of their own.
  const std::int64_t own = std::max<std::int64_t>(access.bits / 8, access.bits >= 32 ? kStridedWords * (access.bits / 8) : 0);
  if (access.shape.is_affine() && std::abs(access.shape.stride) <= own) return std::nullopt;
  auto pattern = std::make_unique<PatternAccess>(w, access);
  if (!pattern->matches()) return std::nullopt;
  AccessPlan plan{.cost = pattern->cost(), .emit = {}, .fall_back = {}};
  plan.emit = [&w, &access, pattern = std::move(pattern)]() mutable {
    const auto together = [&] {
      if (!w.mask) return pattern->access(false);
      constexpr TwoWays kWays{.usual = "whole", .other = "some", .join = "taken"};
      return emit_two_ways(w, w.reduce(w.mask.lanes(), false), kWays, [&] { return pattern->access(false); }, [&] { return pattern->access(true); });
    };
    Value* holds = pattern->holds();
    if (!holds) return together();
    constexpr TwoWays kWays{.usual = "pattern", .other = "apart", .join = "taken"};
    return emit_two_ways(w, holds, kWays, together, [&] {
      Parts parts = emit_otherwise(w, access);
      if (access.is_load() && access.type->isVectorTy() && parts.size() != 1) parts = {interleave(w, parts)};
      return parts;
    });
  };
  return plan;
}

}  // namespace weft::compiler::simt
