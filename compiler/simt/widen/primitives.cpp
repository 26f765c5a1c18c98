// The primitives that a work-item calls: its ids and sizes, votes, slots and private memory, in one lane or in all.
#include <llvm/IR/Module.h>

#include <cstddef>

#include "compiler/simt/widen/float_parts.h"
#include "compiler/simt/ir/source_lanes.h"
#include "compiler/simt/widen/reciprocal_root.h"
#include "compiler/simt/widen/widener.h"
#include "device/kernel_abi.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

Value* load_field(llvm::IRBuilder<>& builder, Value* base, std::size_t offset, llvm::StringRef name) {
  llvm::LoadInst* load = builder.CreateLoad(
      builder.getInt64Ty(), builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset), name);
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(builder.getContext(), {}));
  return load;
}

/// The dimension that a primitive such as __weft_local_id_y names, or -1.
int dimension_of(llvm::StringRef name, llvm::StringRef prefix) {
  return name.starts_with(prefix) && name.size() == prefix.size() + 1 ? name.back() - 'x' : -1;
}

}  // namespace

Value* Widener::local_size(unsigned dimension) {
  if (const auto& size = request_.specialization.local_size; size[0]) return builder_.getInt32(size[dimension]);
  const llvm::IRBuilder<>::InsertPointGuard guard(builder_);
  builder_.SetInsertPoint(entry_point_);
  return builder_.CreateTrunc(
      load_field(builder_, wide_->getArg(0), offsetof(abi::LaunchInfo, local_size) + 8 * dimension, "local_size"),
      builder_.getInt32Ty());
}

/// Global id of the group's first work-item, i64.
Value* Widener::group_base(unsigned dimension) {
  if (group_base_[dimension]) return group_base_[dimension];
  Value* size = builder_.CreateZExt(local_size(dimension), builder_.getInt64Ty());
  const llvm::IRBuilder<>::InsertPointGuard guard(builder_);
  builder_.SetInsertPoint(entry_point_);
  if (!llvm::isa<llvm::Constant>(size)) size = builder_.CreateZExt(local_size(dimension), builder_.getInt64Ty());
  const bool fits = request_.specialization.ids_fit_31_bits;
  Value* group = load_field(builder_, wide_->getArg(1), offsetof(abi::GroupInfo, group_id) + 8 * dimension, "group_id");
  Value* offset =
      load_field(builder_, wide_->getArg(0), offsetof(abi::LaunchInfo, global_offset) + 8 * dimension, "global_offset");
  return group_base_[dimension] =
             builder_.CreateAdd(builder_.CreateMul(group, size, "", fits, fits), offset, "group_base", fits, fits);
}

/// `linear` may be a scalar or a vector of linear local ids.
Value* Widener::local_id(unsigned dimension, Value* linear) {
  const auto& size = request_.specialization.local_size;
  auto splat = [&](Value* value) -> Value* {
    auto* type = llvm::dyn_cast<llvm::FixedVectorType>(linear->getType());
    return type ? builder_.CreateVectorSplat(type->getNumElements(), value) : value;
  };
  if (size[0] && size[dimension] == 1) return llvm::Constant::getNullValue(linear->getType());
  Value* id = linear;
  for (unsigned d = 0; d < dimension; ++d)
    if (!size[0] || size[d] != 1) id = builder_.CreateUDiv(id, splat(local_size(d)));
  bool last = size[0] != 0;
  for (unsigned d = dimension + 1; d < 3; ++d) last &= size[d] == 1;
  return last ? id : builder_.CreateURem(id, splat(local_size(dimension)));
}

/// A primitive's value in one lane, or null where the call is not a primitive.
Value* Widener::scalar_primitive(llvm::CallBase& call, unsigned lane) {
  const llvm::StringRef name = called_name(call);
  if (name == primitive::kAny || name == primitive::kAll) {
    Value* vote = call.getArgOperand(0);
    return is_uniform(vote) ? uniform(vote) : reduce(vector1(vote), name == primitive::kAny);
  }
  if (name.starts_with(primitive::kLanes)) {
    const std::optional<SourceLane> source = common_lane(call);
    return value_in_lane(call.getArgOperand(source->value + 1), source->lane);
  }
  if (name.starts_with(primitive::kSlotLoad)) {
    const auto index = llvm::cast<llvm::ConstantInt>(call.getArgOperand(0))->getZExtValue();
    auto* type = lowered(call.getType());
    Value* address = slot_address(static_cast<unsigned>(index));
    if (type->isIntegerTy(1))
      return builder_.CreateTrunc(builder_.CreateLoad(builder_.getInt8Ty(), address), type, call.getName());
    return builder_.CreateLoad(type, address, call.getName());
  }
  if (name == primitive::kPrivate) {
    const auto index = llvm::cast<llvm::ConstantInt>(call.getArgOperand(0))->getZExtValue();
    return builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), wide_->getArg(2), request_.frame.privates[index].offset,
                                               call.getName());
  }
  if (name.starts_with(primitive::kReciprocalRoot))
    return reciprocal_root(builder_, scalar_at(call.getArgOperand(0), lane), request_.traits.estimate_bits);
  if (name.starts_with(primitive::kFloatPart)) {
    llvm::SmallVector<Value*, 3> arguments;
    for (Value* argument : call.args()) arguments.push_back(scalar_at(argument, lane));
    return float_part(builder_, name, arguments, request_.traits.estimate_bits);
  }
  const int local = dimension_of(name, primitive::kLocalId);
  const int global = dimension_of(name, primitive::kGlobalId);
  if (local < 0 && global < 0) return nullptr;
  const unsigned dimension = static_cast<unsigned>(local >= 0 ? local : global);
  Value* linear = lane ? builder_.CreateAdd(first_, builder_.getInt32(lane), "", true, true) : first_;
  Value* id = local_id(dimension, linear);
  if (local >= 0) return id;
  const bool fits = request_.specialization.ids_fit_31_bits;
  return builder_.CreateAdd(group_base(dimension), builder_.CreateZExt(id, builder_.getInt64Ty()), call.getName(), fits,
                            fits);
}

Parts Widener::vector_primitive(llvm::CallBase& call) {
  const llvm::StringRef name = called_name(call);
  auto linear = [&] {
    return builder_.CreateAdd(builder_.CreateVectorSplat(lanes_, first_), lane_numbers(builder_.getInt32Ty(), lanes_, 1));
  };
  if (name == primitive::kLive) {
    Value* total = builder_.CreateMul(local_size(0), builder_.CreateMul(local_size(1), local_size(2)));
    return {builder_.CreateICmpULT(linear(), builder_.CreateVectorSplat(lanes_, total), "live")};
  }
  const int local = dimension_of(name, primitive::kLocalId);
  const int global = dimension_of(name, primitive::kGlobalId);
  if (local < 0 && global < 0) return {};
  const unsigned dimension = static_cast<unsigned>(local >= 0 ? local : global);
  Value* id = local_id(dimension, linear());
  if (local >= 0) return {id};
  return {builder_.CreateAdd(builder_.CreateVectorSplat(lanes_, group_base(dimension)),
                             builder_.CreateZExt(id, wide(builder_.getInt64Ty())))};
}

}  // namespace weft::compiler::simt
