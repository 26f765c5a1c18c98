// Blocks of loops by name, which is how the structure of loops (SPIR-V §2.11.2) gets through the translator: that reads OpLoopMerge for its
// hints alone.
#pragma once

#include "compiler/translator/parsed_module.h"

namespace weft::translator {

/// `module` with the blocks named that loops begin with, "weft.loop.A.B", and in which what leaves them meets, "weft.loop.B"; a block may be
/// both. A and B are labels.
ParsedModule with_named_loops(ParsedModule module);

}  // namespace weft::translator
