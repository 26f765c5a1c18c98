#include "profiler/source_texts.h"

#include <algorithm>

#include "profiler/source_names.h"

namespace weft::profiler {

SourceText::SourceText(std::string_view source) : tokens(tokens_of(source)), integers(integer_variables(tokens)) {
  for (const Token& token : tokens) {
    names_double |= token.text == "double" || token.text == "double2" || token.text == "double4";
    names_float |= token.text.starts_with("float");
  }
}

std::pair<std::size_t, std::size_t> SourceText::of_line(std::uint32_t line) const {
  const auto [from, to] = std::ranges::equal_range(tokens, line, {}, &Token::line);
  return {static_cast<std::size_t>(from - tokens.begin()), static_cast<std::size_t>(to - tokens.begin())};
}

}  // namespace weft::profiler
