// A function of one lane for several lanes beside each other.
//
// A loop that runs for one lane after the other (memory/scalarize_loops.h) and reads what it wrote to private memory waits for itself: where an
// iteration stores is where the next one may load. Lanes have nothing to do with each other, so the processor can run the iterations of
// several at once, if the code has them side by side: RC4 takes half as long.
#pragma once

#include <llvm/ADT/ArrayRef.h>

namespace llvm {
class CallBase;
class Function;
}  // namespace llvm

namespace weft::compiler::simt {

class Widening;

/// How many lanes should run the function of one lane that `call` calls at once; 1: each alone.
///
/// More than one where the way through the function is the same for all lanes of `call`, so that no lane waits for another, where it loads from
/// private memory that it stores to, and where few values differ between lanes, so that they all find registers.
unsigned lanes_beside(const Widening& w, const llvm::CallBase& call);

/// `one` for `count` lanes. An argument that is `shared` is one for all, of others there are `count`, lane beside lane; the result is an array of
/// `count` of those of `one`, or nothing.
llvm::Function* put_beside(llvm::Function& one, llvm::ArrayRef<bool> shared, unsigned count);

}  // namespace weft::compiler::simt
