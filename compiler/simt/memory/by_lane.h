// Loops made functions of one lane, which widening calls for the live lanes one after the other.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/UniformityAnalysis.h>

namespace llvm {
class BasicBlock;
class DominatorTree;
class Function;
class Instruction;
class Loop;
class LoopInfo;
class Type;
class Value;
}  // namespace llvm

namespace weft::compiler::simt {

/// The private variables that `pointer` may point into; false where they are not known.
bool private_objects(const llvm::Value& pointer, llvm::SmallPtrSetImpl<const llvm::Value*>& objects);

/// What a function of one lane may take, return or load.
bool has_plain_type(const llvm::Type& type);

/// A note to the compiler, of which a copy may do without.
bool is_note(const llvm::Instruction& instruction);

/// Where a loop ends: the block that all ways out of it meet in, null if there is none, and what lies on the way, which belongs to the loop: what it does
/// where it is left early.
struct LoopEnd {
  llvm::BasicBlock* exit = nullptr;
  llvm::SmallVector<llvm::BasicBlock*, 4> tails;
};
LoopEnd find_end(const llvm::Loop& loop);

/// Whether a store in front of a loop that fills the loop's private variables may go along with it.
using MayMove = llvm::function_ref<bool(const llvm::Instruction& store)>;

/// Makes `loop` of `region` a function of one lane, `<region>.by_lane`, and a call of it in its place. Null, and nothing has changed, where too much
/// crosses the loop's border, or, unless `any` may come out, what lanes share. Dominators and loops are not kept up.
llvm::Function* outline_by_lane(llvm::Function& region, llvm::Loop& loop, llvm::DominatorTree& dominators, llvm::LoopInfo& loops,
                                llvm::UniformityInfo& uniformity, bool any, MayMove may_move);

}  // namespace weft::compiler::simt
