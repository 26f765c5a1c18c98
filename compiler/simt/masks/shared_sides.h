// Copies of loops for what all lanes share.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/Twine.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include "compiler/simt/analysis/shape.h"

namespace llvm {
class BasicBlock;
class Function;
class Loop;
}  // namespace llvm

namespace weft::compiler::simt {

class Analyses;

using ShapesOf = llvm::function_ref<Shapes()>;

/// Whether `loop` may have a copy, and is small enough that it is worth one.
bool may_be_copied(const llvm::Loop& loop);
/// Whether `region` may still grow by copies.
bool may_grow(const llvm::Function& region);

/// Copies `loop`, in LoopSimplify and LCSSA form, which begins behind `before`. Returns where the copy begins: an empty block, which nothing
/// leads to, whose only successor is the header.
llvm::BasicBlock* copy_loop(const llvm::Loop& loop, llvm::BasicBlock* before, const llvm::Twine& suffix, llvm::ValueToValueMapTy& copies);
/// What `copies` have in the place of `blocks`.
llvm::SmallVector<llvm::BasicBlock*, 16> copied(llvm::ArrayRef<llvm::BasicBlock*> blocks, const llvm::ValueToValueMapTy& copies);
/// What becomes of `blocks` where conditions have become constants.
void fold(llvm::ArrayRef<llvm::BasicBlock*> blocks);

/// Gives the loop of `header`, if lanes load apart in it, copies for each side of conditions and switches that all lanes share, and these copies for what is
/// left. Blocks that then follow one another alone are one, in which loads of neighbours in a row show that they are such; `by_lines`: of a loop that is unrolled
/// for that. `analyses` are invalid for `region` then.
void split_by_shared(llvm::Function& region, llvm::BasicBlock& header, ShapesOf shapes, bool by_lines, Analyses& analyses);

/// Unrolls the loop of `header`, of a known count, so that an iteration has a line of each row along which a lane walks: lanes load it at once (joined_loads.h),
/// or at least one after the other, while it is in the first-level cache. `analyses` are invalid for `region` then.
void read_by_lines(llvm::Function& region, llvm::BasicBlock& header, Analyses& analyses);

}  // namespace weft::compiler::simt
