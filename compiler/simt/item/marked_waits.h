// Loops that wait for other groups say so.
//
// A device has fewer processors than a launch has groups, and more threads than processors run those that wait for each other
// (device/engine.h). A group that waits lets another one have its processor, or else what it waits for comes when the system takes the
// processor away, milliseconds later.
#pragma once

namespace llvm {
class Function;
class Instruction;
}  // namespace llvm

namespace weft::compiler::simt {

/// Marks each iteration of the loops of `item` that only look (waiting_latches) by a fence of a scope of its own, which every pass keeps,
/// once a warp, as it keeps fences. Returns whether there were any.
bool mark_waits(llvm::Function& item);

/// Whether `instruction` is such a mark.
bool is_wait(const llvm::Instruction& instruction);

}  // namespace weft::compiler::simt
