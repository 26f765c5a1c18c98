#include "compiler/simt/masks/full_guards.h"

#include "compiler/simt/analysis/even_conditions.h"
#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/masks/full_copy.h"
#include "llvm/ADT/GenericUniformityInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/Instructions.h"

#include <optional>

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::BranchInst;
using llvm::Instruction;
using llvm::Value;

/// Behind a bound: what is worth its compilation twice.
constexpr unsigned kMostGuarded = 640;

/// Whether `loop` divides long integers: a lane after the other, beside which masks cost nothing.
bool divides_lane_by_lane(const llvm::Loop& loop, const Shapes& shapes) {
  return llvm::any_of(loop.blocks(), [&](const BasicBlock* block) {
    return llvm::any_of(*block, [&](const Instruction& instruction) {
      return instruction.isIntDivRem() && instruction.getType()->getScalarSizeInBits() > 32 &&
             !llvm::isa<llvm::Constant>(instruction.getOperand(1)) && !shapes.is_uniform(instruction);
    });
  });
}

/// Whether a loop among `guarded`'s blocks that all its lanes leave together reads or writes global memory, not the same for all lanes. Of other
/// loops full_iterations.h knows.
bool has_loop_over_memory(const Guarded& guarded, const llvm::LoopInfo& loops, const Shapes& shapes, llvm::UniformityInfo& uniformity) {
  return llvm::any_of(guarded.blocks, [&](const BasicBlock* block) {
    const llvm::Loop* loop = loops.getLoopFor(block);
    if (!loop || divides_lane_by_lane(*loop, shapes)) return false;
    llvm::SmallVector<BasicBlock*, 4> exits;
    loop->getExitingBlocks(exits);
    return llvm::none_of(exits, [&](const BasicBlock* exit) { return uniformity.hasDivergentTerminator(*exit); }) &&
           llvm::any_of(*block, [&](const Instruction& instruction) {
             const Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
             return pointer && pointer->getType()->getPointerAddressSpace() == kGlobalSpace && !shapes.is_uniform(*pointer);
           });
  });
}

}  // namespace

bool copy_for_full_guards(llvm::Function& region, const Shapes& shapes, Analyses& analyses) {
  BasicBlock& front = region.getEntryBlock();
  llvm::UniformityInfo& uniformity = analyses.uniformity(region);
  if (!uniformity.hasDivergentTerminator(front)) return false;
  const auto guarded = guarded_by(front, shapes, kMostGuarded);
  const auto& loops = analyses.functions().getResult<llvm::LoopAnalysis>(region);
  if (!guarded || !has_loop_over_memory(*guarded, loops, shapes, uniformity)) return false;
  copy_for_all_lanes(region, *guarded);
  analyses.invalidate(region);
  return true;
}

}  // namespace weft::compiler::simt
