// Calls of functions that run for all lanes at once (barriers/call_region.h).
#pragma once

#include <llvm/ADT/DenseMap.h>

#include "compiler/simt/barriers/frame.h"
#include "compiler/simt/widen/emitter.h"

namespace llvm {
class CallBase;
class Function;
}  // namespace llvm

namespace weft::compiler::simt {

class Widening;

struct WideCallee {
  llvm::Function* function = nullptr;  ///< as `widen` makes them, for as many lanes as its callers
  WarpFrame frame;
};

/// By the functions of one lane.
using WideCallees = llvm::DenseMap<const llvm::Function*, WideCallee>;

/// Calls `callee` for the lanes that are on.
Parts wide_call(Widening& w, llvm::CallBase& call, const WideCallee& callee);

}  // namespace weft::compiler::simt
