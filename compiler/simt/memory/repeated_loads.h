// Elements of shared memory that are read again although nobody has written them.
//
// Programs name an element wherever they need it: `while (s[p] >= '0' && s[p] <= '9') v = v * 10 + s[p++] - '0'` reads each byte three times. Loads of global and
// local memory are no one's to move while a lane is looked at alone (`pin`), and once they are masked, or gather, LLVM cannot know that the lanes of one are
// among those of another. Here it is known: a load serves another that it dominates.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Analyses;

/// Takes from `region` the loads of shared memory whose element another load has brought on every path, and those of a loop's element that the iteration
/// before loaded as its next (the first one's is loaded in front of the loop), where no path in between
/// - writes to memory that it may be in: only other address spaces and other `restrict` arguments and buffers are known to be elsewhere;
/// - has an atomic, a barrier or a `volatile` access, at which other groups' and warps' writes may be seen.
/// True if `region` changed; `analyses` are invalid for it then.
bool drop_repeated_loads(llvm::Function& region, Analyses& analyses);

}  // namespace weft::compiler::simt
