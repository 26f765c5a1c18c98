// What the rows of a group share.
//
// A work-item that reads an image between its texels, or writes a color that it computes, does much for its column alone: where the texels lie,
// which of them it takes and with which weights, what a channel is as a byte. All rows of a group have the same columns, and widened code
// computes them once (wide/launch_loads.h), so the more rows a group has, the less each of them costs.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

/// Rows of a group of which each takes little of what is computed for columns.
inline constexpr unsigned kRowsOfColumns = 32;

/// Whether `kernel` computes so much for columns, beside what it does for each work-item, that a group should have kRowsOfColumns: no loops, few
/// reads of images, and coordinates or colors that follow from the work-item's place along x alone. `kernel` is linked and scalar-optimized.
bool columns_serve(const llvm::Function& kernel);

}  // namespace weft::compiler::simt
