// Whether a SPIR-V module is one.
#pragma once

#include <string>

#include "compiler/translator/parsed_module.h"

namespace weft::translator {

/// What SPIRV-Tools find wrong, lines that begin with "error: "; empty if nothing. Where producers of kernels leave the specification
/// and every other driver lets them, a copy that keeps it is what is looked at: structured control flow, interfaces of entry points,
/// extensions that are not declared.
std::string validate(const ParsedModule& module);

}  // namespace weft::translator
