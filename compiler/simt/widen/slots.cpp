// Values that live across a barrier.
#include <llvm/IR/Module.h>

#include "compiler/simt/widen/primitives.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

unsigned slot_of(const llvm::CallBase& call) {
  return static_cast<unsigned>(llvm::cast<llvm::ConstantInt>(call.getArgOperand(0))->getZExtValue());
}

}  // namespace

Value* slot_address(Widening& w, unsigned slot) {
  return w.builder.CreateConstInBoundsGEP1_64(w.builder.getInt8Ty(), w.function.getArg(2), w.request.frame.slots[slot].offset);
}

Parts load_slot(Widening& w, llvm::CallBase& call) {
  const unsigned slot = slot_of(call);
  Value* address = slot_address(w, slot);
  Parts parts;
  std::uint64_t offset = 0;
  for (llvm::Type* type : w.components(call.getType())) {
    auto* memory = type->isIntegerTy(1) ? w.builder.getInt8Ty() : type;
    Value* value =
        w.builder.CreateAlignedLoad(w.wide(memory), w.builder.CreateConstInBoundsGEP1_64(w.builder.getInt8Ty(), address, offset),
                                    llvm::Align(32), call.getName());
    parts.push_back(type->isIntegerTy(1) ? w.builder.CreateTrunc(value, w.wide(type)) : value);
    offset += w.lanes * w.layout.getTypeAllocSize(memory);
  }
  return parts;
}

Value* load_packed_slot(Widening& w, llvm::CallBase& call) {
  return w.builder.CreateAlignedLoad(w.packed_type(call.getType()), slot_address(w, slot_of(call)), llvm::Align(32), call.getName());
}

void store_slot(Widening& w, llvm::CallBase& call) {
  const unsigned slot = slot_of(call);
  Value* address = slot_address(w, slot);
  Value* value = call.getArgOperand(1);
  if (w.request.frame.slots[slot].uniform) {
    // The value is uniform, though that cannot be proved here: any live lane's serves.
    Value* scalar = w.is_uniform(value) ? w.values.uniform(value) : w.values.in_live_lane(value, llvm::Intrinsic::cttz);
    if (scalar->getType()->isIntegerTy(1)) scalar = w.builder.CreateZExt(scalar, w.builder.getInt8Ty());
    w.builder.CreateStore(scalar, address);
    return;
  }
  if (w.request.packed.has_slot(slot)) {
    Value* packed = w.values.packed(value);
    if (w.mask) {
      const unsigned count = llvm::cast<llvm::FixedVectorType>(value->getType())->getNumElements();
      packed = w.builder.CreateSelect(w.mask.segment(0, w.lanes, count), packed,
                                      w.builder.CreateAlignedLoad(packed->getType(), address, llvm::Align(32)));
    }
    w.builder.CreateAlignedStore(packed, address, llvm::Align(32));
    return;
  }
  std::uint64_t offset = 0;
  for (Value* part : w.values.vector(value)) {
    if (part->getType()->getScalarType()->isIntegerTy(1)) part = w.builder.CreateZExt(part, w.wide(w.builder.getInt8Ty()));
    Value* place = w.builder.CreateConstInBoundsGEP1_64(w.builder.getInt8Ty(), address, offset);
    // Lanes that are off here keep what they stored on another way to this barrier.
    if (w.mask)
      part = w.builder.CreateSelect(w.mask.lanes(), part, w.builder.CreateAlignedLoad(part->getType(), place, llvm::Align(32)));
    w.builder.CreateAlignedStore(part, place, llvm::Align(32));
    offset += w.lanes * w.layout.getTypeAllocSize(part->getType()->getScalarType());
  }
}

}  // namespace weft::compiler::simt
