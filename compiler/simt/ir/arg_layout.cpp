#include "compiler/simt/ir/arg_layout.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Alignment.h"

namespace weft::compiler::simt {

std::vector<ArgSlot> layout_arguments(const llvm::Function& kernel) {
  const llvm::DataLayout& layout = kernel.getParent()->getDataLayout();
  std::vector<ArgSlot> slots;
  std::uint64_t offset = 0;
  for (const llvm::Argument& argument : kernel.args()) {
    std::uint64_t size = 8;
    llvm::Align align(8);
    if (argument.hasByValAttr()) {
      size = layout.getTypeAllocSize(argument.getParamByValType());
      align = argument.getParamAlign().value_or(layout.getABITypeAlign(argument.getParamByValType()));
    } else if (!argument.getType()->isPointerTy() && !argument.getType()->isTargetExtTy()) {
      size = layout.getTypeAllocSize(argument.getType());
      align = layout.getABITypeAlign(argument.getType());
    }
    offset = llvm::alignTo(offset, align);
    slots.push_back({static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(size),
                     static_cast<std::uint32_t>(align.value())});
    offset += size;
  }
  return slots;
}

std::uint32_t argument_bytes(const std::vector<ArgSlot>& slots) {
  if (slots.empty()) return 0;
  return static_cast<std::uint32_t>(llvm::alignTo(slots.back().offset + slots.back().size, llvm::Align(8)));
}

}  // namespace weft::compiler::simt
