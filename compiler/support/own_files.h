// Files that are installed with the compiler.
#pragma once

#include <string>
#include <vector>

namespace weft::compiler::support {

/// Where `name` may lie: beside the shared object or program that holds this code, and, for weftc in its `bin`, in the library folder
/// of the build or the installation. At least one place, the likeliest first.
std::vector<std::string> places_of_own_file(const char* name);

/// The translator of SPIR-V, which is not installed everywhere.
inline constexpr char kTranslator[] = "libweft-spirv.so";
bool has_translator();

}  // namespace weft::compiler::support
