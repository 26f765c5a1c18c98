// Arithmetic that a program writes component by component, as arithmetic on vectors.
//
// `c.x += a.x * b; c.y += a.y * b; ...` is a chain of insertelement whose numbers each are one work-item's scalar arithmetic. As one vector's it
// can stay as memory has it (widen/packed_values.h), where components would be taken apart at each load and put together at each store.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

/// Joins each chain of insertelement in `function` that sets all components of a vector, each by the same operations on the same component of
/// the same vectors, on constants, and on numbers that all components share. The operations do the same to each component of a vector, touch
/// no memory and are used in the chain alone; what a fast-math or wrap flag says holds only if it is said of all components. The same place of as
/// many vectors as each has components is such a vector, too, where the function makes one of every place: a square that is turned, by steps
/// that interleave two vectors. Other chains stay. Returns whether there were any.
bool join_components(llvm::Function& function);

}  // namespace weft::compiler::simt
