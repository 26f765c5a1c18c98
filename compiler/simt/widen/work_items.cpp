#include "compiler/simt/widen/work_items.h"

#include "compiler/simt/widen/emitter.h"
#include "device/kernel_abi.h"

namespace weft::compiler::simt {

using llvm::Value;

Value* WorkItems::load_field(Value* base, std::size_t offset, llvm::StringRef name) {
  auto& builder = emitter_.builder;
  llvm::LoadInst* load =
      builder.CreateLoad(builder.getInt64Ty(), builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset), name);
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(builder.getContext(), {}));
  return load;
}

Value* WorkItems::local_size(unsigned dimension) {
  auto& builder = emitter_.builder;
  if (const auto& size = specialization_.local_size; size[0]) return builder.getInt32(size[dimension]);
  const llvm::IRBuilder<>::InsertPointGuard guard(builder);
  builder.SetInsertPoint(emitter_.entry_point);
  return builder.CreateTrunc(
      load_field(emitter_.function.getArg(0), offsetof(abi::LaunchInfo, local_size) + 8 * dimension, "local_size"),
      builder.getInt32Ty());
}

Value* WorkItems::group_size() {
  return emitter_.builder.CreateMul(local_size(0), emitter_.builder.CreateMul(local_size(1), local_size(2)));
}

Value* WorkItems::group_base(unsigned dimension) {
  auto& builder = emitter_.builder;
  if (group_base_[dimension]) return group_base_[dimension];
  Value* size = builder.CreateZExt(local_size(dimension), builder.getInt64Ty());
  const llvm::IRBuilder<>::InsertPointGuard guard(builder);
  builder.SetInsertPoint(emitter_.entry_point);
  if (!llvm::isa<llvm::Constant>(size)) size = builder.CreateZExt(local_size(dimension), builder.getInt64Ty());
  const bool fits = specialization_.ids_fit_31_bits;
  Value* group = load_field(emitter_.function.getArg(1), offsetof(abi::GroupInfo, group_id) + 8 * dimension, "group_id");
  Value* offset =
      load_field(emitter_.function.getArg(0), offsetof(abi::LaunchInfo, global_offset) + 8 * dimension, "global_offset");
  // For LLVM, which knows by it what the low bits of ids are.
  if (specialization_.aligned_offsets) offset = builder.CreateAnd(offset, ~std::uint64_t{kAlignedOffset - 1});
  return group_base_[dimension] =
             builder.CreateAdd(builder.CreateMul(group, size, "", fits, fits), offset, "group_base", fits, fits);
}

/// Whether a body begins with an id of 0 in `dimension`, and goes through all ids one or several times.
bool WorkItems::repeats_in_bodies(unsigned dimension) const {
  const auto& size = specialization_.local_size;
  if (!size[0]) return false;
  std::uint64_t period = 1;
  for (unsigned d = 0; d <= dimension; ++d) period *= size[d];
  return emitter_.lanes % period == 0;
}

Value* WorkItems::local_id(unsigned dimension, unsigned lane) {
  return local_id_of(dimension, repeats_in_bodies(dimension) ? emitter_.builder.getInt32(lane) : linear_id(lane));
}

Value* WorkItems::local_ids(unsigned dimension) {
  auto& builder = emitter_.builder;
  return local_id_of(dimension, repeats_in_bodies(dimension) ? emitter_.lane_numbers(builder.getInt32Ty(), emitter_.lanes, 1) : linear_ids());
}

/// Of linear local ids, or of numbers that differ from them by whole bodies.
Value* WorkItems::local_id_of(unsigned dimension, Value* linear) {
  auto& builder = emitter_.builder;
  const auto& size = specialization_.local_size;
  auto splat = [&](Value* value) -> Value* {
    auto* type = llvm::dyn_cast<llvm::FixedVectorType>(linear->getType());
    return type ? builder.CreateVectorSplat(type->getNumElements(), value) : value;
  };
  if (size[0] && size[dimension] == 1) return llvm::Constant::getNullValue(linear->getType());
  Value* id = linear;
  for (unsigned d = 0; d < dimension; ++d)
    if (!size[0] || size[d] != 1) id = builder.CreateUDiv(id, splat(local_size(d)));
  bool last = size[0] != 0 && !repeats_in_bodies(dimension);
  for (unsigned d = dimension + 1; d < 3; ++d) last &= size[d] == 1;
  return last ? id : builder.CreateURem(id, splat(local_size(dimension)));
}

Value* WorkItems::linear_id(unsigned lane) {
  auto& builder = emitter_.builder;
  return lane ? builder.CreateAdd(first_, builder.getInt32(lane), "", true, true) : first_;
}

Value* WorkItems::linear_ids() {
  auto& builder = emitter_.builder;
  return builder.CreateAdd(builder.CreateVectorSplat(emitter_.lanes, first_),
                           emitter_.lane_numbers(builder.getInt32Ty(), emitter_.lanes, 1));
}

}  // namespace weft::compiler::simt
