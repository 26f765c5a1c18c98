// Divisions of numbers that count along lanes, as ids do, by one that all lanes share.
//
// Where the divisor is no less than the lanes are many, at most one of them begins a new row: the quotient of the first lane is a scalar's, and the others
// have that or the next one. Vectors have no division, but by way of floating point.
#pragma once

#include "compiler/simt/widen/emitter.h"

namespace llvm {
class Instruction;
}

namespace weft::compiler::simt {

class Widening;

/// Quotients of numbers that count along lanes: those of a piece of lanes have the first one's or the next one.
struct CountedRows {
  unsigned piece = 0;            ///< lanes
  llvm::Value* holds = nullptr;  ///< whether it is so (i1); null: always
  llvm::Value* next = nullptr;   ///< which lanes have the next one
  llvm::SmallVector<llvm::Value*, 8> firsts;
};

/// The quotients or remainders that `division` asks for, of an affine number of stride 1, or of such a quotient, by a uniform one; none where it is another one. Asks at run
/// time, where it is not known, whether the divisor is large enough and no lane wraps around, and divides vectors otherwise.
Parts counted_quotients(Widening& w, llvm::Instruction& division);

}  // namespace weft::compiler::simt
