// Linear reads of slices by rows of lanes.
//
// Where a ray marches along an axis, or a slice is enlarged, work-items side by side read an image with slices at places that differ in x alone. Each needs
// eight texels of four lines, the same for all, and weighs them by the same y and z. So each lane blends the four texels of one column of these
// lines, and takes its two columns from lanes that have them: a fourth of the conversions and half of the products, where the row's columns are no more
// than lanes. Where a row lies in the middle of a slice, the next one weighs nothing and is not read: rays that go by slices read two lines in place of four.
#pragma once

#include "compiler/compiler_api.h"

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

/// Makes linear reads in `kernel` of an image with slices ask whether this holds (ir/lane_rows.h), where the coordinates
/// but the first are the same for all work-items along x, format and sampler are known, and the image functions are calls still. Returns whether there were any.
bool read_by_rows(llvm::Function& kernel, const Specialization& specialization);

}  // namespace weft::compiler::simt
