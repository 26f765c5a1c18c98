// Programs' texts as findings look at them: each is cut into tokens once, however many kernels it has.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/source_tokens.h"

namespace weft::profiler {

struct SourceText {
  explicit SourceText(std::string_view source);

  /// Those of a line.
  std::pair<std::size_t, std::size_t> of_line(std::uint32_t line) const;  ///< from, to

  std::vector<Token> tokens;  ///< by line
  std::set<std::string_view> integers;  ///< integer_variables
  bool names_double = false, names_float = false;
};

class SourceTexts {
 public:
  /// `text` stays where it is.
  const SourceText& of(const std::string& text) { return made_.try_emplace(&text, text).first->second; }

 private:
  std::map<const std::string*, SourceText> made_;
};

}  // namespace weft::profiler
