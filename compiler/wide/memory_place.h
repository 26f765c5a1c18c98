// Bytes of memory at a constant distance from a pointer.
#pragma once

#include <llvm/ADT/APInt.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Type.h>
#include <llvm/IR/Value.h>

#include <cstdint>

namespace weft::compiler::wide {

struct MemoryPlace {
  llvm::Value* base;
  std::int64_t offset;  ///< from the base, in bytes
  std::int64_t bytes;

  bool operator==(const MemoryPlace& other) const = default;
  bool is_apart_from(const MemoryPlace& other) const {
    return base == other.base && (offset + bytes <= other.offset || other.offset + other.bytes <= offset);
  }
};

inline MemoryPlace place_of(llvm::Value& pointer, std::int64_t bytes, const llvm::DataLayout& layout) {
  llvm::APInt offset(layout.getIndexTypeSizeInBits(pointer.getType()), 0);
  llvm::Value* base = pointer.stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  return {base, offset.getSExtValue(), bytes};
}

/// What `access`, a load or store, reads or writes.
inline MemoryPlace place_of(const llvm::Instruction& access) {
  const llvm::DataLayout& layout = access.getDataLayout();
  auto& changeable = const_cast<llvm::Instruction&>(access);
  const auto bytes = static_cast<std::int64_t>(layout.getTypeStoreSize(llvm::getLoadStoreType(&changeable)).getFixedValue());
  return place_of(*llvm::getLoadStorePointerOperand(&changeable), bytes, layout);
}

}  // namespace weft::compiler::wide
