// Stores to one place that each side of a branch ends with.
//
// `if (a <= b) out[k] = a; else out[k] = b;` stores twice, each time under a mask. Clean-up would make one store of these, but accesses of shared memory are no
// one's to move while a lane is looked at alone (`pin`).
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Analyses;

/// Where all ways into a block of `region` end with a store to the same address, the block begins with one store of what each of them has, in their place:
/// of a branch's two sides, of chains of branches, and of a switch's cases. Only where nothing on these ways could tell: no other access there may meet the
/// stores (ir/memory_order.h), none of which is `volatile` or atomic, so all that changes is which lane's number is left where lanes of different sides store to one
/// place without an order between them.
///
/// True if `region` changed; `analyses` are invalid for it then.
bool join_stores(llvm::Function& region, Analyses& analyses);

}  // namespace weft::compiler::simt
