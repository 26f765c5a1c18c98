// A SPIR-V module as words (SPIR-V §2.3), for whoever reads it first. Knows neither LLVM nor OpenCL API types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace weft::compiler {

inline constexpr std::size_t kSpirvHeaderWords = 5;

/// The module's words in this machine's order, whatever order they are in; empty without a header, which begins with the magic
/// number, or with a rest that is no word.
inline std::vector<std::uint32_t> spirv_words(std::span<const std::uint8_t> module) {
  constexpr std::uint32_t kMagic = 0x07230203, kMagicSwapped = 0x03022307;
  std::vector<std::uint32_t> words(module.size() / sizeof(std::uint32_t));
  if (words.size() < kSpirvHeaderWords || module.size() % sizeof(std::uint32_t) != 0) return {};
  std::memcpy(words.data(), module.data(), module.size());
  if (words[0] == kMagicSwapped)
    for (std::uint32_t& word : words) word = __builtin_bswap32(word);
  if (words[0] != kMagic) words.clear();
  return words;
}

}  // namespace weft::compiler
