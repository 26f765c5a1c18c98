// Iterations that all lanes run, apart from those that some do.
//
// In `for (i = get_global_id(0); i < n; i += get_global_size(0))` the lanes of a warp end in the same iteration, or one apart. As a divergent
// loop it carries a mask, keeps each lane's values as they were at its end, and asks in each iteration which lanes are left. So a copy of
// the loop, whose branch is uniform, runs the iterations of all lanes first; the loop itself runs what is left.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Analyses;
class Shapes;

/// Gives the loops of `region` with an even exit (even_conditions.h), if they are short enough, such a copy in front. `shapes` are
/// those of `region` as it is. Each lane runs the same iterations in the same order as before, and lanes that are in one iteration
/// are so still. Returns whether anything changed; `analyses` are invalid for `region` then.
bool run_full_iterations_first(llvm::Function& region, const Shapes& shapes, Analyses& analyses);

}  // namespace weft::compiler::simt
