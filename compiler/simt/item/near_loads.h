// Loads under a condition, between what every lane has loaded.
//
// `around == 3 || (around == 2 && in[at])` reads in[at] for some lanes, when all have read in[at - 1] and in[at + 1]. An object that has both has
// what lies between, so all lanes may read it, from lines that are at hand: the branch, its mask and a masked load, or for elements that
// the processor cannot mask a question about pages, become a load and a selection.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Analyses;

/// Moves what one divergent branch leads to in front of that branch: blocks of a few instructions that load from global or constant memory, within a line (64
/// bytes) of what the work-item has accessed on both sides by then, and do nothing else but compute. OpenCL vectors stay: of those, a part may do. No access changes its place among the others.
/// Indices of fewer bits than addresses, which may wrap around, count where they follow the start of a buffer (buffer_places.h): what wrapped
/// around would lie in front of it. `item` is a simplified item function. Returns whether anything changed; `item` then is fit for simplify_kernel, and may
/// have more such blocks behind it.
bool move_near_loads(llvm::Function& item, Analyses& analyses);

}  // namespace weft::compiler::simt
