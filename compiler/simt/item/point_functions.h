// Functions of one byte, or of 16 bits, that go through floating point and are one or two operations on integers.
//
// Programs work on pixels in floating point: `write_imagef(out, p, 1.0f - read_imagef(in, s, p))` converts each byte, divides it by 255,
// subtracts it, bounds it, multiplies and rounds it, and the result is its complement. What has 256 or 65,536 values is computed for
// all of them here, and where the results are those of saturating integer arithmetic, that takes its place: copies between images and
// other orders of channels, inversion, brightness, thresholds, values with constants beside them.
#pragma once

namespace llvm {
class Function;
class DataLayout;
}  // namespace llvm

namespace weft::compiler::simt {

/// Replaces the operations between a conversion of at most 16 bits to float and integers or truth values, where each of them depends on
/// one element alone and all that leaves them is such a function (value_tables.h) of it. Bytes of a word that are put together to a
/// word stay side by side in it.
void replace_point_functions(llvm::Function& item);

}  // namespace weft::compiler::simt
