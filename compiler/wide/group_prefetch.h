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

/// In front of each load of `group`, which runs a group a call, asks for what the load of a group later reads, if that is some product of what is known at
/// run time from here, or half a page or more. `dimension`: along which groups follow each other. `goes_once`: no loop of the kernel's accesses global
/// memory (WrittenRows); else what loops load asks for nothing, nor does a load whose distance cannot be told. Where groups read few lines those of more
/// than one later are asked for.
void prefetch_next_group(llvm::Function& group, unsigned dimension, bool goes_once);

}  // namespace weft::compiler::wide
