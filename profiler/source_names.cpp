#include "profiler/source_names.h"

#include <algorithm>

namespace weft::profiler {
namespace {

template <std::size_t N>
bool is_one_of(std::string_view word, const std::string_view (&words)[N]) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

constexpr std::string_view kIntegers[] = {"int",    "uint",     "long",   "ulong",     "short",    "ushort",    "char",   "uchar",
                                          "size_t", "unsigned", "signed", "ptrdiff_t", "intptr_t", "uintptr_t"};
/// They stand before a name without declaring it.
constexpr std::string_view kNoTypes[] = {"return", "else", "do", "goto", "case", "const", "volatile", "restrict", "struct", "union", "enum", "typedef"};

}  // namespace

std::set<std::string_view> integer_variables(std::span<const Token> tokens) {
  std::set<std::string_view> integers, others;
  const auto text = [&](std::size_t i) { return i < tokens.size() ? tokens[i].text : std::string_view(); };
  const auto is_name = [&](std::size_t i) { return i < tokens.size() && tokens[i].kind == Token::Kind::name; };
  const auto is_type = [&](std::size_t i) { return is_one_of(text(i), kIntegers); };
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!is_name(i) || is_one_of(text(i), kNoTypes)) continue;
    std::size_t name = i + 1;
    if (!is_type(i)) {  // a type that is not integral, if it is one: "float x", "float* x"
      while (text(name) == "*" || text(name) == "const" || text(name) == "restrict") ++name;
      const bool is_product = text(i + 1) == "*" && (text(name + 1) != "," && text(name + 1) != ")" && text(name + 1) != "=" && text(name + 1) != ";");
      if (is_name(name) && !is_type(name) && !is_product && !(text(i + 1) == "*" && integers.contains(text(i)))) others.insert(text(name));
      continue;
    }
    if (is_type(name)) continue;  // "unsigned int x"
    // "int x = f(y), z;"; an argument list has a type before each name.
    for (;;) {
      while (text(name) == "const") ++name;
      if (!is_name(name)) {
        while (text(name) == "*" || text(name) == "const" || text(name) == "restrict") ++name;
        if (is_name(name)) others.insert(text(name));  // a pointer
        break;
      }
      const std::string_view after = text(name + 1);
      const bool has_number = after == "=" && name + 2 < tokens.size() && tokens[name + 2].kind == Token::Kind::number &&
                              (text(name + 3) == ";" || text(name + 3) == ",");
      const bool is_variable = after == "=" || after == "," || after == ";" || after == ")";
      (is_variable && !has_number ? integers : others).insert(text(name));
      int depth = 0;
      for (++name; name < tokens.size(); ++name) {
        const std::string_view here = text(name);
        if (here == "(" || here == "[" || here == "{") ++depth;
        if ((here == ")" || here == "]" || here == "}") && --depth < 0) break;
        if (depth == 0 && (here == "," || here == ";" || here == "{")) break;
      }
      // Behind a comma the next of the same declaration, unless it is an argument with a type of its own.
      if (text(name) != "," || !is_name(name + 1) || is_name(name + 2) || text(name + 2) == "*") break;
      ++name;
    }
  }
  for (const std::string_view name : others) integers.erase(name);
  return integers;
}

}  // namespace weft::profiler
