// Vectors of which one element alone is used.
//
// A read of an image of one channel gives four numbers, and a filter's sum is one of vectors; of the result the write takes one element. What
// asks how much such code computes, or how many registers its values take, shall not count the other three.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

/// Makes scalars of vectors in `function` of which nothing but one element is used. Returns whether there were any.
bool take_needed_elements(llvm::Function& function);

}  // namespace weft::compiler::simt
