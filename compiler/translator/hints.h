// Hints on which programs do not stand, left out before anything reads them.
#pragma once

#include <cstddef>

#include "compiler/translator/parsed_module.h"

namespace weft::translator {

/// The module without what these say and without what announces them, since parsers, validators and translators of some versions do
/// not know them or want them elsewhere:
///   SPV_INTEL_memory_access_aliasing  which accesses of a work-item do not overlap: it says nothing of those of other lanes, so the
///                                     compiler could not use it
///   SPV_INTEL_fp_max_error            how wrong results may be: they are as right as without it
///   SPV_INTEL_cache_controls          which caches an access should stay in
/// Words are taken as they are from the first on that is no instruction.
Words without_hints(const std::uint32_t* words, std::size_t num_words);

}  // namespace weft::translator
