#include "compiler/linker/sorted_symbols.h"

#include <algorithm>
#include <ranges>

#include "llvm/Support/Endian.h"

namespace weft::compiler::linker {
namespace {

using llvm::support::endian::read32le;

// The table: bytes of entries; entries, each a name's offset in the names and a member's in the file; bytes of names; names.
constexpr std::size_t kWord = 4;
constexpr std::size_t kEntry = 2 * kWord;

}  // namespace

bool SortedSymbols::are_in(const llvm::object::Archive& archive) {
  const auto kind = archive.kind();
  return (kind == llvm::object::Archive::K_BSD || kind == llvm::object::Archive::K_DARWIN) && archive.hasSymbolTable();
}

llvm::StringRef SortedSymbols::name(std::uint32_t i) const {
  const char* table = archive_.getSymbolTable().data();
  return table + kWord + std::size_t{size()} * kEntry + kWord + read32le(table + kWord + i * kEntry);
}

bool SortedSymbols::are_sorted() const {
  return std::ranges::is_sorted(std::views::iota(0u, size()), {}, [this](std::uint32_t i) { return name(i); });
}

std::optional<llvm::object::Archive::Symbol> SortedSymbols::find(llvm::StringRef wanted) const {
  const auto all = std::views::iota(0u, size());
  const auto found = std::ranges::partition_point(all, [&](std::uint32_t i) { return name(i) < wanted; });
  if (found == all.end() || name(*found) != wanted) return std::nullopt;
  return llvm::object::Archive::Symbol(&archive_, *found, 0);
}

}  // namespace weft::compiler::linker
