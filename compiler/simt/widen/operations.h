// Instructions that work on each lane by itself.
#pragma once

#include "compiler/simt/widen/emitter.h"

namespace llvm {
class CallBase;
class GetElementPtrInst;
class Instruction;
}  // namespace llvm

namespace weft::compiler::simt {

class Widening;

/// `instruction`, no access to memory but for calls, in all lanes. What has no vector form runs in a lane loop.
Parts widen_operation(Widening& w, llvm::Instruction& instruction);

/// Arithmetic, comparisons, selects and casts (arithmetic.cpp).
Parts widen_arithmetic(Widening& w, llvm::Instruction& instruction);
/// A quotient or remainder as `instruction` asks for, of scalars or vectors; no lane traps (arithmetic.cpp).
llvm::Value* divide(Emitter& emitter, llvm::Instruction& instruction, llvm::Value* dividend, llvm::Value* divisor);

/// A call of a primitive, of an intrinsic, or of what is not known (calls.cpp).
Parts widen_call(Widening& w, llvm::CallBase& call);

}  // namespace weft::compiler::simt
