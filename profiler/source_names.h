// What a program's text declares of its names, as far as tokens tell.
#pragma once

#include <set>
#include <span>
#include <string_view>

#include "profiler/source_tokens.h"

namespace weft::profiler {

/// Names that are variables or arguments of one integral type (int, uint, size_t, ...; no pointer, array or vector) wherever the text
/// declares them, and nowhere with a number as their first value, which the compiler would know.
std::set<std::string_view> integer_variables(std::span<const Token> tokens);

}  // namespace weft::profiler
