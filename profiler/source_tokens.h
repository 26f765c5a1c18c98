// The tokens of a program's source, enough of them to look for habits; no parser.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft::profiler {

struct Token {
  enum class Kind { name, number, sign } kind;
  std::string_view text;
  std::uint32_t line;  ///< from 1
};

/// Without comments, strings and the lines of preprocessor directives.
std::vector<Token> tokens_of(std::string_view source);

}  // namespace weft::profiler
