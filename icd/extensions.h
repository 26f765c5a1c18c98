// Functions of extensions, which programs ask for by name.
#pragma once

#include <string_view>

namespace weft::icd {

/// Null if there is none.
void* extension_function(std::string_view name) noexcept;

}  // namespace weft::icd
