#include "compiler/simt/widen/scratch.h"

#include <llvm/IR/InlineAsm.h>

#include "compiler/simt/ir/kept_forms.h"
#include "compiler/simt/widen/emitter.h"

namespace weft::compiler::simt {

using llvm::Value;

Value* Scratch::nowhere(llvm::Type* type) {
  auto& builder = emitter_.builder;
  llvm::AllocaInst*& nowhere = nowhere_[type];
  if (!nowhere) {
    nowhere = emitter_.new_variable(type, kScratchAlign, "nowhere");
    const llvm::IRBuilder<>::InsertPointGuard guard(builder);
    builder.SetInsertPoint(emitter_.entry_point);
    // Values read from here are thrown away, but must not be poison to an atomic or a division.
    builder.CreateStore(llvm::Constant::getNullValue(type), nowhere);
    // Of memory that it sees all uses of, LLVM makes a branch for each lane, as of a selection that it may take to be foreseen.
    if (!emitter_.traits.mask_registers) {
      auto* seen = llvm::FunctionType::get(builder.getVoidTy(), {nowhere->getType()}, false);
      builder.CreateCall(llvm::InlineAsm::get(seen, "", "r", /*hasSideEffects=*/true), {nowhere});
    }
  }
  return nowhere;
}

Value* Scratch::safe_pointer(Value* pointer, Value* condition, llvm::Type* type) {
  auto& builder = emitter_.builder;
  Value* own = nowhere(type);
  return emitter_.traits.mask_registers ? builder.CreateSelect(condition, pointer, own) : kept_choice(builder, condition, pointer, own);
}

llvm::AllocaInst* Scratch::lane_array(llvm::Type* element, unsigned count) {
  auto* type = llvm::ArrayType::get(element, std::uint64_t{emitter_.lanes} * count);
  llvm::AllocaInst*& array = lane_arrays_[type];
  if (!array) array = emitter_.new_variable(type, kScratchAlign, "packed");
  return array;
}

llvm::AllocaInst* Scratch::lane_pointers() {
  if (!lane_pointers_)
    lane_pointers_ = emitter_.new_variable(llvm::ArrayType::get(emitter_.builder.getPtrTy(), emitter_.lanes), kScratchAlign, "pointers");
  return lane_pointers_;
}

}  // namespace weft::compiler::simt
