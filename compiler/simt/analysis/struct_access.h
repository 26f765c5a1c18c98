// Strided accesses to fields of structs that lie side by side, one struct per lane.
#pragma once

#include <cstdint>
#include <optional>

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>

namespace llvm {
class DataLayout;
}

namespace weft::compiler::simt {

class Shapes;

inline constexpr std::int64_t kSmallestUnit = 4;  ///< bytes; shuffling narrower elements gains nothing

/// An address without its constant part: `pointer` + `scale` * ext(`index`).
struct FieldBase {
  const llvm::Value* pointer = nullptr;
  const llvm::Value* index = nullptr;  ///< null: `pointer` alone
  std::int64_t scale = 0;
  bool is_signed = false;
  bool operator==(const FieldBase&) const = default;
};

/// What `pointer` follows from, as far as it is of this form; its constant part, in bytes, is added to `offset`.
FieldBase base_of(const llvm::Value& pointer, const llvm::DataLayout& layout, std::int64_t& offset);

struct FieldAccess {
  llvm::Instruction* instruction = nullptr;
  FieldBase base;
  std::int64_t stride = 0;  ///< bytes to the next lane's access
  unsigned segment = 0;     ///< lanes that lie side by side; any two segments are whole structs apart
  std::int64_t offset = 0;  ///< bytes from the base
  std::int64_t bytes = 0;
  bool certain = true;  ///< runs for every lane that the first access of its group runs for
  bool is_store() const { return llvm::isa<llvm::StoreInst>(instruction); }
  unsigned space() const { return llvm::getLoadStoreAddressSpace(instruction); }
};

/// Whether two accesses to the same structs touch the same bytes, in any two lanes.
inline bool fields_overlap(const FieldAccess& a, const FieldAccess& b) {
  const std::int64_t distance = ((b.offset - a.offset) % a.stride + a.stride) % a.stride;
  return distance < a.bytes || distance + b.bytes > a.stride;
}

/// Elements of a struct that are stored at once: powers of two of them.
struct FieldPiece {
  unsigned first = 0, count = 0;
};

/// The elements of `fields`, bits of a struct's, in as few pieces of `most` elements at most, a power of two, as reach no other. Pieces may
/// overlap.
llvm::SmallVector<FieldPiece, 8> field_pieces(std::uint64_t fields, unsigned most);

/// Describes `instruction` if it is a plain load or store of 32- or 64-bit numbers in global or local memory whose address
/// advances by a constant from lane to lane, of all lanes or of each of the rows that a warp has of a group.
std::optional<FieldAccess> field_access(llvm::Instruction& instruction, const Shapes& shapes, const llvm::DataLayout& layout);

/// The same of a number of 8 or 16 bits, whose lanes may lie in segments and may wrap around. `may_vary`: or lie anywhere, at a stride of 0 then.
std::optional<FieldAccess> byte_access(llvm::Instruction& instruction, const Shapes& shapes, const llvm::DataLayout& layout, bool may_vary = false);

/// The same of numbers of 32 or 64 bits, 16 bytes of them at most, whose lanes lie anywhere, at a stride of 0, or evenly apart unless an index wraps around.
std::optional<FieldAccess> word_access(llvm::Instruction& instruction, const Shapes& shapes, const llvm::DataLayout& layout);

}  // namespace weft::compiler::simt
