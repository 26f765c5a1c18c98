#include "compiler/simt/widen/memory/access.h"

#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

Access::Access(const Widening& w, llvm::LoadInst& load) : Access(w, load, nullptr, load.getAlign()) {}

Access::Access(const Widening& w, llvm::StoreInst& store) : Access(w, store, store.getValueOperand(), store.getAlign()) {}

Access::Access(const Widening& w, llvm::Instruction& instruction, llvm::Value* value, llvm::Align align)
    : instruction(instruction),
      pointer(llvm::getLoadStorePointerOperand(&instruction)),
      value(value),
      type(w.lowered(llvm::getLoadStoreType(&instruction))),
      element(type->getScalarType()),
      count(static_cast<unsigned>(w.components(type).size())),
      bits(solid_bits(type, w.layout)),
      element_bytes(w.layout.getTypeStoreSize(element)),
      align(align),
      element_align(llvm::commonAlignment(align, element_bytes)),
      is_volatile(instruction.isVolatile() && !instruction.hasMetadata(primitive::kNonVolatileMetadata)),
      is_atomic(instruction.isAtomic()),
      is_row(instruction.hasMetadata(primitive::kFieldsMetadata)),
      shape(w.shape(pointer)) {}

unsigned solid_bits(llvm::Type* type, const llvm::DataLayout& layout) {
  llvm::Type* element = type->getScalarType();
  if (type->isAggregateType() || layout.getTypeSizeInBits(element) != 8 * layout.getTypeAllocSize(element)) return 0;
  return static_cast<unsigned>(layout.getTypeSizeInBits(type));
}

void copy_alias_metadata(llvm::Instruction& to, const llvm::Instruction& from) {
  for (unsigned kind : {llvm::LLVMContext::MD_alias_scope, llvm::LLVMContext::MD_noalias, llvm::LLVMContext::MD_tbaa})
    if (llvm::MDNode* node = from.getMetadata(kind)) to.setMetadata(kind, node);
}

unsigned registers_of(const Widening& w, const Access& access) {
  const auto bits = static_cast<unsigned>(8 * access.element_bytes * access.count * w.lanes);
  return (bits + w.traits.register_bits - 1) / w.traits.register_bits;
}

std::string describe(const Widening& w, const Access& access) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << (access.is_volatile ? "volatile " : "") << access.instruction.getOpcodeName() << " of " << *access.type
      << (w.mask ? " under a mask" : "") << ": addresses are ";
  const Shape& shape = access.shape;
  if (!shape.is_affine()) {
    out << "varying";
    return text;
  }
  if (shape.stride == 0)
    out << "the same";
  else
    out << shape.stride << " bytes apart";
  if (shape.segment != w.lanes) out << " in segments of " << shape.segment << " lanes";
  if (shape.checked) out << " unless an index wraps around";
  return text;
}

}  // namespace weft::compiler::simt
