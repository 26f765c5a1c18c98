// Whether what a compilation looked at on disk is still as it was.
#pragma once

#include <vector>

#include "compiler/compiler_api.h"

namespace weft::runtime {

using Dependencies = std::vector<compiler::Dependency>;

/// Whether a result with these may be kept: not one that depends on the time.
bool may_be_kept(const Dependencies& dependencies);

/// Whether a compilation would find what these say. Waits for no file: what is none any more has changed.
bool are_unchanged(const Dependencies& dependencies);

}  // namespace weft::runtime
