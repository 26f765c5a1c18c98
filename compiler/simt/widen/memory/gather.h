// When the processor's own gathers and scatters serve.
#pragma once

#include <cstdint>
#include <optional>

namespace llvm {
class Value;
}

namespace weft::compiler::simt {

class Widening;
struct Access;

/// Whether the processor gathers, or scatters, faster than lanes go one after the other, and lanes enough run. Of the size of the
/// elements it says nothing.
bool gathers(const Widening& w, const Access& access);

/// Addresses of all lanes in the bytes from a scalar pointer on, as numbers of 32 bits that are not negative.
struct ShortOffsets {
  llvm::Value* base;
  llvm::Value* constants;            ///< <lanes x i32>: what is known of each lane's
  llvm::Value* variables = nullptr;  ///< <lanes x i32>: what is added to these; null if nothing is
  std::uint64_t multiple = 0;        ///< a power of two that divides all `variables`

  llvm::Value* sum(Widening& w) const;
};

/// Such of `pointer`: into a private variable, whose lanes' copies lie together, or into a table, by an index of few bits. Emits code.
std::optional<ShortOffsets> short_offsets(Widening& w, llvm::Value* pointer);

}  // namespace weft::compiler::simt
