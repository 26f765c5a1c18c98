#include "compiler/simt/item/sub_group_size.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/ir/sub_groups.h"
#include "device/kernel_abi.h"

namespace weft::compiler::simt {
namespace {

using llvm::CallInst;
using llvm::Value;

/// Writes one call of a primitive of sub-groups in those of warps.
class Narrowed {
 public:
  Narrowed(CallInst& call, unsigned size) : call_(call), size_(size), builder_(&call) {}

  Value* value(SubGroupCall primitive) {
    using Kind = SubGroupCall::Kind;
    // As in reduce_add_i32: what is behind the kind.
    const llvm::StringRef rest = called_name(call_).drop_front(primitive::kSubGroup.size()).split('_').second;
    switch (primitive.kind) {
      case Kind::kLane: return builder_.CreateAnd(lane(), size_ - 1);
      case Kind::kId: {
        Value* before = builder_.CreateShl(warp("id", builder_.getInt32Ty(), {}), llvm::Log2_32(abi::kWarpSize / size_));
        Value* within = builder_.CreateLShr(lane(), llvm::Log2_32(size_));
        return builder_.CreateOr(before, within);
      }
      case Kind::kBallot: return ballot(call_.getArgOperand(0));
      case Kind::kFirst: {
        Value* first = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, ballot(builder_.getTrue()), builder_.getFalse());
        return shuffle(rest, first);
      }
      case Kind::kBroadcast:
      case Kind::kShuffle: return shuffle(rest, call_.getArgOperand(1));
      case Kind::kReduce: return of_value("cluster_" + rest, builder_.getInt32(size_));
      case Kind::kCluster:
        return of_value("cluster_" + rest, builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, call_.getArgOperand(1), builder_.getInt32(size_)));
      case Kind::kInclusive: return of_value("segment_inclusive_" + rest, builder_.getInt32(size_));
      case Kind::kExclusive: return of_value("segment_exclusive_" + rest, builder_.getInt32(size_));
    }
    llvm_unreachable("a primitive of no kind");
  }

 private:
  /// A call of a primitive of warps, with the attributes that link_builtins gives those of sub-groups.
  Value* warp(const llvm::Twine& name, llvm::Type* result, llvm::ArrayRef<Value*> arguments) {
    llvm::SmallVector<llvm::Type*, 2> types;
    for (const Value* argument : arguments) types.push_back(argument->getType());
    llvm::FunctionCallee callee =
        call_.getModule()->getOrInsertFunction((primitive::kWarp + name).str(), llvm::FunctionType::get(result, types, false));
    auto* function = llvm::cast<llvm::Function>(callee.getCallee());
    function->setDoesNotThrow();
    function->setWillReturn();
    function->setDoesNotAccessMemory();
    if (sub_group_primitive(function->getName())->is_convergent())
      function->setConvergent();
    else
      function->setSpeculatable();
    CallInst* made = builder_.CreateCall(callee, arguments);
    made->copyIRFlags(&call_);
    return made;
  }

  Value* lane() { return warp("lane", builder_.getInt32Ty(), {}); }
  /// The sub-group's first lane of the warp.
  Value* base() { return builder_.CreateAnd(lane(), abi::kWarpSize - size_); }

  Value* ballot(Value* predicate) {
    Value* bits = warp("ballot", builder_.getInt32Ty(), {predicate});
    return builder_.CreateAnd(builder_.CreateLShr(bits, base()), llvm::maskTrailingOnes<std::uint32_t>(size_));
  }
  Value* shuffle(const llvm::Twine& type, Value* from) {
    Value* within = builder_.CreateAnd(from, size_ - 1);
    return of_value("shuffle_" + type, builder_.CreateOr(base(), within));
  }
  /// Of the call's own value.
  Value* of_value(const llvm::Twine& name, Value* argument) { return warp(name, call_.getType(), {call_.getArgOperand(0), argument}); }

  CallInst& call_;
  unsigned size_;
  llvm::IRBuilder<> builder_;
};

void replace(CallInst& call, Value* value) {
  call.replaceAllUsesWith(value);
  call.eraseFromParent();
}

}  // namespace

bool narrow_sub_groups(llvm::Function& kernel, unsigned size) {
  bool any = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(kernel))) {
    auto* call = llvm::dyn_cast<CallInst>(&instruction);
    if (!call || !called_name(*call).starts_with(primitive::kSubGroup)) continue;
    any = true;
    if (called_name(*call) == primitive::kSubGroupSize)
      replace(*call, llvm::ConstantInt::get(call->getType(), size));
    else if (const auto primitive = sub_group_call(*call))
      replace(*call, Narrowed(*call, size).value(*primitive));
  }
  return any;
}

void widen_sub_groups(llvm::Module& module) {
  llvm::Function* size = module.getFunction(primitive::kSubGroupSize);
  if (!size) return;
  for (llvm::User* user : llvm::make_early_inc_range(size->users()))
    replace(*llvm::cast<CallInst>(user), llvm::ConstantInt::get(size->getReturnType(), abi::kWarpSize));
}

}  // namespace weft::compiler::simt
