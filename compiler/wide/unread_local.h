// Stores to local memory that nothing reads.
//
// What a work-item stores to a tile and another one reads is a value that the lanes of a body hand each other where one body runs the group, or what
// the group reads from registers again: LLVM takes the loads away, but not the stores, as memory from outside of the function may be read later. Local
// memory may not: it ends with its group (OpenCL 3.0 API §3.3.1).
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::wide {

/// Erases the stores to local memory of `group`, a group function, if nothing in it reads local memory or hands its address on, and what only they need.
void drop_unread_stores(llvm::Function& group);

}  // namespace weft::compiler::wide
