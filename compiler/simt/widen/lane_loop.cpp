#include "compiler/simt/widen/lane_loop.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/IR/Module.h>

#include <utility>

#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/memory/flat_rows.h"
#include "compiler/simt/widen/atomic.h"
#include "compiler/simt/widen/flat_loop.h"
#include "compiler/simt/widen/lanes_beside.h"
#include "compiler/simt/widen/memory/access.h"
#include "compiler/simt/widen/memory/two_ways.h"
#include "compiler/simt/widen/rolled_loop.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

/// One component of a value of all lanes, in memory, where the loop finds it by the lane's number.
class LaneArray {
 public:
  LaneArray(Emitter& emitter, llvm::Type* type);

  void store_all(Value* lanes);
  Value* load_all();
  void store(Value* value, Value* lane);
  Value* load(Value* lane);
  /// From here on `value`, null for none, is the element of every lane that is asked for.
  void take(Value* value) { taken_ = value; }
  llvm::Type* type() const { return type_; }

 private:
  bool has_gaps() const { return memory_type_ != type_; }
  Value* address(Value* lane) { return e_->builder.CreateInBoundsGEP(memory_type_, array_, lane); }

  Emitter* e_;
  llvm::Type* type_;
  llvm::Type* memory_type_;
  llvm::AllocaInst* array_;
  Value* taken_ = nullptr;
};

/// An array of i1 or i24 has gaps where a vector has none: in memory these are the next whole integer.
llvm::Type* without_gaps(Emitter& emitter, llvm::Type* type) {
  if (!type->isIntegerTy() || solid_bits(type, emitter.layout)) return type;
  return emitter.builder.getIntNTy(static_cast<unsigned>(8 * emitter.layout.getTypeAllocSize(type)));
}

LaneArray::LaneArray(Emitter& emitter, llvm::Type* type)
    : e_(&emitter),
      type_(type),
      memory_type_(without_gaps(emitter, type)),
      // Whole vectors go in and out, so it has a vector's alignment.
      array_(emitter.new_variable(llvm::ArrayType::get(memory_type_, emitter.lanes),
                                  emitter.layout.getABITypeAlign(emitter.wide(memory_type_)), "lanes")) {}

void LaneArray::store_all(Value* lanes) {
  if (has_gaps()) lanes = e_->builder.CreateZExt(lanes, e_->wide(memory_type_));
  e_->builder.CreateStore(lanes, array_);
}

Value* LaneArray::load_all() {
  Value* lanes = e_->builder.CreateLoad(e_->wide(memory_type_), array_);
  return has_gaps() ? e_->builder.CreateTrunc(lanes, e_->wide(type_)) : lanes;
}

void LaneArray::store(Value* value, Value* lane) {
  if (has_gaps()) value = e_->builder.CreateZExt(value, memory_type_);
  e_->builder.CreateStore(value, address(lane));
}

Value* LaneArray::load(Value* lane) {
  if (taken_) return taken_;
  Value* value = e_->builder.CreateLoad(memory_type_, address(lane));
  return has_gaps() ? e_->builder.CreateTrunc(value, type_) : value;
}

/// Of integers that processors divide one by one, with a trap for 0.
constexpr unsigned kTrappingBits = 64;

/// An operand as the loop takes it: a scalar where the lanes agree, a scalar and a distance where they count, else arrays, one
/// for each component.
struct Operand {
  Value* scalar = nullptr;
  std::int64_t stride = 0;
  Parts parts;
  llvm::SmallVector<LaneArray, 4> arrays;  ///< of these

  void lay_out(Widening& w) {
    if (scalar) return;
    for (Value* part : parts) {
      arrays.emplace_back(w, part->getType()->getScalarType());
      arrays.back().store_all(part);
    }
  }
};

bool counts(const Widening& w, const Value& value) {
  const Shape shape = w.shape(&value);
  const llvm::Type* type = value.getType();
  return shape.is_affine() && !shape.checked && shape.segment == w.lanes && (type->isIntegerTy() || type->isPointerTy());
}

Operand prepare(Widening& w, Value* value) {
  Operand operand;
  if (llvm::isa<llvm::Function>(value) || value->getType()->isMetadataTy()) {
    operand.scalar = value;
  } else if (w.is_uniform(value)) {
    operand.scalar = w.values.uniform(value);
  } else if (counts(w, *value)) {
    operand.scalar = w.values.scalar_at(value, 0);
    operand.stride = w.shape(value).stride;
  } else {
    operand.parts = w.values.vector(value);
  }
  return operand;
}

/// `operand` of `instruction`, which has `type` there, in `lane`.
Value* in_lane(Widening& w, llvm::Instruction& instruction, Operand& operand, llvm::Type* type, Value* lane) {
  Value* value = operand.scalar;
  if (!value && type->isVectorTy()) {
    value = llvm::PoisonValue::get(w.lowered(type));
    for (unsigned c = 0; c < operand.arrays.size(); ++c)
      value = w.builder.CreateInsertElement(value, operand.arrays[c].load(lane), c);
  } else if (!value && type->isAggregateType()) {
    w.fail(instruction, "an aggregate operand in a lane loop");
    value = llvm::PoisonValue::get(type);
  } else if (!value) {
    value = operand.arrays.front().load(lane);
  } else if (const std::int64_t stride = operand.stride) {
    Value* distance = w.builder.CreateMul(lane, w.builder.getInt64(static_cast<std::uint64_t>(stride)));
    value = type->isPointerTy() ? w.builder.CreateGEP(w.builder.getInt8Ty(), value, distance)
                                : w.builder.CreateAdd(value, w.builder.CreateSExtOrTrunc(distance, type));
  }
  // Intrinsics are declared for pointers of one address space.
  if (llvm::isa<llvm::CallBase>(instruction) && value->getType() != type && type->isPointerTy())
    value = w.builder.CreateAddrSpaceCast(value, type);
  return value;
}

/// The loop's body: `instruction` for `lane`.
void emit_lane(Widening& w, llvm::Instruction& instruction, llvm::MutableArrayRef<Operand> operands,
               llvm::MutableArrayRef<LaneArray> results, Value* lane) {
  llvm::Instruction* copy = instruction.clone();
  for (unsigned i = 0; i < operands.size(); ++i)
    copy->setOperand(i, in_lane(w, instruction, operands[i], instruction.getOperand(i)->getType(), lane));
  if (!llvm::isa<llvm::CallBase>(copy) && copy->getType() != w.lowered(copy->getType()))
    copy->mutateType(w.lowered(copy->getType()));
  copy->setDebugLoc(llvm::DebugLoc());
  copy->setMetadata(primitive::kNonVolatileMetadata, nullptr);
  auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(copy);
  Value* whole = update ? insert_update(w, *update, instruction) : w.builder.Insert(copy);
  for (unsigned i = 0; i < results.size(); ++i) {
    Value* value = whole;
    if (instruction.getType()->isVectorTy())
      value = w.builder.CreateExtractElement(copy, i);
    else if (instruction.getType()->isAggregateType())
      value = w.builder.CreateExtractValue(copy, i);
    results[i].store(value, lane);
  }
  if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction))
    relax_private_atomic(*copy, instruction);
}

/// The loop's body for the lanes from `first` on: one call of what the function that `call` calls is for `count` lanes.
void emit_beside(Widening& w, llvm::CallBase& call, llvm::MutableArrayRef<Operand> operands, llvm::MutableArrayRef<LaneArray> results,
                 llvm::Value* first, unsigned count, llvm::Function*& beside) {
  llvm::SmallVector<bool, 8> shared;
  for (const llvm::Use& argument : call.args()) shared.push_back(w.is_uniform(argument.get()));
  if (!beside) beside = put_beside(*call.getCalledFunction(), shared, count);
  llvm::SmallVector<Value*, 16> arguments;
  llvm::SmallVector<Value*, 4> lanes;
  for (unsigned i = 0; i < count; ++i) lanes.push_back(w.builder.CreateAdd(first, w.builder.getInt64(i), "", true, true));
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    llvm::Type* type = call.getArgOperand(i)->getType();
    Value* own = in_lane(w, call, operands[i], type, first);
    arguments.push_back(own);
    // Pointers at known distances are one register.
    for (unsigned lane = 1; lane < (shared[i] ? 1 : count); ++lane)
      arguments.push_back(operands[i].stride && type->isPointerTy()
                              ? w.builder.CreateConstGEP1_64(w.builder.getInt8Ty(), own, static_cast<std::uint64_t>(operands[i].stride * lane))
                              : in_lane(w, call, operands[i], type, lanes[lane]));
  }
  llvm::CallInst* all = w.builder.CreateCall(beside, arguments);
  for (unsigned lane = 0; lane < count && !results.empty(); ++lane) {
    Value* value = w.builder.CreateExtractValue(all, lane);
    for (unsigned i = 0; i < results.size(); ++i)
      results[i].store(call.getType()->isAggregateType() ? w.builder.CreateExtractValue(value, i) : value, lanes[lane]);
  }
}

/// Values of a turn that are loaded before the turn in front of it, at most: each takes a register from that.
constexpr unsigned kMostAhead = 4;

/// What of `operands` a lane's turn should find in registers when it begins. Where a loop's turn ends, the processor does not foresee: all that follows
/// begins then, and the loop's first addresses and its end would wait for the lane's number and for memory behind that.
llvm::SmallVector<LaneArray*, kMostAhead> worth_ahead(const llvm::Instruction& instruction, llvm::MutableArrayRef<Operand> operands) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  if (!callee || callee->isDeclaration()) return {};
  if (const llvm::Function* one = with_iterations(*callee)) callee = one;
  llvm::SmallVector<std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>, 4> repeats;
  llvm::FindFunctionBackedges(*callee, repeats);
  if (repeats.empty()) return {};
  llvm::SmallVector<LaneArray*, kMostAhead> arrays;
  for (Operand& operand : operands)
    for (LaneArray& array : operand.arrays)
      if (array.type()->isIntOrPtrTy()) arrays.push_back(&array);
  if (arrays.size() > kMostAhead) arrays.clear();
  return arrays;
}

/// As for_each_live_lane, with the elements of `arrays` loaded before the turn in front of theirs.
void for_each_live_lane_ahead(Widening& w, llvm::ArrayRef<LaneArray*> arrays, llvm::function_ref<void(Value* lane)> emit) {
  llvm::IRBuilder<>& builder = w.builder;
  auto* mask_type = builder.getIntNTy(w.lanes);
  Value* live = w.mask ? w.mask.bits() : llvm::Constant::getAllOnesValue(mask_type);
  auto *first = w.new_block("lane.first"), *loop = w.new_block("lane"), *after = w.new_block("lanes.done");
  builder.CreateCondBr(builder.CreateIsNotNull(live), first, after);
  // Behind the last lane the first one's elements, which nobody takes.
  const auto lowest = [&](Value* mask) -> Value* {
    Value* lane = builder.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, mask, builder.getFalse());
    return builder.CreateZExtOrTrunc(builder.CreateAnd(lane, llvm::ConstantInt::get(mask_type, w.lanes - 1)), builder.getInt64Ty(), "lane");
  };
  struct Carried {
    llvm::PHINode* phi;
    Value* next;
  };
  llvm::SmallVector<Carried, kMostAhead + 2> carried;
  const auto carry = [&](Value& begin) {
    llvm::PHINode* phi = llvm::PHINode::Create(begin.getType(), 2, begin.getName(), loop);
    phi->addIncoming(&begin, first);
    carried.push_back({phi, nullptr});
    return phi;
  };
  builder.SetInsertPoint(first);
  Value* begin = lowest(live);
  Value* left = carry(*live);
  Value* lane = carry(*begin);
  for (LaneArray* array : arrays) carry(*array->load(begin));
  builder.CreateBr(loop);
  builder.SetInsertPoint(loop);
  Value* rest = builder.CreateAnd(left, builder.CreateSub(left, llvm::ConstantInt::get(mask_type, 1)));
  carried[0].next = rest;
  carried[1].next = lowest(rest);
  for (const auto [i, array] : llvm::enumerate(arrays)) {
    carried[2 + i].next = array->load(carried[1].next);
    array->take(carried[2 + i].phi);
  }
  emit(lane);
  for (LaneArray* array : arrays) array->take(nullptr);
  for (const Carried& value : carried) value.phi->addIncoming(value.next, builder.GetInsertBlock());
  builder.CreateCondBr(builder.CreateIsNotNull(rest), loop, after);
  builder.SetInsertPoint(after);
}

/// `instruction` for each live lane.
Parts take_turns(Widening& w, llvm::Instruction& instruction, llvm::MutableArrayRef<Operand> operands) {
  for (Operand& operand : operands) operand.lay_out(w);
  llvm::SmallVector<llvm::Type*, 4> types;
  if (!instruction.getType()->isVoidTy()) types = w.components(instruction.getType());
  llvm::SmallVector<LaneArray, 4> results;
  if (!instruction.use_empty())
    for (llvm::Type* type : types) {
      results.emplace_back(w, type);
      // What may be a divisor (arithmetic.cpp): LLVM 19 loses `freeze` of vectors that are undefined in some lanes, and what is made of them for these lanes.
      if (type->isIntegerTy(kTrappingBits)) results.back().store_all(llvm::Constant::getNullValue(w.wide(type)));
    }

  const auto ahead = worth_ahead(instruction, operands);
  const auto one_by_one = [&] {
    const auto turn = [&](Value* lane) { emit_lane(w, instruction, operands, results, lane); };
    if (ahead.empty())
      for_each_live_lane(w, turn);
    else
      for_each_live_lane_ahead(w, ahead, turn);
  };
  auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const unsigned beside = call && !call->getType()->isVectorTy() ? lanes_beside(w, *call) : 1;
  if (beside > 1) {
    llvm::Function* function = nullptr;
    const auto several = [&] {
      rolled_loop(w, w.lanes, beside, [&](Value* first) { emit_beside(w, *call, operands, results, first, beside, function); });
      return Parts{};
    };
    constexpr TwoWays kWays{.usual = "beside", .other = "alone", .join = "by_lane.done"};
    const auto alone = [&] {
      one_by_one();
      return Parts{};
    };
    if (w.mask)
      emit_two_ways(w, w.builder.CreateIsNull(w.builder.CreateNot(w.mask.bits())), kWays, several, alone);
    else
      several();
  } else {
    one_by_one();
  }

  Parts parts;
  for (LaneArray& result : results) parts.push_back(result.load_all());
  if (results.empty())
    for (llvm::Type* type : types) parts.push_back(llvm::PoisonValue::get(w.wide(type)));
  return parts;
}

}  // namespace

Parts lane_loop(Widening& w, llvm::Instruction& instruction) {
  if (w.lanes == 1) {  // no value: those are uniform and never come here
    w.values.clone_at(instruction, 0, false);
    return {};
  }
  w.control.remark(&instruction, llvm::Twine(instruction.getOpcodeName()) + ": one live lane after the other, in a loop");
  auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  llvm::SmallVector<Operand, 4> operands;
  for (Value* operand : instruction.operands()) operands.push_back(prepare(w, operand));
  const auto turns = [&] { return take_turns(w, instruction, operands); };
  llvm::Function* one = call && call->getCalledFunction() ? with_iterations(*call->getCalledFunction()) : nullptr;
  if (!one) return turns();
  // A lane's own turn ends where it does, whatever it is told.
  operands.front().scalar = llvm::PoisonValue::get(w.builder.getInt32Ty());
  const Parts parts = flat_loop(w, *call, *one, turns);
  return parts.empty() ? turns() : parts;
}

void for_each_live_lane(Widening& w, llvm::function_ref<void(Value* lane)> emit) {
  auto* mask_type = w.builder.getIntNTy(w.lanes);
  Value* live = w.mask ? w.mask.bits() : llvm::Constant::getAllOnesValue(mask_type);
  llvm::BasicBlock* before = w.builder.GetInsertBlock();
  auto* loop = w.new_block("lane");
  auto* after = w.new_block("lanes.done");
  w.builder.CreateCondBr(w.builder.CreateIsNotNull(live), loop, after);
  w.builder.SetInsertPoint(loop);
  llvm::PHINode* left = w.builder.CreatePHI(mask_type, 2, "left");
  left->addIncoming(live, before);
  emit(w.builder.CreateZExtOrTrunc(w.builder.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, left, w.builder.getTrue()),
                                   w.builder.getInt64Ty(), "lane"));
  Value* rest = w.builder.CreateAnd(left, w.builder.CreateSub(left, llvm::ConstantInt::get(mask_type, 1)));
  left->addIncoming(rest, w.builder.GetInsertBlock());
  w.builder.CreateCondBr(w.builder.CreateIsNotNull(rest), loop, after);
  w.builder.SetInsertPoint(after);
}

}  // namespace weft::compiler::simt
