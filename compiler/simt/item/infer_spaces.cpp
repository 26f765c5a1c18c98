#include "compiler/simt/item/infer_spaces.h"

#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/primitives.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"

namespace weft::compiler::simt {
namespace {

bool has_generic_pointers(const llvm::Function& function) {
  const auto is_generic = [](const llvm::Type& type) {
    const llvm::Type* scalar = type.getScalarType();
    return scalar->isPointerTy() && scalar->getPointerAddressSpace() == kGenericSpace;
  };
  return llvm::any_of(llvm::instructions(function), [&](const llvm::Instruction& instruction) {
    return is_generic(*instruction.getType()) ||
           llvm::any_of(instruction.operands(), [&](const llvm::Use& operand) { return is_generic(*operand->getType()); });
  });
}

/// The space that all of what `pointer` was cast from lies in; kGenericSpace if that is not known.
unsigned known_space(const llvm::Value& pointer) {
  const llvm::Value* value = &pointer;
  for (;;) {
    if (const unsigned space = value->getType()->getPointerAddressSpace(); space != kGenericSpace) return space;
    if (const auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(value)) value = cast->getPointerOperand();
    else if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(value)) value = gep->getPointerOperand();
    else return kGenericSpace;
  }
}

}  // namespace

bool infer_spaces(llvm::Function& kernel, Analyses& analyses) {
  if (!has_generic_pointers(kernel)) return false;
  llvm::InferAddressSpacesPass(kGenericSpace).run(kernel, analyses.functions());
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(kernel))) {
    if (called_name(instruction) != primitive::kKnownSpace) continue;
    auto& call = llvm::cast<llvm::CallBase>(instruction);
    call.replaceAllUsesWith(llvm::ConstantInt::get(call.getType(), known_space(*call.getArgOperand(0))));
    call.eraseFromParent();
  }
  return true;
}

}  // namespace weft::compiler::simt
