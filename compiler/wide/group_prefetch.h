// Prefetches of what the next group reads.
//
// A group that turns a tile reads rows which lie a matrix's pitch apart, and so does the next one, down the columns or along them: no line follows
// one that was read before, and the processor waits for each. Its window of instructions does not reach to the next group's loads, but the group
// may ask for them: from one group to the next each address goes on by the same distance.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::wide {

/// In front of each load of `group`, whose kernel accesses global memory outside of loops alone and runs a group a call, asks for what the load of a group
/// later reads, if that is some product of what is known at run time from here, or half a page or more. `dimension`: along which groups follow each other.
/// Where groups read few lines it asks for those of more than one later. A load whose distance cannot be told asks for nothing.
void prefetch_next_group(llvm::Function& group, unsigned dimension);

}  // namespace weft::compiler::wide
