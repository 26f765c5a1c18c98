// Loads out of a table by an index of few bits that differs from lane to lane, which permutations of registers can do without memory
// (widen/memory/table_permutes.cpp).
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include <llvm/ADT/APInt.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>

namespace llvm {
class DataLayout;
class Value;
}  // namespace llvm

namespace weft::compiler::simt {

inline constexpr unsigned kRegisterBytes = 64;  ///< of the registers that are permuted
/// Most registers of a table of words that are permuted as such: beyond, planes of bytes are less work.
inline constexpr unsigned kMostWordRegisters = 4;

/// Where an access looks up, as one lane's code has it.
struct LookupTable {
  llvm::Value* base = nullptr;   ///< the same in all lanes
  std::int64_t offset = 0;       ///< bytes behind it
  llvm::Value* index = nullptr;  ///< of an element
  unsigned entries = 0;          ///< that the index may reach, rounded up to a power of two that fills 16 bytes
  llvm::SmallVector<std::pair<llvm::Value*, llvm::APInt>, 2> uniform;  ///< what is added to the offset, and how often
};

/// The table of elements of `bits` bits that `pointer` points into, where its index has at most 8 bits.
std::optional<LookupTable> find_lookup_table(llvm::Value& pointer, unsigned bits, const llvm::DataLayout& layout,
                                             llvm::function_ref<bool(const llvm::Value&)> is_uniform);

/// Operations on registers that looking up takes for so many lanes, of elements of 1, 2 or 4 bytes. The table, or its planes, are in registers,
/// or in memory operands.
unsigned lookup_operations(unsigned entries, unsigned element_bytes, unsigned lanes);

}  // namespace weft::compiler::simt
