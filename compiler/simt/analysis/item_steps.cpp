#include "compiler/simt/analysis/item_steps.h"

#include <algorithm>
#include <optional>

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Operator.h>

#include "compiler/simt/ir/primitives.h"

namespace weft::compiler::simt {
namespace {

/// So that sums do not overflow; an index of 32 bits that is shifted up and down again (sign extension) stays below.
constexpr std::int64_t kMostStep = std::int64_t{1} << 61;

Step by(std::int64_t local, std::int64_t group) { return local == 0 && group == 0 ? Step{} : Step{Step::kBy, local, group}; }

Step join(const Step& a, const Step& b) { return a == b ? a : Step{Step::kOther}; }

Step sum(const Step& a, const Step& b, std::int64_t sign) {
  if (b.kind == Step::kSame) return a;
  if (a.kind == Step::kSame && b.kind != Step::kBy) return b;
  if (a.kind == Step::kOther || b.kind == Step::kOther) return {Step::kOther};
  if (a.kind == Step::kFar || b.kind == Step::kFar) return {Step::kFar};
  if (a.kind == Step::kGroup || b.kind == Step::kGroup) return {Step::kOther};
  const auto within = [](std::int64_t step) { return std::clamp(step, -kMostStep, kMostStep); };
  return by(within(a.local + sign * b.local), within(a.group + sign * b.group));
}

/// `a` * `b`, or more than any row's step: no kernel can make numbers here overflow.
std::int64_t product(std::int64_t a, std::int64_t b) {
  std::int64_t result;
  return __builtin_mul_overflow(a, b, &result) || result > kMostStep || result < -kMostStep ? kMostStep : result;
}

const llvm::Value* without_casts(const llvm::Value* value) {
  while (const auto* cast = llvm::dyn_cast<llvm::CastInst>(value)) value = cast->getOperand(0);
  return value;
}

Step or_other(const Step& step) { return step.kind == Step::kSame ? step : Step{Step::kOther}; }

}  // namespace

ItemSteps::ItemSteps(const llvm::Function& kernel, unsigned dimension, StepScope scope)
    : layout_(kernel.getDataLayout()), dimension_(static_cast<char>('x' + dimension)), scope_(scope) {
  if (const llvm::MDNode* size = kernel.getMetadata("reqd_work_group_size"))
    if (const auto* own = llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(size->getOperand(dimension)))
      required_size_ = own->getSExtValue();
  const llvm::ReversePostOrderTraversal<const llvm::Function*> order(&kernel);
  // A value's step only rises, kinds being few; loops within loops may take a round each.
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::BasicBlock* block : order)
      for (const llvm::Instruction& instruction : *block) {
        Step now = step_of(instruction);
        Step& known = steps_[&instruction];
        if (now == known) continue;
        // An address that moves on in a loop is none of a row's.
        if (known.kind == Step::kBy && now.kind == Step::kBy) now = {Step::kOther};
        if (now.kind < known.kind) continue;
        steps_[&instruction] = now;
        changed = true;
      }
  }
}

Step ItemSteps::of(const llvm::Value* value) const {
  const auto found = steps_.find(value);
  return found == steps_.end() ? Step{} : found->second;  // constants and arguments
}

Step ItemSteps::of_bounded(const llvm::MinMaxIntrinsic& bounded) const {
  const Step left = of(bounded.getLHS()), right = of(bounded.getRHS());
  if (left.kind == Step::kSame) return right;
  return right.kind == Step::kSame ? left : join(left, right);
}

Step ItemSteps::step_of(const llvm::Instruction& instruction) const {
  if (const auto* bounded = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&instruction); bounded && scope_ == StepScope::kWithinBounds)
    return of_bounded(*bounded);
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) return of_call(*call);
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return or_other(of(load->getPointerOperand()));
  if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) return of_address(*address);
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) return of_phi(*phi);
  if (llvm::isa<llvm::CastInst, llvm::FreezeInst>(instruction) && instruction.getType()->isIntOrPtrTy())
    return of(instruction.getOperand(0));
  if (const auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) return of_binary(*binary);
  return of_others(instruction);
}

Step ItemSteps::of_phi(const llvm::PHINode& phi) const {
  std::optional<Step> result;
  for (const llvm::Value* value : phi.incoming_values()) {
    // What a loop ends with is looked at behind what it begins with, and then changes nothing or rises.
    if (scope_ == StepScope::kIterations && llvm::isa<llvm::Instruction>(value) && !steps_.contains(value)) continue;
    result = result ? join(*result, of(value)) : of(value);
  }
  return result.value_or(Step{});
}

Step ItemSteps::of_others(const llvm::Instruction& instruction) const {
  const bool same = llvm::all_of(instruction.operands(), [&](const llvm::Use& operand) { return of(operand).kind == Step::kSame; });
  return same ? Step{} : Step{Step::kOther};
}

Step ItemSteps::times(const Step& step, std::int64_t factor) const {
  if (factor == 0 || step.kind == Step::kSame) return {};
  if (step.kind == Step::kBy) return by(product(step.local, factor), product(step.group, factor));
  if (step.kind == Step::kGroup && factor != 1)
    return required_size_ != 0 && factor % required_size_ == 0 ? by(0, factor / required_size_) : Step{Step::kOther};
  return step;
}

Step ItemSteps::of_call(const llvm::CallInst& call) const {
  const llvm::StringRef name = called_name(call);
  const auto is = [&](llvm::StringRef what) {
    return name.size() == what.size() + 1 && name.starts_with(what) && name.back() == dimension_;
  };
  const bool within = scope_ == StepScope::kWithinGroup || scope_ == StepScope::kWithinBounds, between = scope_ == StepScope::kBetweenGroups;
  if (is(primitive::kGlobalId)) return by(between ? 0 : 1, within ? 0 : 1);
  if (is(primitive::kLocalId)) return between ? Step{} : by(1, 0);
  if (is("__weft_group_id_")) return within ? Step{} : between ? by(0, 1) : Step{Step::kGroup};
  if (name.starts_with(primitive::kSubGroup) && name != primitive::kSubGroupSize && !between) return {Step::kOther};
  if (name.starts_with("__weft_") && call.arg_size() == 0) return {};  // the other dimensions', and sizes
  return of_others(call);
}

bool ItemSteps::is_local_size(const llvm::Value* value) const {
  const llvm::StringRef name = called_name(*without_casts(value));
  return name.starts_with("__weft_local_size_") && name.back() == dimension_;
}

Step ItemSteps::of_product(const llvm::Value* a, const llvm::Value* b) const {
  const Step left = of(a), right = of(b);
  if (left.kind == Step::kGroup && is_local_size(b)) return by(0, 1);
  if (right.kind == Step::kGroup && is_local_size(a)) return by(0, 1);
  if (scope_ == StepScope::kBetweenGroups && (is_local_size(a) || is_local_size(b))) return is_local_size(a) ? right : left;
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(b); number && number->getValue().isSignedIntN(64))
    return times(left, number->getSExtValue());
  if (left.kind == Step::kSame && right.kind == Step::kSame) return {};
  if (left.kind == Step::kOther || right.kind == Step::kOther) return {Step::kOther};
  return left.kind == Step::kSame || right.kind == Step::kSame ? Step{Step::kFar} : Step{Step::kOther};
}

Step ItemSteps::of_binary(const llvm::BinaryOperator& binary) const {
  const llvm::Value *a = binary.getOperand(0), *b = binary.getOperand(1);
  if (!binary.getType()->isIntegerTy()) return of_others(binary);
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(b);
  const bool is_small = number && number->getValue().ult(63);
  switch (binary.getOpcode()) {
    case llvm::Instruction::Add: return sum(of(a), of(b), 1);
    case llvm::Instruction::Sub: return sum(of(a), of(b), -1);
    case llvm::Instruction::Or:
      return llvm::cast<llvm::PossiblyDisjointInst>(binary).isDisjoint() ? sum(of(a), of(b), 1) : of_others(binary);
    case llvm::Instruction::Mul: return of_product(a, b);
    case llvm::Instruction::Shl:
      return is_small ? times(of(a), std::int64_t{1} << number->getZExtValue()) : of_others(binary);
    case llvm::Instruction::AShr: {  // of a sign extension: (x << 32) >> 30
      const Step step = of(a);
      const std::int64_t divisor = is_small ? std::int64_t{1} << number->getZExtValue() : 0;
      if (step.kind == Step::kFar) return step;
      if (!is_small || step.kind != Step::kBy || step.local % divisor != 0 || step.group % divisor != 0) return of_others(binary);
      return by(step.local / divisor, step.group / divisor);
    }
    default: return of_others(binary);
  }
}

Step ItemSteps::of_address(const llvm::GetElementPtrInst& address) const {
  if (address.getType()->isVectorTy()) return of_others(address);
  Step result = of(address.getPointerOperand());
  for (auto index = llvm::gep_type_begin(address), end = llvm::gep_type_end(address); index != end; ++index) {
    if (index.isStruct()) continue;
    const auto bytes = static_cast<std::int64_t>(index.getSequentialElementStride(layout_).getKnownMinValue());
    result = sum(result, times(of(index.getOperand()), bytes), 1);
  }
  return result;
}

}  // namespace weft::compiler::simt
