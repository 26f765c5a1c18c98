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

struct ParsedModule {
  Words header;
  std::vector<Instruction> instructions;
};

/// By SPIRV-Tools' grammar, which says nothing yet of whether ids are what they should be. None, with a reason in `error`.
std::optional<ParsedModule> parse(const std::uint32_t* words, std::size_t num_words, std::string& error);

/// The string that begins with word `at` (SPIR-V §2.2.1); empty where there is none.
std::string_view string_at(std::span<const std::uint32_t> words, std::size_t at);

Words to_words(const ParsedModule& module);

/// The module as the validator wants it: without structured control flow, which kernels have as hints alone and which producers
/// write for loops that are not structured, and each function's blocks behind those that dominate them.
ParsedModule without_structure(const ParsedModule& module);

/// The module with all of its variables in the interface of every entry point, as SPIR-V 1.4 and newer asks for those that it uses
/// (§2.17): translators of some versions name those of built-in inputs alone. For the validator.
ParsedModule with_whole_interfaces(const ParsedModule& module);

}  // namespace weft::translator
