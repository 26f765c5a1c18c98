// What Specialization::soon came to.
#pragma once

#include <string>
#include <string_view>

#include "compiler/compiler_api.h"

namespace weft::compiler {

/// The end of the symbol of code that is not the same as without Specialization::soon.
inline constexpr std::string_view kSoonerCode = ".soon";

/// Whether code of Specialization::soon leaves anything out; else it is the best there is.
inline bool leaves_out(const GenerateResult& generated) { return generated.symbol.ends_with(kSoonerCode); }

}  // namespace weft::compiler
