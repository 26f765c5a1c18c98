#include "compiler/simt/analysis/group_fusion.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/sub_groups.h"

namespace weft::compiler::simt {
namespace {

bool is_local(const llvm::Value& value) {
  return value.getType()->isPointerTy() && value.getType()->getPointerAddressSpace() == kLocalSpace;
}

}  // namespace

bool has_group_state(const llvm::Function& kernel) {
  return llvm::any_of(kernel.args(), is_local) || llvm::any_of(llvm::instructions(kernel), [](const llvm::Instruction& instruction) {
    return llvm::any_of(instruction.operands(), [](const llvm::Use& operand) { return is_local(*operand); }) ||
           is_barrier(instruction) || sub_group_call(instruction);
  });
}

bool asks_for_launch_alone(const llvm::Function& item) {
  return !has_group_state(item) && item.getArg(1)->use_empty() && llvm::none_of(llvm::instructions(item), [](const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    return call && !llvm::isa<llvm::IntrinsicInst>(call) && !called_name(*call).starts_with(primitive::kGlobalId);
  });
}

}  // namespace weft::compiler::simt
