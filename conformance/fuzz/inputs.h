// What the first byte of an input says of the rest, so that a change of its length need not be matched by one of a count in front.
#pragma once

#include <cstdint>

namespace weft::fuzz {

enum class Input : std::uint8_t {
  kWhole,    ///< everything, as it is written: lengths too
  kProgram,  ///< of a binary: a program's bitcode; of a cache entry: a kernel's machine code with what describes it
  kObject,   ///< of a binary: an unlinked object's bitcode; of a cache entry: an ELF object alone
};

inline Input kind_of(std::uint8_t first) { return static_cast<Input>(first % 3); }

}  // namespace weft::fuzz
