// Shrinks a failing kernel.
#pragma once

#include <string>

#include "compiler/fuzz/batch.h"
#include "compiler/fuzz/tree.h"

namespace weft::fuzz {

/// Removes and replaces nodes of `program` while it stays well defined (defined.h) and goes on failing in `variant` as `report`
/// says. `progress` is told the number of nodes left after each success.
NodePtr reduce(NodePtr program, const Variant& variant, const Report& report, const BatchOptions& options,
               llvm::function_ref<void(std::size_t)> progress);

}  // namespace weft::fuzz
