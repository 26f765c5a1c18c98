// The file format of weft-builtins.bc: Header, symbols by rising hash, members, then the members' bitcode.
// Native byte order; offsets are from the start of the file.
#pragma once

#include <cstdint>

namespace weft::compiler::linker::library_format {

inline constexpr char kMagic[8] = {'W', 'E', 'F', 'T', 'L', 'I', 'B', '1'};

struct Header {
  char magic[8];
  std::uint32_t symbols;
  std::uint32_t members;
};

struct Symbol {
  std::uint64_t hash;  ///< xxh3 of the mangled name
  std::uint32_t member;
  std::uint32_t reserved;
};

struct Member {
  std::uint32_t offset;
  std::uint32_t size;
};

}  // namespace weft::compiler::linker::library_format
