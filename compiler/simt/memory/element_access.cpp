#include "compiler/simt/memory/element_access.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/memory_order.h"

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

std::optional<llvm::SmallVector<ElementAccess, 16>> plain_accesses(const llvm::Loop& loop) {
  llvm::SmallVector<ElementAccess, 16> accesses;
  for (llvm::BasicBlock* block : loop.blocks())
    for (llvm::Instruction& instruction : *block) {
      if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction)) {
        if (keeps_order(instruction)) return std::nullopt;
        continue;
      }
      if (instruction.isAtomic() || asked_volatile(instruction)) return std::nullopt;
      accesses.push_back(element_access(instruction));
    }
  return accesses;
}

}  // namespace weft::compiler::simt
