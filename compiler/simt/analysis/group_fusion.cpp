#include "compiler/simt/analysis/group_fusion.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

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

}  // namespace weft::compiler::simt
