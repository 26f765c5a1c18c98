// Control flow of any form and size, as a loop that runs one block after the other.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

/// Gives `region`, whose terminators are branches and one return, the form that linearize takes, in time linear in its size: each
/// lane holds the number of the block that it runs next, by block_order(), and a loop runs the block with the least number for
/// the lanes that are there, until all are at the return. Lanes part and meet as docs/lockstep.md says. What crosses
/// blocks is in private memory, so code is shorter-lived in registers, and slower, than what structured branches give:
/// for functions that take LLVM's structurizer too long.
void dispatch_blocks(llvm::Function& region);

}  // namespace weft::compiler::simt
