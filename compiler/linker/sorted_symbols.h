// The symbol table of an archive whose symbols are sorted by name, as a linker of BSD wants its "__.SYMDEF SORTED".
//
// llvm::object::Archive::findSym reads the table from its start, and a hash map of all ten thousand names takes 0.8 ms, where
// the whole link of a small program takes 4. A search by halves takes less than a microsecond.
#pragma once

#include <cstdint>
#include <optional>

#include "llvm/ADT/StringRef.h"
#include "llvm/Object/Archive.h"

namespace weft::compiler::linker {

class SortedSymbols {
 public:
  /// Whether `archive` has such a table, in BSD's layout; does not look at its order.
  static bool are_in(const llvm::object::Archive& archive);
  /// `archive` has one, and stays.
  explicit SortedSymbols(const llvm::object::Archive& archive) : archive_(archive) {}

  std::uint32_t size() const { return archive_.getNumberOfSymbols(); }
  llvm::StringRef name(std::uint32_t i) const;
  bool are_sorted() const;
  /// The symbol of that name, whose member defines it.
  std::optional<llvm::object::Archive::Symbol> find(llvm::StringRef name) const;

 private:
  const llvm::object::Archive& archive_;
};

}  // namespace weft::compiler::linker
