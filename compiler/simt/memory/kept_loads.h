// Elements of shared memory that a loop only reads, from one place, kept in registers while it runs.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Analyses;

/// Where the lanes of a warp leave a loop one by one, what it loads in each iteration is loaded under another mask, and LLVM cannot know that it is the
/// same for those that stay: a root that Newton's method looks for reads its polynomial again each time around. Such a load moves in front of the
/// loop if
/// - its place does not change in the loop, and whoever enters the loop runs it before it can leave;
/// - nothing in the loop writes there: what it stores is private, in another address space, or of another `restrict` argument or buffer;
/// - nothing in the loop is a barrier, a fence or `volatile`, so that neither groups nor warps may look at memory meanwhile. Nor is anything atomic,
///   unless it orders nothing else and nothing in the whole kernel writes there: edges of a graph that is searched with atomic marks.
/// What has been loaded already where lanes ask whether they enter is not loaded again (repeated_loads.h).
/// True if `region` changed; `analyses` are invalid for it then.
bool keep_loads(llvm::Function& region, Analyses& analyses);

}  // namespace weft::compiler::simt
