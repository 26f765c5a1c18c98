// The primitives for rows of lanes (ir/lane_rows.h) over the lanes of a body.
#pragma once

#include "compiler/simt/widen/emitter.h"

namespace llvm {
class CallBase;
class Value;
}

namespace weft::compiler::simt {

class Widening;

/// The value of such a primitive in lane `lane`, or null where `call` is of no such, or of one whose values lanes do not count by.
llvm::Value* row_value(Widening& w, llvm::CallBase& call, unsigned lane);
/// In all lanes, or null.
llvm::Value* row_values(Widening& w, llvm::CallBase& call);

}  // namespace weft::compiler::simt
