// The platform's options, from the environment. The one list is options.def.
#pragma once

#include <cstdint>
#include <string>

namespace weft::runtime {

struct Options {
  using Switch = bool;
  using Number = std::uint64_t;
  using Text = std::string;
#define WEFT_OPTION(type, name, variable, fallback, meaning) type name = fallback;
#include "runtime/options.def"
#undef WEFT_OPTION
};

/// The options, read from the environment at the first call. A value that cannot be read leaves the default.
const Options& options();

/// The list for people: one paragraph an option, or a Markdown table.
std::string describe_options(bool markdown);

}  // namespace weft::runtime
