// Hints on which programs do not stand, left out before anything reads them.
#pragma once

#include "compiler/translator/parsed_module.h"

namespace weft::translator {

/// The module without what SPV_INTEL_memory_access_aliasing says of accesses: domains, scopes and lists of them, which validators of
/// some versions want in a function's block although the extension puts them in front of all functions; the decorations and
/// memory operands that name them; and what announces them. Whether a work-item's accesses overlap says nothing of those of
/// other lanes, so the compiler could not use them.
ParsedModule without_hints(const ParsedModule& module);

}  // namespace weft::translator
