// What an operation gives for each value of a few bits, computed at compile time.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class Instruction;
class Type;
}  // namespace llvm

namespace weft::compiler::simt {

/// The bits of a result, or of an operand, for each value that something has.
using ValueTable = std::vector<std::uint32_t>;

/// Whether values of a type, which is no vector, have a place in a table: floats, and integers of up to 32 bits.
bool has_tables(const llvm::Type& type);

/// Whether `operation` does the same for each element, and nothing else, so that tabulate() may know its results.
bool is_tabulated(const llvm::Instruction& operation);

/// The results of one element of `operation`. Nothing if one of them is poison, no number, or a denormal number, which a program may have asked
/// to flush. Where the language leaves open how often a product and a sum are rounded, they are once.
std::optional<ValueTable> tabulate(const llvm::Instruction& operation, llvm::ArrayRef<const ValueTable*> operands);

/// A function of x, which is of `bits` bits, that saturating arithmetic of so many bits computes: x or its complement, sum and difference
/// with constants, within bounds. A constant is one.
struct NarrowFunction {
  std::uint32_t flip = 0;      ///< x ^ flip
  std::uint32_t add = 0;       ///< then a sum that ends at the greatest number
  std::uint32_t subtract = 0;  ///< a difference that ends at 0
  std::uint32_t least = 0;
  std::uint32_t greatest = 0;
};
std::optional<NarrowFunction> narrow_function(const ValueTable& table, unsigned bits);

/// One value below a place, another from there on. A constant is one, too.
struct Step {
  std::uint32_t place = 0;
  std::uint32_t below = 0;
  std::uint32_t above = 0;
};
std::optional<Step> only_step(const ValueTable& table);

}  // namespace weft::compiler::simt
