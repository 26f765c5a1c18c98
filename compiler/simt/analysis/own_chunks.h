// Whether work-items go through chunks of their own, as programs write kernels for processors: one work-item a core, or a few hundred in
// all.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

struct Chunks {
  bool any = false;
  /// Lanes side by side would wait for each other or scatter whatever the loops do: a loop within counts up to a number that is loaded for
  /// each of a chunk's elements, as the rows of a sparse matrix have it, or stores go to places that are loaded, as a histogram's.
  bool part_lanes = false;
};

/// In `for (i = id * chunk; i < min((id + 1) * chunk, n); ++i) y[i] += a * x[i]` each work-item has a part of an array to itself, however
/// long that is. Such is a loop of `kernel`, linked and scalar-optimized, that is in no other and counts up or down from a place that grows
/// from each work-item along x to the next one by much, or by a number that the kernel learns at run time. The place may be bounded, or a
/// share, as `id * n / get_global_size(0)`.
Chunks own_chunks(const llvm::Function& kernel);

}  // namespace weft::compiler::simt
