#include "compiler/fuzz/meetings.h"

#include <algorithm>

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"

namespace weft::fuzz {
namespace {

using Kind = MeetingPoint::Kind;
using Operation = MeetingPoint::Operation;

constexpr std::size_t kWarp = 32;

const llvm::fltSemantics& semantics(unsigned bits) {
  return bits == 16 ? llvm::APFloat::IEEEhalf() : bits == 32 ? llvm::APFloat::IEEEsingle() : llvm::APFloat::IEEEdouble();
}

std::uint64_t combine_floats(const MeetingPoint& point, std::uint64_t a, std::uint64_t b) {
  llvm::APFloat x(semantics(point.bits), llvm::APInt(point.bits, a)), y(semantics(point.bits), llvm::APInt(point.bits, b));
  switch (point.operation) {
    case Operation::kAdd: x.add(y, llvm::APFloat::rmNearestTiesToEven); break;
    case Operation::kMul: x.multiply(y, llvm::APFloat::rmNearestTiesToEven); break;
    case Operation::kMin: x = llvm::minnum(x, y); break;
    default: x = llvm::maxnum(x, y); break;
  }
  return x.bitcastToAPInt().getZExtValue();
}

std::uint64_t combine(const MeetingPoint& point, std::uint64_t a, std::uint64_t b) {
  if (point.is_float) return combine_floats(point, a, b);
  const llvm::APInt x(point.bits, a), y(point.bits, b);
  switch (point.operation) {
    case Operation::kAdd: return (x + y).getZExtValue();
    case Operation::kMul: return (x * y).getZExtValue();
    case Operation::kMin: return x.slt(y) ? a : b;
    case Operation::kMax: return x.sgt(y) ? a : b;
    case Operation::kMinUnsigned: return std::min(a, b);
    case Operation::kMaxUnsigned: return std::max(a, b);
    case Operation::kAnd: return a & b;
    case Operation::kOr: return a | b;
    default: return a ^ b;
  }
}

/// What combines with any value to that value.
std::uint64_t identity(const MeetingPoint& point) {
  if (point.is_float) {
    const llvm::fltSemantics& type = semantics(point.bits);
    const llvm::APFloat value = point.operation == Operation::kAdd   ? llvm::APFloat::getZero(type)
                                : point.operation == Operation::kMul ? llvm::APFloat::getOne(type)
                                                                     : llvm::APFloat::getInf(type, point.operation == Operation::kMax);
    return value.bitcastToAPInt().getZExtValue();
  }
  switch (point.operation) {
    case Operation::kMul: return 1;
    case Operation::kMin: return llvm::APInt::getSignedMaxValue(point.bits).getZExtValue();
    case Operation::kMax: return llvm::APInt::getSignedMinValue(point.bits).getZExtValue();
    case Operation::kMinUnsigned:
    case Operation::kAnd: return llvm::APInt::getAllOnes(point.bits).getZExtValue();
    default: return 0;
  }
}

}  // namespace

void Meetings::begin(std::size_t items, std::size_t lanes) {
  visitors_.assign(items, {});
  lanes_ = lanes;
}

std::uint64_t Meetings::meet(Fibers& fibers, std::size_t fiber, std::size_t item, const MeetingPoint& point, std::uint64_t value,
                             std::uint32_t argument, const std::uint32_t* position) {
  visitors_[item] = {item, fiber, &point, {position, point.position_length}, value, argument, 0};
  fibers.stop();
  visitors_[item].point = nullptr;
  return visitors_[item].result;
}

std::vector<Meetings::Visitor*> Meetings::furthest_back(std::size_t first, std::size_t lanes) {
  std::vector<Visitor*> together;
  for (std::size_t i = first; i < std::min(first + lanes, visitors_.size()); ++i) {
    Visitor& visitor = visitors_[i];
    if (!visitor.point) continue;
    if (!together.empty()) {
      const auto& least = together.front()->position;
      const auto order = std::lexicographical_compare_three_way(visitor.position.begin(), visitor.position.end(), least.begin(), least.end());
      if (order > 0) continue;
      if (order < 0) together.clear();
    }
    together.push_back(&visitor);
  }
  return together;
}

void Meetings::hold(Fibers& fibers) {
  for (std::size_t warp = 0; warp < visitors_.size(); warp += kWarp) {
    bool waits = false, goes_on = false;
    for (std::size_t first = warp; first < std::min(warp + kWarp, visitors_.size()); first += lanes_) {
      const auto together = furthest_back(first, lanes_);
      if (together.empty()) continue;
      const bool of_warp = together.front()->point->of_warp;
      waits |= of_warp;
      goes_on |= !of_warp;
      if (!of_warp) exchange(fibers, together, lanes_);
    }
    if (waits && !goes_on) exchange(fibers, furthest_back(warp, kWarp), kWarp);
  }
}

void Meetings::exchange(Fibers& fibers, std::span<Visitor* const> together, std::size_t lanes) {
  const MeetingPoint& point = *together.front()->point;
  // The value of a lane that does not take part is anything, and so is which lane is meant where they disagree: it depends on the order
  // in which they came, so that a program that asks shows itself (defined.h).
  const auto first_to_come = *std::ranges::min_element(together, {}, &Visitor::fiber);
  const auto from = [&](const Visitor& asking, std::uint32_t lane) -> std::uint64_t {
    for (const Visitor* other : together)
      if (other->item % lanes == lane % lanes) return other->value;
    return llvm::APInt(64, asking.fiber * 0x9e3779b97f4a7c15u + 1).trunc(point.bits).getZExtValue();
  };
  const auto combined = [&](const auto& takes_part) {
    std::uint64_t result = identity(point);
    bool any = false;
    for (const Visitor* other : together)
      if (takes_part(other->item)) {
        result = any ? combine(point, result, other->value) : other->value;
        any = true;
      }
    return result;
  };
  for (Visitor* visitor : together) {
    // A scan's argument is how many lanes are a segment of their own.
    const std::size_t own = visitor->item, begin = visitor->argument != 0 ? own - own % visitor->argument : 0;
    switch (point.kind) {
      case Kind::kBallot:
        for (const Visitor* other : together)
          if (other->value != 0) visitor->result |= std::uint64_t{1} << other->item % lanes;
        break;
      case Kind::kFirst: visitor->result = together.front()->value; break;
      case Kind::kBroadcast: visitor->result = from(*visitor, first_to_come->argument); break;
      case Kind::kShuffle: visitor->result = from(*visitor, visitor->argument); break;
      case Kind::kReduce: visitor->result = combined([](std::size_t) { return true; }); break;
      case Kind::kCluster:
        visitor->result = combined([&](std::size_t item) { return item / visitor->argument == own / visitor->argument; });
        break;
      case Kind::kInclusive: visitor->result = combined([&](std::size_t item) { return item >= begin && item <= own; }); break;
      case Kind::kExclusive: visitor->result = combined([&](std::size_t item) { return item >= begin && item < own; }); break;
    }
  }
  for (const Visitor* visitor : together) fibers.release(visitor->fiber);
}

}  // namespace weft::fuzz
