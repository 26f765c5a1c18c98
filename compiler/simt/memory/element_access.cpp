#include "compiler/simt/memory/element_access.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "compiler/simt/ir/address_spaces.h"

namespace weft::compiler::simt {

ElementAccess element_access(llvm::Instruction& instruction) {
  const llvm::DataLayout& layout = instruction.getModule()->getDataLayout();
  const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
  llvm::APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  const llvm::Value* base = pointer->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  const auto bytes = layout.getTypeStoreSize(llvm::getLoadStoreType(&instruction)).getFixedValue();
  return {&instruction, base, offset.getSExtValue(), static_cast<std::int64_t>(bytes)};
}

bool accesses_shared(const llvm::Instruction& access) {
  const unsigned space = llvm::getLoadStorePointerOperand(&access)->getType()->getPointerAddressSpace();
  return space == kGlobalSpace || space == kLocalSpace;
}

}  // namespace weft::compiler::simt
