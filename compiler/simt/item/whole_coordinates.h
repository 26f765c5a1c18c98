// Coordinates of images in floating point that are always at whole or half texels become integers.
//
// `read_imagef(image, nearest, convert_float2(id) + 0.5f + (float2)(x, y))` reads texel id + (x, y): nothing is ever rounded. As
// integers, coordinates have shapes (analysis/shape.h), so that texels side by side are one vector, and inside-bounds sees bounds.
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace llvm {
class Function;
class ScalarEvolution;
class Value;
}  // namespace llvm

namespace weft::compiler::simt {

/// Replaces each conversion to an integer of a number that is floored and bounded by the size of an image with rows, where the number
/// is the sum of integers, of which all but one are below 2^16, and of halves. Floats are exact up to 2^22; beyond, the number
/// and the integer in its place are on the same side of the bounds, which are far below that (device.h: kMaxImage2DSize). `ids_fit_31_bits`: as Specialization has it, which leaves room for
/// the sum. Returns whether anything changed.
bool make_coordinates_whole(llvm::Function& item, bool ids_fit_31_bits, llvm::ScalarEvolution& evolution);

/// The integer that the floor of `coordinate` is, of an image with rows and in texels, made by `builder`; null where that is not known. It
/// may stand where it is bounded by the image's size, for the same reason.
llvm::Value* whole_coordinate(llvm::Value& coordinate, bool ids_fit_31_bits, llvm::ScalarEvolution& evolution, llvm::IRBuilder<>& builder);

}  // namespace weft::compiler::simt
