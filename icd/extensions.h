// Functions of extensions, which programs ask for by name.
#pragma once

#include <string_view>

namespace weft::icd {

/// Null if there is none.
void* extension_function(std::string_view name) noexcept;

/// Of the API itself, to loaders that make their own tables (cl_khr_icd 2.0). Null if there is none.
void* entry_point(std::string_view name) noexcept;

}  // namespace weft::icd
