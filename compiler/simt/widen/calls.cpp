// Calls: of primitives, of intrinsics, and of what is not known.
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "compiler/simt/widen/lane_loop.h"
#include "compiler/simt/widen/operations.h"
#include "compiler/simt/widen/primitives.h"
#include "compiler/simt/widen/wide_call.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

Parts widen_intrinsic(Widening& w, llvm::CallBase& call) {
  const auto id = llvm::cast<llvm::IntrinsicInst>(call).getIntrinsicID();
  switch (id) {
    case llvm::Intrinsic::assume:
    case llvm::Intrinsic::lifetime_start:
    case llvm::Intrinsic::lifetime_end:
    case llvm::Intrinsic::experimental_noalias_scope_decl:
    case llvm::Intrinsic::dbg_declare:
    case llvm::Intrinsic::dbg_value:
    case llvm::Intrinsic::dbg_label:
    case llvm::Intrinsic::sideeffect:
    case llvm::Intrinsic::prefetch:
    case llvm::Intrinsic::invariant_start:
    case llvm::Intrinsic::invariant_end: return {};
    default: break;
  }
  const bool overflow = llvm::isa<llvm::WithOverflowInst>(call);
  // Reductions over an OpenCL vector fold its components.
  auto fold = [&](llvm::Instruction::BinaryOps op) {
    const Parts parts = w.values.vector(call.getArgOperand(0));
    Value* result = parts.front();
    for (unsigned i = 1; i < parts.size(); ++i) result = w.builder.CreateBinOp(op, result, parts[i]);
    return Parts{result};
  };
  auto fold_call = [&](llvm::Intrinsic::ID op) {
    const Parts parts = w.values.vector(call.getArgOperand(0));
    Value* result = parts.front();
    for (unsigned i = 1; i < parts.size(); ++i) result = w.builder.CreateBinaryIntrinsic(op, result, parts[i]);
    return Parts{result};
  };
  switch (id) {
    case llvm::Intrinsic::vector_reduce_or: return fold(llvm::Instruction::Or);
    case llvm::Intrinsic::vector_reduce_and: return fold(llvm::Instruction::And);
    case llvm::Intrinsic::vector_reduce_xor: return fold(llvm::Instruction::Xor);
    case llvm::Intrinsic::vector_reduce_add: return fold(llvm::Instruction::Add);
    case llvm::Intrinsic::vector_reduce_mul: return fold(llvm::Instruction::Mul);
    case llvm::Intrinsic::vector_reduce_umax: return fold_call(llvm::Intrinsic::umax);
    case llvm::Intrinsic::vector_reduce_umin: return fold_call(llvm::Intrinsic::umin);
    case llvm::Intrinsic::vector_reduce_smax: return fold_call(llvm::Intrinsic::smax);
    case llvm::Intrinsic::vector_reduce_smin: return fold_call(llvm::Intrinsic::smin);
    default: break;
  }
  if (!llvm::isTriviallyVectorizable(id) && !overflow) return lane_loop(w, call);
  llvm::SmallVector<Parts, 3> operands;
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    if (llvm::isVectorIntrinsicWithScalarOpAtArg(id, i)) {
      if (!w.is_uniform(call.getArgOperand(i))) return lane_loop(w, call);
      operands.push_back({w.values.uniform(call.getArgOperand(i))});
    } else {
      operands.push_back(w.values.vector(call.getArgOperand(i)));
    }
  }
  const auto types = w.components(overflow ? call.getArgOperand(0)->getType() : call.getType());
  Parts parts, flags;
  for (unsigned c = 0; c < types.size(); ++c) {
    llvm::SmallVector<Value*, 3> arguments;
    llvm::SmallVector<llvm::Type*, 2> overloads;
    if (overflow)
      overloads.push_back(w.wide(types[c]));
    else if (llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, -1))
      overloads.push_back(w.wide(types[c]));
    for (unsigned i = 0; i < operands.size(); ++i) {
      Value* argument = operands[i].size() == 1 ? operands[i].front() : operands[i][c];
      arguments.push_back(argument);
      if (!overflow && llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, static_cast<int>(i)))
        overloads.push_back(argument->getType());
    }
    llvm::Function* callee = llvm::Intrinsic::getDeclaration(w.scalar.getParent(), id, overloads);
    llvm::CallInst* made = w.builder.CreateCall(callee, arguments, call.getName());
    if (llvm::isa<llvm::FPMathOperator>(call) && llvm::isa<llvm::FPMathOperator>(made)) made->copyFastMathFlags(&call);
    if (overflow) {
      parts.push_back(w.builder.CreateExtractValue(made, 0));
      flags.push_back(w.builder.CreateExtractValue(made, 1));
    } else {
      parts.push_back(made);
    }
  }
  parts.append(flags);
  return parts;
}

}  // namespace

Parts widen_call(Widening& w, llvm::CallBase& call) {
  const llvm::StringRef name = called_name(call);
  if (name == primitive::kAny || name == primitive::kAll) {
    w.fail(call, "a vote outside uniform control");  // votes are uniform and never come here
    return {};
  }
  if (name.starts_with(primitive::kSlotStore)) {
    store_slot(w, call);
    return {};
  }
  if (name.starts_with(primitive::kSlotLoad)) return load_slot(w, call);
  if (name.starts_with(primitive::kLanes)) return shuffle_lanes(w, call);
  if (name.starts_with(primitive::kInOrder)) return {w.values.vector1(call.getArgOperand(0))};
  if (Parts parts = vector_primitive(w, call); !parts.empty()) return parts;
  if (is_arithmetic_primitive(call)) {
    llvm::SmallVector<Value*, 3> arguments;
    for (Value* argument : call.args()) arguments.push_back(w.values.vector1(argument));
    return {arithmetic_primitive(w.builder, name, arguments, w.traits)};
  }
  if (w.counting.widen(call)) return {};
  if (name == primitive::kPrefetch) {
    widen_prefetch(w, call);
    return {};
  }
  if (llvm::isa<llvm::IntrinsicInst>(call)) return widen_intrinsic(w, call);
  if (const auto callee = w.request.callees.find(call.getCalledFunction()); callee != w.request.callees.end())
    return wide_call(w, call, callee->second);
  return lane_loop(w, call);
}

}  // namespace weft::compiler::simt
