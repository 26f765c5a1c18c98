#include "compiler/simt/widen/primitives.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/simt/ir/least.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/ir/source_lanes.h"
#include "compiler/simt/widen/dot_product.h"
#include "compiler/simt/ir/component_permutes.h"
#include "compiler/simt/widen/component_permutes.h"
#include "compiler/simt/widen/float_parts.h"
#include "compiler/simt/widen/lane_rows.h"
#include "compiler/simt/widen/reciprocal_root.h"
#include "compiler/simt/widen/sub_groups.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

/// More progressions than that in one vote are compared lane by lane, as vectors.
constexpr unsigned kMostSegments = 4;

/// The dimension that the name of a primitive ends with, as that of __weft_local_id_y; -1: it is no such primitive.
int dimension_of(llvm::StringRef name, llvm::StringRef prefix) {
  return name.starts_with(prefix) && name.size() == prefix.size() + 1 ? name.back() - 'x' : -1;
}

/// Lanes of a segment, if `vote` compares progressions that are segments of so many lanes; 0: it is no such comparison.
unsigned lanes_in_order(Widening& w, const llvm::ICmpInst* compare) {
  if (!compare || !compare->isRelational() || !compare->getOperand(0)->getType()->isIntegerTy()) return 0;
  unsigned segment = w.lanes;
  std::int64_t difference = 0;
  for (Value* side : compare->operands()) {
    const Shape shape = w.shape(side);
    if (!shape.is_affine() || shape.checked) return 0;
    if (!shape.is_constant_in_segment() && difference) return 0;  // their distance might wrap around
    difference += shape.stride;
    segment = std::min(segment, shape.segment);
  }
  const unsigned bits = compare->getOperand(0)->getType()->getIntegerBitWidth();
  const bool is_short = llvm::isUIntN(bits - 1, static_cast<std::uint64_t>(std::abs(difference)) * segment);
  return difference && w.lanes / segment <= kMostSegments && is_short ? segment : 0;
}

bool may_wrap(const Shape& shape, const llvm::ICmpInst& compare) {
  return shape.stride != 0 && !(compare.isSigned() ? shape.no_signed_wrap : shape.no_unsigned_wrap);
}

/// Whether `compare` holds for no lane behind one for which it does not, or for none in front of one: it compares a progression of all lanes.
bool is_ordered(Widening& w, const llvm::ICmpInst* compare) {
  return lanes_in_order(w, compare) == w.lanes && llvm::none_of(compare->operands(), [&](const llvm::Use& side) { return may_wrap(w.shape(side), *compare); });
}

Value* compare_at(Widening& w, const llvm::ICmpInst& compare, unsigned lane) {
  return w.builder.CreateICmp(compare.getPredicate(), w.values.scalar_at(compare.getOperand(0), lane), w.values.scalar_at(compare.getOperand(1), lane));
}

/// Whether `vote`, a comparison of progressions, holds for a lane, by the ends of the lanes alone; null: it is no such comparison.
Value* any_in_order(Widening& w, Value& vote) {
  const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&vote);
  if (!is_ordered(w, compare)) return nullptr;
  return w.builder.CreateOr(compare_at(w, *compare, 0), compare_at(w, *compare, w.lanes - 1));
}

/// Whether `vote`, a comparison of progressions, holds for all lanes, by the ends of their segments alone; null: it is no such comparison.
Value* all_in_order(Widening& w, Value& vote) {
  auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&vote);
  const unsigned segment = lanes_in_order(w, compare);
  if (!segment) return nullptr;
  Value* holds = nullptr;
  const auto require = [&](Value* ok) { holds = holds ? w.builder.CreateAnd(holds, ok) : ok; };
  for (unsigned lane = 0; lane < w.lanes; lane += segment) {
    const unsigned last = lane + segment - 1;
    for (const unsigned end : {lane, last})
      require(w.builder.CreateICmp(compare->getPredicate(), w.values.scalar_at(compare->getOperand(0), end),
                                   w.values.scalar_at(compare->getOperand(1), end)));
    for (Value* side : compare->operands()) {
      const Shape shape = w.shape(side);
      if (!may_wrap(shape, *compare)) continue;
      Value* ends[] = {w.values.scalar_at(side, lane), w.values.scalar_at(side, last)};
      const bool rises = shape.stride > 0;
      require(w.builder.CreateICmp(compare->isSigned() ? llvm::CmpInst::ICMP_SLE : llvm::CmpInst::ICMP_ULE, ends[rises ? 0 : 1], ends[rises ? 1 : 0]));
    }
  }
  return holds;
}

/// Whether no lane is where `compare`, an equality, says, if one side counts by ones from lane to lane in a few segments and the other is the same in
/// each; null: it is no such comparison. Numbers may wrap around: so does their distance.
Value* none_meets(Widening& w, const llvm::ICmpInst& compare) {
  Value *number = compare.getOperand(0), *bound = compare.getOperand(1);
  if (!number->getType()->isIntegerTy()) return nullptr;
  if (w.shape(number).is_constant_in_segment()) std::swap(number, bound);
  const Shape counts = w.shape(number), other = w.shape(bound);
  const unsigned segment = std::min(counts.segment, other.segment);
  if (!counts.is_affine() || counts.checked || std::abs(counts.stride) != 1 || !other.is_constant_in_segment() || other.checked ||
      w.lanes / segment > kMostSegments || !llvm::isUIntN(number->getType()->getIntegerBitWidth() - 1, segment))
    return nullptr;
  Value* holds = nullptr;
  for (unsigned lane = 0; lane < w.lanes; lane += segment) {
    Value* least = w.values.scalar_at(number, counts.stride > 0 ? lane : lane + segment - 1);
    Value* distance = w.builder.CreateSub(w.values.scalar_at(bound, lane), least);
    Value* apart = w.builder.CreateICmpUGE(distance, llvm::ConstantInt::get(distance->getType(), segment));
    holds = holds ? w.builder.CreateAnd(holds, apart) : apart;
  }
  return holds;
}

/// The same where `vote` is an equality of this `predicate`.
Value* none_meets(Widening& w, const Value& vote, llvm::CmpInst::Predicate predicate) {
  const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&vote);
  return compare && compare->getPredicate() == predicate ? none_meets(w, *compare) : nullptr;
}

/// Whether `value` is greater in each lane than in the one before.
bool rises(const Widening& w, const Value& value) {
  const Shape shape = w.shape(&value);
  return shape.is_affine() && shape.segment == w.lanes && shape.stride > 0 && shape.no_unsigned_wrap && !shape.checked;
}

/// Whether `compare`, which is ordered, holds for the first lane if for any: of an id that is below a bound.
bool holds_first(const Widening& w, const llvm::ICmpInst& compare) {
  const std::int64_t from_lane_to_lane = w.shape(compare.getOperand(0)).stride - w.shape(compare.getOperand(1)).stride;
  const bool is_below = llvm::ICmpInst::isLT(compare.getPredicate()) || llvm::ICmpInst::isLE(compare.getPredicate());
  return is_below ? from_lane_to_lane > 0 : from_lane_to_lane < 0;
}

/// The least of a number that rises, in the lanes that run, and in others all ones, is that of the first that runs; null: `value` is no such number.
Value* least_of_live(Widening& w, Value& value) {
  using namespace llvm::PatternMatch;
  Value *live, *number;
  if (!match(&value, m_Select(m_Value(live), m_Value(number), m_AllOnes())) || !rises(w, *number)) return nullptr;
  auto& builder = w.builder;
  auto* type = llvm::cast<llvm::IntegerType>(number->getType());
  auto* none = llvm::Constant::getAllOnesValue(type);
  if (const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(live); is_ordered(w, compare) && holds_first(w, *compare))
    return builder.CreateSelect(compare_at(w, *compare, 0), w.values.value_in_lane(number, 0), none);
  auto* bits = builder.getIntNTy(w.lanes);
  Value* running = builder.CreateBitCast(w.values.vector1(live), bits);
  Value* first = builder.CreateZExtOrTrunc(builder.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, running, builder.getFalse()), type);
  const auto stride = llvm::ConstantInt::get(type, static_cast<std::uint64_t>(w.shape(number).stride));
  Value* least = builder.CreateAdd(w.values.value_in_lane(number, 0), builder.CreateMul(first, stride));
  return builder.CreateSelect(builder.CreateIsNotNull(running), least, none);
}

/// Whether `vote` holds for all lanes. Of a conjunction, what is the same for all of them or a progression is asked for itself.
Value* all_hold(Widening& w, Value& vote) {
  using namespace llvm::PatternMatch;
  llvm::SmallVector<Value*, 8> left{&vote}, scalars, vectors;
  while (!left.empty()) {
    Value* part = left.pop_back_val();
    Value *a, *b;
    if (w.is_uniform(part)) scalars.push_back(w.values.uniform(part));
    else if (Value* holds = all_in_order(w, *part)) scalars.push_back(holds);
    else if (Value* differ = none_meets(w, *part, llvm::CmpInst::ICMP_NE)) scalars.push_back(differ);
    else if (match(part, m_And(m_Value(a), m_Value(b)))) left.append({b, a});
    else vectors.push_back(part);
  }
  if (scalars.empty()) return w.reduce(w.values.vector1(&vote), /*any=*/false);
  Value* lanes = nullptr;
  for (Value* part : vectors) lanes = lanes ? w.builder.CreateAnd(lanes, w.values.vector1(part)) : w.values.vector1(part);
  if (lanes) scalars.push_back(w.reduce(lanes, /*any=*/false));
  return w.builder.CreateAnd(scalars);
}

}  // namespace

Value* arithmetic_primitive(llvm::IRBuilderBase& builder, llvm::StringRef name, llvm::ArrayRef<Value*> arguments,
                            const VectorTraits& traits) {
  if (name.starts_with(primitive::kReciprocalRoot)) return reciprocal_root(builder, name, arguments[0], traits);
  if (name.starts_with(primitive::kFloatPart)) return float_part(builder, name, arguments, traits.estimate_bits);
  if (name.starts_with(primitive::kDot)) return dot_product(builder, name, arguments[0], arguments[1], arguments[2], traits);
  if (name.starts_with(kComponentPermute)) return permuted_components(builder, arguments[0], arguments[1]);
  return nullptr;
}

void expand_arithmetic_primitives(llvm::Function& function, const VectorTraits& traits) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (!is_arithmetic_primitive(instruction)) continue;
    auto& call = llvm::cast<llvm::CallBase>(instruction);
    llvm::IRBuilder<> builder(&call);
    const llvm::SmallVector<Value*, 3> arguments(call.args());
    call.replaceAllUsesWith(arithmetic_primitive(builder, called_name(call), arguments, traits));
    call.eraseFromParent();
  }
}

Value* scalar_primitive(Widening& w, llvm::CallBase& call, unsigned lane) {
  const llvm::StringRef name = called_name(call);
  if (name == primitive::kAny || name == primitive::kAll) {
    Value* vote = call.getArgOperand(0);
    if (name == primitive::kAll) return all_hold(w, *vote);
    if (w.is_uniform(vote)) return w.values.uniform(vote);
    if (Value* differ = none_meets(w, *vote, llvm::CmpInst::ICMP_EQ)) return w.builder.CreateNot(differ);
    Value* holds = any_in_order(w, *vote);
    return holds ? holds : w.reduce(w.values.vector1(vote), /*any=*/true);
  }
  if (name == primitive::kLeast) {
    Value* value = call.getArgOperand(0);
    if (w.is_uniform(value)) return w.values.uniform(value);
    if (rises(w, *value)) return w.values.value_in_lane(value, 0);
    Value* first = least_of_live(w, *value);
    return first ? first : w.builder.CreateIntMinReduce(w.values.vector1(value));
  }
  if (name == primitive::kFew) {
    llvm::Type* bits = w.builder.getIntNTy(w.lanes);
    Value* holding = w.builder.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, w.builder.CreateBitCast(w.values.vector1(call.getArgOperand(0)), bits));
    const std::uint64_t few = llvm::cast<llvm::ConstantInt>(call.getArgOperand(1))->getZExtValue();
    return w.builder.CreateICmpULE(holding, llvm::ConstantInt::get(bits, few * w.lanes / abi::kWarpSize));
  }
  if (const auto sub_group = sub_group_call(call)) {
    if (sub_group->kind == SubGroupCall::Kind::kLane) return w.builder.getInt32(lane);
    if (sub_group->is_uniform()) return uniform_sub_group_value(w, call, *sub_group);
    return nullptr;
  }
  if (Value* value = row_value(w, call, lane)) return value;
  if (name.starts_with(primitive::kLanes)) {
    const std::optional<SourceLane> source = common_lane(call);
    return w.values.value_in_lane(call.getArgOperand(source->value + 1), source->lane);
  }
  if (name.starts_with(primitive::kSlotLoad)) {
    const auto index = llvm::cast<llvm::ConstantInt>(call.getArgOperand(0))->getZExtValue();
    auto* type = w.lowered(call.getType());
    Value* address = slot_address(w, static_cast<unsigned>(index));
    if (type->isIntegerTy(1))
      return w.builder.CreateTrunc(w.builder.CreateLoad(w.builder.getInt8Ty(), address), type, call.getName());
    return w.builder.CreateLoad(type, address, call.getName());
  }
  if (name == primitive::kPrivate) {
    const auto index = llvm::cast<llvm::ConstantInt>(call.getArgOperand(0))->getZExtValue();
    return w.builder.CreateConstInBoundsGEP1_64(w.builder.getInt8Ty(), w.function.getArg(2),
                                                w.request.frame.privates[index].offset, call.getName());
  }
  if (name.starts_with(primitive::kInOrder)) return w.values.scalar_at(call.getArgOperand(0), lane);
  if (is_arithmetic_primitive(call)) {
    llvm::SmallVector<Value*, 3> arguments;
    for (Value* argument : call.args()) arguments.push_back(w.values.scalar_at(argument, lane));
    return arithmetic_primitive(w.builder, name, arguments, w.traits);
  }
  const int local = dimension_of(name, primitive::kLocalId);
  const int global = dimension_of(name, primitive::kGlobalId);
  if (local < 0 && global < 0) return nullptr;
  const unsigned dimension = static_cast<unsigned>(local >= 0 ? local : global);
  Value* id = w.items.local_id(dimension, lane);
  if (local >= 0) return id;
  const bool fits = w.request.specialization.ids_fit_31_bits;
  return w.builder.CreateAdd(w.items.group_base(dimension), w.builder.CreateZExt(id, w.builder.getInt64Ty()), call.getName(),
                             fits, fits);
}

Parts vector_primitive(Widening& w, llvm::CallBase& call) {
  const llvm::StringRef name = called_name(call);
  if (const auto sub_group = sub_group_call(call)) return {sub_group_values(w, call, *sub_group)};
  if (Value* values = row_values(w, call)) return {values};
  if (name == primitive::kLive) {
    Value* total = w.items.group_size();
    return {w.builder.CreateICmpULT(w.items.linear_ids(), w.builder.CreateVectorSplat(w.lanes, total), "live")};
  }
  if (is_component_permute(call))
    return permuted_by_component(w, w.values.vector(call.getArgOperand(0)), w.values.vector(call.getArgOperand(1)));
  const int local = dimension_of(name, primitive::kLocalId);
  const int global = dimension_of(name, primitive::kGlobalId);
  if (local < 0 && global < 0) return {};
  const unsigned dimension = static_cast<unsigned>(local >= 0 ? local : global);
  Value* id = w.items.local_ids(dimension);
  if (local >= 0) return {id};
  return {w.builder.CreateAdd(w.builder.CreateVectorSplat(w.lanes, w.items.group_base(dimension)),
                              w.builder.CreateZExt(id, w.wide(w.builder.getInt64Ty())))};
}

}  // namespace weft::compiler::simt
