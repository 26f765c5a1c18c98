#include "profiler/source_tokens.h"

#include <cctype>

namespace weft::profiler {
namespace {

bool is_name(char letter) { return std::isalnum(static_cast<unsigned char>(letter)) || letter == '_'; }
bool is_digit(char letter) { return std::isdigit(static_cast<unsigned char>(letter)); }

}  // namespace

std::vector<Token> tokens_of(std::string_view source) {
  std::vector<Token> tokens;
  std::uint32_t line = 1;
  bool line_begins = true;
  std::size_t at = 0;
  const auto ahead = [&](std::size_t by) { return at + by < source.size() ? source[at + by] : '\0'; };
  const auto skip_line = [&] {  // with its continuations
    for (; at < source.size() && source[at] != '\n'; ++at) {
      if (source[at] == '\\' && ahead(1) == '\n') ++at, ++line;
    }
  };
  while (at < source.size()) {
    const char letter = source[at];
    if (letter == '\n') {
      ++line, ++at, line_begins = true;
    } else if (std::isspace(static_cast<unsigned char>(letter)) || letter == '\\') {
      ++at;
    } else if (letter == '/' && ahead(1) == '/') {
      skip_line();
    } else if (letter == '/' && ahead(1) == '*') {
      for (at += 2; at < source.size() && !(source[at] == '*' && ahead(1) == '/'); ++at) line += source[at] == '\n';
      at += 2;
    } else if (letter == '#' && line_begins) {
      skip_line();
    } else if (letter == '"' || letter == '\'') {
      for (++at; at < source.size() && source[at] != letter && source[at] != '\n'; ++at) at += source[at] == '\\';
      ++at, line_begins = false;
    } else {
      const std::size_t start = at;
      Token::Kind kind = Token::Kind::sign;
      if (is_digit(letter) || (letter == '.' && is_digit(ahead(1)))) {
        kind = Token::Kind::number;
        const bool is_hex = letter == '0' && (ahead(1) | 0x20) == 'x';
        for (; at < source.size(); ++at) {
          const char here = source[at], before = at > start ? static_cast<char>(source[at - 1] | 0x20) : '\0';
          const bool is_exponent = (here == '+' || here == '-') && before == (is_hex ? 'p' : 'e');
          if (!is_name(here) && here != '.' && !is_exponent) break;
        }
      } else if (is_name(letter)) {
        kind = Token::Kind::name;
        while (at < source.size() && is_name(source[at])) ++at;
      } else {
        ++at;
      }
      tokens.push_back({kind, source.substr(start, at - start), line});
      line_begins = false;
    }
  }
  return tokens;
}

}  // namespace weft::profiler
