// Progressions of addresses that hold only if no index wraps around or meets a bound.
#pragma once

namespace llvm {
class Value;
}

namespace weft::compiler::simt {

class Widening;
struct Shape;

/// Whether all lanes of `value`, a pointer or a number of 64 bits, are where `shape`, which is checked, says: an i1.
llvm::Value* progression_holds(Widening& w, llvm::Value* value, const Shape& shape);

}  // namespace weft::compiler::simt
