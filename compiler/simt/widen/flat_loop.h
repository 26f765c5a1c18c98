// One loop over the elements of all lanes' rows, emitted in place (memory/flat_rows.h).
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/STLFunctionalExtras.h>

#include "compiler/simt/widen/emitter.h"

namespace llvm {
class CallBase;
class Function;
}

namespace weft::compiler::simt {

class Widening;

/// What `call` gives the live lanes, which tells how many iterations each has in the function of one lane `one` (with_iterations): by such a loop where
/// their rows are short, differ, and lie one behind the other, else as `turns` makes it. Nothing, and nothing is emitted, where `one` has no such loop.
Parts flat_loop(Widening& w, llvm::CallBase& call, llvm::Function& one, llvm::function_ref<Parts()> turns);

}  // namespace weft::compiler::simt
