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

Parts load_lanes(Widening& w, Value* address, llvm::Type* type_of_lane, const llvm::Twine& name) {
  Parts parts;
  std::uint64_t offset = 0;
  for (llvm::Type* type : w.components(type_of_lane)) {
    auto* memory = type->isIntegerTy(1) ? w.builder.getInt8Ty() : type;
    Value* value = w.builder.CreateAlignedLoad(
        w.wide(memory), w.builder.CreateConstInBoundsGEP1_64(w.builder.getInt8Ty(), address, offset), llvm::Align(32), name);
    parts.push_back(type->isIntegerTy(1) ? w.builder.CreateTrunc(value, w.wide(type)) : value);
    offset += w.lanes * w.layout.getTypeAllocSize(memory);
  }
  return parts;
}

Parts load_slot(Widening& w, llvm::CallBase& call) {
  return load_lanes(w, slot_address(w, slot_of(call)), call.getType(), call.getName());
}

void store_lanes(Widening& w, Value* address, llvm::ArrayRef<Value*> parts, Value* mask) {
  std::uint64_t offset = 0;
  for (Value* part : parts) {
    if (part->getType()->getScalarType()->isIntegerTy(1)) part = w.builder.CreateZExt(part, w.wide(w.builder.getInt8Ty()));
    Value* place = w.builder.CreateConstInBoundsGEP1_64(w.builder.getInt8Ty(), address, offset);
    if (mask) part = w.builder.CreateSelect(mask, part, w.builder.CreateAlignedLoad(part->getType(), place, llvm::Align(32)));
    w.builder.CreateAlignedStore(part, place, llvm::Align(32));
    offset += w.lanes * w.layout.getTypeAllocSize(part->getType()->getScalarType());
  }
}

void store_scalar(Widening& w, Value* address, Value* scalar) {
  if (scalar->getType()->isIntegerTy(1)) scalar = w.builder.CreateZExt(scalar, w.builder.getInt8Ty());
  w.builder.CreateStore(scalar, address);
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
    return store_scalar(w, address, w.is_uniform(value) ? w.values.uniform(value) : w.values.in_live_lane(value, llvm::Intrinsic::cttz));
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
  // Lanes that are off here keep what they stored on another way to this barrier.
  store_lanes(w, address, w.values.vector(value), w.mask ? w.mask.lanes() : nullptr);
}

}  // namespace weft::compiler::simt
