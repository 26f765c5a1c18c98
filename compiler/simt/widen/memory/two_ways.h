// Code with two ways, of which a condition that is known at run time chooses one.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/StringRef.h>

#include "compiler/simt/widen/emitter.h"

namespace weft::compiler::simt {

struct TwoWays {
  llvm::StringRef usual;  ///< names of the blocks
  llvm::StringRef other;
  llvm::StringRef join;
  bool weighted = true;  ///< tells LLVM which way is usual
};

/// `usual` where `condition` holds, else `other`. What they return, vectors of the same types, is joined.
Parts emit_two_ways(Emitter& emitter, llvm::Value* condition, const TwoWays& ways, llvm::function_ref<Parts()> usual,
                    llvm::function_ref<Parts()> other);

}  // namespace weft::compiler::simt
