// A second copy of a kernel's code for warps whose reads and writes of images and of arrays all lie inside.
//
// A filter bounds the coordinates of each of its reads, as images' addressing does or by clamp, min and max on an array's
// indices, and each write to an image asks whether it is outside. Coordinates are a work-item's id and what loops with
// constant counts add to it, so one comparison for each dimension, in front of everything, tells whether a warp meets any
// bound. Where it meets none, its copy of the code has no bounds, no borders and no branches, and its small loops are
// unrolled: reads of the same texel by different taps, or by the warps of a body, are one read and one conversion, and of
// an array neighbours are loaded side by side.
#pragma once

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
}  // namespace llvm

namespace weft::compiler::simt {

class Analyses;

/// On the branch between the two copies, the first for warps inside.
inline constexpr char kInsideMetadata[] = "weft.inside";
/// On loads of the second copy: the warp meets a bound in some.
inline constexpr char kRimMetadata[] = "weft.rim";

/// Copies the code of `item`, a simplified item function. Does nothing if it has barriers, reads few texels (kFewestTaps), unless bounds are much of
/// its code or part the addresses of neighbours, is long (kMostInstructions), or has bounds that are not known before its first instruction.
/// Returns whether it did.
bool copy_for_inside(llvm::Function& item, bool ids_fit_31_bits, Analyses& analyses);

/// Marks the loads of `block`, which is of the second copy.
void mark_rim(llvm::BasicBlock& block);

/// The branch that copy_for_inside made in `function`, at the end of its entry block; or null.
const llvm::Instruction* inside_branch(const llvm::Function& function);

}  // namespace weft::compiler::simt
