// What is asked of a value at a loop's end, asked where lanes leave.
//
// In `while (k < n && a[i + k] == b[k]) ++k; found[i] = k == n;` lanes leave one by one, and a divergent loop holds each lane's `k` from
// there to its end, a register for 16 of them. But in each iteration `k` is the same in all lanes that leave by the same branch: compared
// there, it is one comparison of scalars, and what the loop holds is a bit.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Analyses;

/// Moves comparisons with what is the same in all lanes, and truncations, of values that lanes carry out of loops of `region` to the edges
/// by which they leave. Such a value is used in no other way, and is the same in all lanes that leave by the same edge in the same
/// iteration. Returns whether anything changed; `analyses` are invalid for `region` then.
bool take_exit_values(llvm::Function& region, Analyses& analyses);

}  // namespace weft::compiler::simt
