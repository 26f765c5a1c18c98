// A sub-group's primitives (ir/sub_groups.h) over the lanes of a warp.
#pragma once

#include "compiler/simt/ir/sub_groups.h"
#include "compiler/simt/widen/emitter.h"

namespace llvm {
class CallBase;
}

namespace weft::compiler::simt {

class Widening;

/// The value of a primitive that is uniform.
llvm::Value* uniform_sub_group_value(Widening& w, llvm::CallBase& call, SubGroupCall primitive);
/// That of one that is not, in all lanes.
llvm::Value* sub_group_values(Widening& w, llvm::CallBase& call, SubGroupCall primitive);

}  // namespace weft::compiler::simt
