#include "compiler/simt/barriers/group_fields.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace weft::compiler::simt {

using llvm::Value;

std::optional<std::uint64_t> field_offset(const llvm::LoadInst& load, const Value& group) {
  const llvm::DataLayout& layout = load.getDataLayout();
  llvm::APInt offset(layout.getIndexTypeSizeInBits(group.getType()), 0);
  const Value* base = load.getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  return base == &group ? std::optional(offset.getZExtValue()) : std::nullopt;
}

bool loads_fields_alone(const llvm::Function& region, llvm::function_ref<bool(const llvm::LoadInst&, std::uint64_t offset)> is_fine) {
  const Value& group = *region.getArg(1);
  llvm::SmallVector<const Value*, 8> pointers = {&group};
  while (!pointers.empty())
    for (const llvm::User* user : pointers.pop_back_val()->users()) {
      if (const auto* step = llvm::dyn_cast<llvm::GetElementPtrInst>(user); step && step->hasAllConstantIndices()) {
        pointers.push_back(step);
        continue;
      }
      const auto* load = llvm::dyn_cast<llvm::LoadInst>(user);
      const auto offset = load ? field_offset(*load, group) : std::nullopt;
      if (!offset || !is_fine(*load, *offset)) return false;
    }
  return true;
}

void replace_group_id(llvm::LoadInst& load, std::uint64_t offset, Value& id) {
  llvm::IRBuilder<> builder(&load);
  Value* part = offset ? builder.CreateLShr(&id, 8 * offset) : &id;
  load.replaceAllUsesWith(builder.CreateZExtOrTrunc(part, load.getType()));
  load.eraseFromParent();
}

}  // namespace weft::compiler::simt
