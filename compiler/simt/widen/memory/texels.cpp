#include "compiler/simt/widen/memory/texels.h"

#include <bit>

#include "compiler/simt/item/byte_tables.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

bool is_texel(const Access& access) {
  return access.is_load() && !access.instruction.hasMetadata(kTableMetadata) && access.pointer->getType()->getPointerAddressSpace() == kConstantSpace &&
         access.instruction.hasMetadata(llvm::LLVMContext::MD_invariant_load);
}

unsigned row_of_lanes(const Widening& w) {
  const std::uint32_t width = w.request.specialization.local_size[0];
  return width ? std::min(w.lanes, 1u << std::countr_zero(width)) : 0;
}

Value* texel_offsets(Widening& w, Value* pointer) {
  if (const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(pointer);
      gep && gep->getNumIndices() == 1 && gep->getSourceElementType()->isIntegerTy(8) && w.is_uniform(gep->getPointerOperand())) {
    Value* index = gep->getOperand(1);
    // Of numbers that are not negative, the one extension is the other.
    if (auto* extension = llvm::dyn_cast<llvm::CastInst>(index);
        extension && (llvm::isa<llvm::SExtInst>(extension) || (llvm::isa<llvm::ZExtInst>(extension) && extension->hasNonNeg())))
      index = extension->getOperand(0);
    for (auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(index); sum && sum->getOpcode() == llvm::Instruction::Add;
         sum = llvm::dyn_cast<llvm::BinaryOperator>(index)) {
      const bool of_second = w.is_uniform(sum->getOperand(0));
      if (!of_second && !w.is_uniform(sum->getOperand(1))) break;
      index = sum->getOperand(of_second);
    }
    return w.values.vector1(index);
  }
  return w.builder.CreatePtrToInt(w.values.vector1(pointer), w.wide(w.builder.getInt64Ty()));
}

}  // namespace weft::compiler::simt
