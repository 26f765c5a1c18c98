#include "compiler/simt/item/late_blocks.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>

#include <cstddef>
#include <optional>
#include <string>

#include "compiler/simt/analysis/group_fusion.h"
#include "compiler/simt/ir/primitive_calls.h"
#include "compiler/simt/ir/primitives.h"
#include "device/kernel_abi.h"

namespace weft::compiler::simt {
namespace {

/// The dimension of the group's id that `load` loads; nothing if it loads something else of the group.
std::optional<unsigned> dimension_of(const llvm::LoadInst& load, const llvm::Function& item) {
  llvm::APInt offset(64, 0);
  const llvm::Value* base = load.getPointerOperand()->stripAndAccumulateConstantOffsets(item.getDataLayout(), offset, true);
  const std::uint64_t place = offset.getZExtValue() - offsetof(abi::GroupInfo, group_id);
  if (base != item.getArg(1) || place % sizeof(std::uint64_t) != 0 || place / sizeof(std::uint64_t) > 2) return std::nullopt;
  return static_cast<unsigned>(place / sizeof(std::uint64_t));
}

/// Whether all that is done with `pointer`, which points into the group's description, is to load ids.
bool leads_to_ids(const llvm::Value& pointer, const llvm::Function& item) {
  return llvm::all_of(pointer.users(), [&](const llvm::User* user) {
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) return load->getType()->isIntegerTy(64) && dimension_of(*load, item).has_value();
    const auto* place = llvm::dyn_cast<llvm::GetElementPtrInst>(user);
    return place && place->hasAllConstantIndices() && leads_to_ids(*place, item);
  });
}

bool is_id(const llvm::CallBase& call) {
  const llvm::StringRef name = called_name(call);
  return name.starts_with(primitive::kGlobalId) || name.starts_with(primitive::kLocalId);
}

}  // namespace

bool may_become_block(const llvm::Function& item) {
  return !has_group_state(item) && leads_to_ids(*item.getArg(1), item) && llvm::none_of(llvm::instructions(item), [](const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    return call && !llvm::isa<llvm::IntrinsicInst>(call) && !is_id(*call);
  });
}

void become_block(llvm::Function& item, std::uint32_t local_size, std::uint32_t groups, bool ids_fit_31_bits) {
  const std::string local_id = (primitive::kLocalId + "x").str();
  llvm::SmallVector<llvm::CallInst*, 4> local_ids;
  llvm::SmallVector<llvm::LoadInst*, 4> group_ids;
  for (llvm::Instruction& instruction : llvm::instructions(item)) {
    if (called_name(instruction) == local_id) local_ids.push_back(llvm::cast<llvm::CallInst>(&instruction));
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (load && dimension_of(*load, item) == 0) group_ids.push_back(load);
  }
  llvm::BasicBlock& entry = item.getEntryBlock();
  llvm::IRBuilder<> builder(&entry, entry.getFirstInsertionPt());
  llvm::CallInst* place = call_primitive(builder, local_id, *builder.getInt32Ty());
  place->addRangeRetAttr(llvm::ConstantRange(llvm::APInt(32, 0), llvm::APInt(32, std::uint64_t{local_size} * groups)));
  place->addRetAttr(llvm::Attribute::NoUndef);
  llvm::Value* size = builder.getInt32(local_size);
  llvm::Value *group = builder.CreateUDiv(place, size), *item_of_group = builder.CreateURem(place, size, "local_id");
  for (llvm::CallInst* call : local_ids) {
    builder.SetInsertPoint(call);
    call->replaceAllUsesWith(builder.CreateZExtOrTrunc(item_of_group, call->getType()));
    call->eraseFromParent();
  }
  for (llvm::LoadInst* block : group_ids) {
    builder.SetInsertPoint(block->getNextNode());
    llvm::Type* type = block->getType();
    llvm::Value* first = builder.CreateMul(block, llvm::ConstantInt::get(type, groups), "", true, ids_fit_31_bits);
    llvm::Value* id = builder.CreateAdd(first, builder.CreateZExt(group, type), "group_id", true, ids_fit_31_bits);
    block->replaceUsesWithIf(id, [&](const llvm::Use& use) { return use.getUser() != first; });
    if (const llvm::MDNode* range = block->getMetadata(llvm::LLVMContext::MD_range)) {
      const llvm::APInt last = llvm::getConstantRangeFromMetadata(*range).getUnsignedMax().udiv(groups);
      block->setMetadata(llvm::LLVMContext::MD_range, llvm::MDBuilder(block->getContext()).createRange(llvm::APInt(64, 0), last + 1));
    }
  }
}

}  // namespace weft::compiler::simt
