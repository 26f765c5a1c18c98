// Which conditions a line of a program's text runs under, as far as tokens tell.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "profiler/source_tokens.h"

namespace weft::profiler {

/// The lines of the `if`, `for`, `while` and `switch` that a statement of the line is part of, the innermost first; an `else` counts
/// as its `if`. Of several statements on the line the one that most of them hold. What a macro hides is not seen.
std::vector<std::uint32_t> conditions_around(std::span<const Token> tokens, std::uint32_t line);

}  // namespace weft::profiler
