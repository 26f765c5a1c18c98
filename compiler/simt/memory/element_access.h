// Accesses by their place: bytes from a pointer.
#pragma once

#include <llvm/ADT/SmallVector.h>

#include <cstdint>
#include <optional>

namespace llvm {
class Instruction;
class Loop;
class Value;
}  // namespace llvm

namespace weft::compiler::simt {

/// An access by its place: bytes from `base`, a pointer that has no constant offset.
struct ElementAccess {
  llvm::Instruction* instruction = nullptr;
  const llvm::Value* base = nullptr;
  std::int64_t offset = 0, bytes = 0;
  std::int64_t end() const { return offset + bytes; }
};

/// Of a load or a store.
ElementAccess element_access(llvm::Instruction& instruction);
/// Those of all loads and stores in `loop`; nothing if one is atomic or volatile to the program, or something else in it keeps an order.
std::optional<llvm::SmallVector<ElementAccess, 16>> plain_accesses(const llvm::Loop& loop);

/// Whether a load or a store is of global or local memory.
bool accesses_shared(const llvm::Instruction& access);

}  // namespace weft::compiler::simt
