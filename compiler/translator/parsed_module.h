// A SPIR-V module as a list of instructions.
#pragma once

#include <spirv/unified1/spirv.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft::translator {

using Id = std::uint32_t;
using Words = std::vector<std::uint32_t>;

constexpr std::size_t kHeaderWords = 5;  ///< in front of a module's instructions

struct Instruction {
  spv::Op op;
  Id type, result;  ///< 0: none
  Words words;      ///< the first has the opcode and their number
};

/// Of these operands, which begin with `type` and `result` where there are any.
Instruction make_instruction(spv::Op op, Id type, Id result, Words operands);

/// A string as operands (SPIR-V §2.2.1), with the 0 that ends it.
Words string_words(std::string_view text);

struct ParsedModule {
  Words header;
  std::vector<Instruction> instructions;
};

/// By SPIRV-Tools' grammar, which says nothing yet of whether ids are what they should be. None, with a reason in `error`.
std::optional<ParsedModule> parse(const std::uint32_t* words, std::size_t num_words, std::string& error);

/// The string that begins with word `at` (SPIR-V §2.2.1); empty where there is none.
std::string_view string_at(std::span<const std::uint32_t> words, std::size_t at);

Words to_words(const ParsedModule& module);

}  // namespace weft::translator
