// What work-items do on their way out of a loop, they do in their iteration.
//
//   for (;;) {
//     const uint first = sub_group_broadcast_first(key);
//     if (key == first) {
//       sum = sub_group_reduce_add(x);  // of the work-items with this key
//       break;
//     }
//   }
//
// The block that ends with the `break` does not lead back to the loop's head, so for LLVM it is no part of the loop: all lanes would
// meet there once each had left. So that it stays a part, it gets a way back, which nobody takes: a branch on `__weft_leaves()`, which is
// true, but which nothing knows before masks are made (simt/masks/taken_exits.h).
//
// What stands in the loop's text is told by the order of blocks, which is Clang's, the text's own: what lies between the loop's first block
// and its last. Where a `while` ends with a `break` and its `continue` stands further up, its last statements lie behind those from which there
// is a way back; that they are its own only Clang's name of the block behind them tells, `while.end`. Blocks in the loop that may lose their way back
// later, when a clean-up proves that the branch behind them leaves, are kept where more is known (simt/item/divergent_exits.h).
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/StringRef.h>

#include <string>

namespace llvm {
class BasicBlock;
class DominatorTree;
class Loop;
class LoopInfo;
class Module;
}  // namespace llvm

namespace weft::compiler::frontend {

/// `i1 __weft_leaves()`: true, which nobody may know before masks are made: it keeps exits within their loops (masks/taken_exits.h). Uniform.
inline constexpr llvm::StringLiteral kLeaves = "__weft_leaves";

using Blocks = llvm::SmallSetVector<llvm::BasicBlock*, 8>;
/// Of the blocks that belong to a loop, though none of them leads back to its head, those that are no part of it for LLVM.
using BlocksOutside = llvm::function_ref<Blocks(const llvm::Loop&, const llvm::LoopInfo&, const llvm::DominatorTree&)>;

/// `module` is not optimized. Only exits that call functions of sub-groups get ways back.
void keep_exits_in_loops(llvm::Module& module, BlocksOutside blocks_outside);
/// The same for a module as Clang made it, by what stands in its text.
void keep_exits_in_loops(llvm::Module& module);

/// Control that goes from the one block to the other, out of a loop, may seem to go to the loop's head instead.
void lead_back(llvm::BasicBlock& from, llvm::BasicBlock& target, llvm::BasicBlock& header);

/// Whether a source may call functions of sub-groups, so that the names of its blocks are wanted.
bool may_meet(const std::string& source);
/// Takes the names away again, which all below does without.
void drop_names(llvm::Module& module);

}  // namespace weft::compiler::frontend
