#include "compiler/simt/barriers/frame.h"

#include <llvm/IR/DerivedTypes.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>

#include "device/kernel_abi.h"

namespace weft::compiler::simt {
namespace {

std::uint64_t lane_bytes(llvm::Type* type, const llvm::DataLayout& layout) {
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    return vector->getNumElements() * lane_bytes(vector->getElementType(), layout);
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
    std::uint64_t sum = 0;
    for (llvm::Type* member : structure->elements()) sum += lane_bytes(member, layout);
    return sum;
  }
  return layout.getTypeAllocSize(type);
}

}  // namespace

WarpFrame lay_out_frame(const RegionSet& set, unsigned lanes, const llvm::DataLayout& layout) {
  WarpFrame frame;
  auto place = [&](std::uint64_t bytes, std::uint64_t align) {
    const std::uint64_t offset = llvm::alignTo(frame.bytes, std::max<std::uint64_t>(align, 64));
    frame.bytes = offset + bytes;
    return offset;
  };
  for (const Slot& slot : set.slots) {
    const std::uint64_t bytes = slot.uniform ? layout.getTypeAllocSize(slot.type).getFixedValue()
                                             : lanes * lane_bytes(slot.type, layout);
    frame.slots.push_back({place(bytes, 64), slot.uniform, slot.of_call});
  }
  for (const PrivateVariable& variable : set.privates) {
    const std::uint64_t bytes = llvm::alignTo(variable.size, variable.unit ? variable.unit : variable.align);
    frame.privates.push_back({place(bytes * lanes, variable.align), variable.unit ? variable.unit : bytes});
  }
  frame.bytes = llvm::alignTo(frame.bytes, abi::kLocalMemoryAlign);
  return frame;
}

}  // namespace weft::compiler::simt
