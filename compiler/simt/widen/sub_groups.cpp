#include "compiler/simt/widen/sub_groups.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>

#include "compiler/simt/widen/widening.h"
#include "device/kernel_abi.h"

namespace weft::compiler::simt {
namespace {

using llvm::Value;
using Kind = SubGroupCall::Kind;
using Operation = SubGroupCall::Operation;

llvm::Constant* identity(Operation operation, llvm::Type* type) {
  const unsigned bits = type->getScalarSizeInBits();
  const auto integer = [&](const llvm::APInt& value) { return llvm::ConstantInt::get(type, value); };
  const bool is_float = type->isFloatingPointTy();
  switch (operation) {
    case Operation::kAdd:
    case Operation::kOr:
    case Operation::kXor:
    case Operation::kMaxUnsigned: return llvm::Constant::getNullValue(type);
    case Operation::kMul: return is_float ? llvm::ConstantFP::get(type, 1) : llvm::ConstantInt::get(type, 1);
    case Operation::kMin:
      return is_float ? llvm::ConstantFP::getInfinity(type) : integer(llvm::APInt::getSignedMaxValue(bits));
    case Operation::kMax:
      return is_float ? llvm::ConstantFP::getInfinity(type, true) : integer(llvm::APInt::getSignedMinValue(bits));
    case Operation::kMinUnsigned:
    case Operation::kAnd: return integer(llvm::APInt::getAllOnes(bits));
    case Operation::kNone: break;
  }
  llvm_unreachable("a primitive without an operation");
}

Value* combine(llvm::IRBuilder<>& builder, Operation operation, Value* a, Value* b) {
  const bool is_float = a->getType()->isFPOrFPVectorTy();
  switch (operation) {
    case Operation::kAdd: return is_float ? builder.CreateFAdd(a, b) : builder.CreateAdd(a, b);
    case Operation::kMul: return is_float ? builder.CreateFMul(a, b) : builder.CreateMul(a, b);
    case Operation::kMin: return builder.CreateBinaryIntrinsic(is_float ? llvm::Intrinsic::minnum : llvm::Intrinsic::smin, a, b);
    case Operation::kMax: return builder.CreateBinaryIntrinsic(is_float ? llvm::Intrinsic::maxnum : llvm::Intrinsic::smax, a, b);
    case Operation::kMinUnsigned: return builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, a, b);
    case Operation::kMaxUnsigned: return builder.CreateBinaryIntrinsic(llvm::Intrinsic::umax, a, b);
    case Operation::kAnd: return builder.CreateAnd(a, b);
    case Operation::kOr: return builder.CreateOr(a, b);
    case Operation::kXor: return builder.CreateXor(a, b);
    case Operation::kNone: break;
  }
  llvm_unreachable("a primitive without an operation");
}

/// A value that the participants have in common.
Value* agreed(Widening& w, Value* value) {
  return w.is_uniform(value) ? w.values.uniform(value) : w.values.in_live_lane(value, llvm::Intrinsic::cttz);
}

/// Lanes of `values` by number; where `from` is W or more, those of `others`.
Value* pick(Widening& w, Value* values, Value* others, llvm::function_ref<unsigned(unsigned lane)> from) {
  llvm::SmallVector<int, 32> mask;
  for (unsigned lane = 0; lane < w.lanes; ++lane) mask.push_back(static_cast<int>(from(lane)));
  return w.builder.CreateShuffleVector(values, others, mask);
}

/// The argument, with the identity in lanes that do not take part.
Value* participants(Widening& w, llvm::CallBase& call, Operation operation) {
  Value* values = w.values.vector1(call.getArgOperand(0));
  if (!w.mask) return values;
  return w.builder.CreateSelect(w.mask.lanes(), values,
                                w.builder.CreateVectorSplat(w.lanes, identity(operation, call.getType())));
}

/// What exchanging halves, quarters, ... of `width` lanes leaves in all of them.
Value* butterfly(Widening& w, Operation operation, Value* values, unsigned width) {
  for (unsigned step = width / 2; step; step /= 2)
    values = combine(w.builder, operation, values, pick(w, values, values, [&](unsigned lane) { return lane ^ step; }));
  return values;
}

/// Halves again and again: the upper half joins the lower one, in vectors no longer than what is left.
Value* reduce(Widening& w, Operation operation, Value* values) {
  auto& builder = w.builder;
  for (int half = static_cast<int>(w.lanes / 2); half; half /= 2) {
    llvm::SmallVector<int, 16> low, high;
    for (int lane = 0; lane < half; ++lane) {
      low.push_back(lane);
      high.push_back(half + lane);
    }
    values = combine(builder, operation, builder.CreateShuffleVector(values, low), builder.CreateShuffleVector(values, high));
  }
  return builder.CreateExtractElement(values, std::uint64_t{0});
}

Value* clusters(Widening& w, llvm::CallBase& call, Operation operation) {
  auto& builder = w.builder;
  Value* values = participants(w, call, operation);
  Value* size = agreed(w, call.getArgOperand(1));
  if (auto* known = llvm::dyn_cast<llvm::ConstantInt>(size))
    return butterfly(w, operation, values, static_cast<unsigned>(std::min<std::uint64_t>(known->getZExtValue(), w.lanes)));
  for (unsigned width = 2; width <= w.lanes; width *= 2) {
    Value* wider = combine(builder, operation, values, pick(w, values, values, [&](unsigned lane) { return lane ^ (width / 2); }));
    values = builder.CreateSelect(builder.CreateICmpUGE(size, builder.getInt32(width)), wider, values);
  }
  return values;
}

/// Within all lanes, or within segments of as many as the second argument says.
Value* scan(Widening& w, llvm::CallBase& call, Operation operation, bool inclusive) {
  const auto segment = call.arg_size() > 1 ? static_cast<unsigned>(llvm::cast<llvm::ConstantInt>(call.getArgOperand(1))->getZExtValue()) : w.lanes;
  Value* values = participants(w, call, operation);
  Value* nothing = w.builder.CreateVectorSplat(w.lanes, identity(operation, call.getType()));
  const auto shifted = [&](unsigned step) {
    return pick(w, values, nothing, [&](unsigned lane) { return lane % segment < step ? w.lanes : lane - step; });
  };
  for (unsigned step = 1; step < segment; step *= 2) values = combine(w.builder, operation, shifted(step), values);
  return inclusive ? values : shifted(1);
}

/// The lanes of `values` that `lanes` names, with AVX-512's permutations; null where there are none for this type.
Value* permuted(Widening& w, Value* values, Value* lanes) {
  auto& builder = w.builder;
  const unsigned bits = values->getType()->getScalarSizeInBits();
  if (w.traits.register_bits < 512 || !w.traits.mask_registers || bits < 16 || w.lanes != abi::kWarpSize) return nullptr;
  const unsigned each = 512 / bits;
  auto* element = builder.getIntNTy(bits);
  Value* indices = builder.CreateZExtOrTrunc(lanes, w.wide(element));
  const auto part = [&](Value* vector, unsigned index) {
    llvm::SmallVector<int, 32> mask;
    for (unsigned i = 0; i < each; ++i) mask.push_back(static_cast<int>(index * each + i));
    return builder.CreateShuffleVector(vector, mask);
  };
  llvm::SmallVector<Value*, 4> results;
  for (unsigned index = 0; index < w.lanes / each; ++index) {
    Value* wanted = part(indices, index);
    if (bits == 16) {
      results.push_back(builder.CreateIntrinsic(llvm::Intrinsic::x86_avx512_permvar_hi_512, {}, {values, wanted}));
    } else if (bits == 32) {
      results.push_back(builder.CreateIntrinsic(llvm::Intrinsic::x86_avx512_vpermi2var_d_512, {},
                                                {part(values, 0), wanted, part(values, 1)}));
    } else {
      const auto of_two = [&](unsigned first) {
        return builder.CreateIntrinsic(llvm::Intrinsic::x86_avx512_vpermi2var_q_512, {},
                                       {part(values, first), wanted, part(values, first + 1)});
      };
      auto* sixteen = llvm::ConstantInt::get(wanted->getType(), 16);
      Value* is_low = builder.CreateICmpULT(wanted, sixteen);
      results.push_back(builder.CreateSelect(is_low, of_two(0), of_two(2)));
    }
  }
  return llvm::concatenateVectors(builder, results);
}

Value* shuffle(Widening& w, llvm::CallBase& call) {
  auto& builder = w.builder;
  Value* values = w.values.vector1(call.getArgOperand(0));
  Value* lanes = builder.CreateAnd(w.values.vector1(call.getArgOperand(1)), builder.CreateVectorSplat(w.lanes, builder.getInt32(w.lanes - 1)));
  if (auto* known = llvm::dyn_cast<llvm::Constant>(lanes))
    return pick(w, values, values, [&](unsigned lane) -> unsigned {
      auto* from = llvm::dyn_cast_or_null<llvm::ConstantInt>(known->getAggregateElement(lane));
      return from ? static_cast<unsigned>(from->getZExtValue()) : lane;
    });
  // What a lane that does not take part asks for may be poison.
  lanes = builder.CreateFreeze(lanes);
  if (Value* result = permuted(w, values, lanes)) return result;
  llvm::AllocaInst* memory = w.scratch.lane_array(call.getType(), 1);
  builder.CreateAlignedStore(values, memory, memory->getAlign());
  Value* result = llvm::PoisonValue::get(w.wide(call.getType()));
  for (unsigned lane = 0; lane < w.lanes; ++lane) {
    Value* from = builder.CreateInBoundsGEP(call.getType(), memory, builder.CreateZExt(builder.CreateExtractElement(lanes, lane), builder.getInt64Ty()));
    result = builder.CreateInsertElement(result, builder.CreateLoad(call.getType(), from), lane);
  }
  return result;
}

Value* ballot(Widening& w, Value* predicate) {
  auto& builder = w.builder;
  auto* bits = builder.getIntNTy(w.lanes);
  Value* live = w.mask ? w.mask.bits() : llvm::Constant::getAllOnesValue(bits);
  const auto whole = [&](Value* votes) { return builder.CreateZExt(votes, builder.getInt32Ty()); };
  if (w.is_uniform(predicate)) return whole(builder.CreateSelect(w.values.uniform(predicate), live, llvm::Constant::getNullValue(bits)));
  Value* votes = w.values.vector1(predicate);
  // Lanes that do not take part may hold poison.
  if (w.mask) votes = builder.CreateSelect(w.mask.lanes(), votes, llvm::Constant::getNullValue(votes->getType()));
  return whole(builder.CreateBitCast(votes, bits));
}

/// A warp, or what there is of one in a group that is smaller.
bool is_one_warp(Widening& w, llvm::CallBase& call) {
  if (w.lanes <= abi::kWarpSize) return true;
  w.fail(call, "a sub-group function in a body of several warps");
  return false;
}

}  // namespace

Value* uniform_sub_group_value(Widening& w, llvm::CallBase& call, SubGroupCall primitive) {
  if (!is_one_warp(w, call)) return llvm::PoisonValue::get(call.getType());
  auto& builder = w.builder;
  switch (primitive.kind) {
    case Kind::kId: return builder.CreateLShr(w.items.linear_id(0), 5, "sub_group_id");
    case Kind::kBallot: return ballot(w, call.getArgOperand(0));
    case Kind::kFirst: return agreed(w, call.getArgOperand(0));
    case Kind::kBroadcast: {
      if (w.is_uniform(call.getArgOperand(0))) return w.values.uniform(call.getArgOperand(0));
      Value* lane = builder.CreateAnd(agreed(w, call.getArgOperand(1)), w.lanes - 1);
      return builder.CreateExtractElement(w.values.vector1(call.getArgOperand(0)), lane);
    }
    default: return reduce(w, primitive.operation, participants(w, call, primitive.operation));
  }
}

Value* sub_group_values(Widening& w, llvm::CallBase& call, SubGroupCall primitive) {
  if (!is_one_warp(w, call)) return llvm::PoisonValue::get(w.wide(call.getType()));
  switch (primitive.kind) {
    case Kind::kShuffle: return shuffle(w, call);
    case Kind::kCluster: return clusters(w, call, primitive.operation);
    default: return scan(w, call, primitive.operation, primitive.kind == Kind::kInclusive);
  }
}

}  // namespace weft::compiler::simt
