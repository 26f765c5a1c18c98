#include "compiler/simt/masks/full_guards.h"

#include "compiler/simt/analysis/even_conditions.h"
#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/primitives.h"
#include "llvm/ADT/GenericUniformityInfo.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <optional>

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::BranchInst;
using llvm::Instruction;
using llvm::Value;

/// Behind a bound: what is worth its compilation twice.
constexpr unsigned kMostInstructions = 400;

/// What a bound guards.
struct Guarded {
  BranchInst* branch = nullptr;
  bool enters_if = true;  ///< the condition's value for lanes that go in
  BasicBlock* first = nullptr;
  BasicBlock* meet = nullptr;  ///< where lanes go that stay outside, and all others in the end
  llvm::SmallSetVector<BasicBlock*, 16> blocks;
};

/// Whether a loop among `guarded`'s blocks that all its lanes leave together reads or writes global memory, not the same for all lanes. Of other
/// loops full_iterations.h knows.
bool has_loop_over_memory(const Guarded& guarded, const llvm::LoopInfo& loops, const Shapes& shapes, llvm::UniformityInfo& uniformity) {
  return llvm::any_of(guarded.blocks, [&](const BasicBlock* block) {
    const llvm::Loop* loop = loops.getLoopFor(block);
    if (!loop) return false;
    llvm::SmallVector<BasicBlock*, 4> exits;
    loop->getExitingBlocks(exits);
    return llvm::none_of(exits, [&](const BasicBlock* exit) { return uniformity.hasDivergentTerminator(*exit); }) &&
           llvm::any_of(*block, [&](const Instruction& instruction) {
             const Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
             return pointer && pointer->getType()->getPointerAddressSpace() == kGlobalSpace && !shapes.is_uniform(*pointer);
           });
  });
}

/// What stands behind the bound at the end of `front`, where all lanes are, if there is one and nothing else leads there.
std::optional<Guarded> guarded_by(BasicBlock& front, const Shapes& shapes) {
  auto* branch = llvm::dyn_cast<BranchInst>(front.getTerminator());
  if (!branch || !branch->isConditional()) return std::nullopt;
  for (const bool enters_if : {true, false}) {
    Guarded guarded{.branch = branch, .enters_if = enters_if, .first = branch->getSuccessor(enters_if ? 0 : 1),
                    .meet = branch->getSuccessor(enters_if ? 1 : 0), .blocks = {}};
    if (guarded.first == guarded.meet) continue;
    if (!is_bound_of_range(*branch->getCondition(), !enters_if, shapes)) continue;
    guarded.blocks.insert(guarded.first);
    std::size_t count = 0;
    for (unsigned i = 0; i < guarded.blocks.size(); ++i) {
      count += guarded.blocks[i]->sizeWithoutDebug();
      for (BasicBlock* next : llvm::successors(guarded.blocks[i]))
        if (next != guarded.meet) guarded.blocks.insert(next);
    }
    // All of it is reached through its first block, from there alone.
    const bool is_closed = !guarded.blocks.contains(&front) && llvm::all_of(guarded.blocks, [&](BasicBlock* block) {
      return llvm::all_of(llvm::predecessors(block), [&](BasicBlock* from) {
        return guarded.blocks.contains(from) || (from == &front && block == guarded.first);
      });
    });
    const bool ends_apart = llvm::any_of(guarded.blocks, [](const BasicBlock* block) { return llvm::succ_empty(block); });
    if (is_closed && !ends_apart && count <= kMostInstructions) return guarded;
  }
  return std::nullopt;
}

void copy(llvm::Function& region, const Guarded& guarded) {
  llvm::LLVMContext& context = region.getContext();
  BasicBlock* front = guarded.branch->getParent();
  llvm::ValueToValueMapTy copies;
  llvm::SmallVector<BasicBlock*, 16> made;
  for (BasicBlock* block : guarded.blocks) {
    made.push_back(llvm::CloneBasicBlock(block, copies, ".full", &region));
    made.back()->moveBefore(guarded.first);
    copies[block] = made.back();
  }
  llvm::remapInstructionsInBlocks(made, copies);
  auto* rest = BasicBlock::Create(context, "rest", &region, guarded.first);
  for (llvm::PHINode& phi : guarded.meet->phis()) {
    for (unsigned i = 0, count = phi.getNumIncomingValues(); i < count; ++i) {
      const auto from = copies.find(phi.getIncomingBlock(i));
      if (from == copies.end()) continue;
      const auto value = copies.find(phi.getIncomingValue(i));
      phi.addIncoming(value == copies.end() ? phi.getIncomingValue(i) : static_cast<Value*>(value->second), llvm::cast<BasicBlock>(from->second));
    }
    phi.replaceIncomingBlockWith(front, rest);
  }
  guarded.first->replacePhiUsesWith(front, rest);
  Value* condition = guarded.branch->getCondition();
  guarded.branch->moveBefore(*rest, rest->end());
  llvm::IRBuilder<> builder(front);
  if (!guarded.enters_if) condition = builder.CreateNot(condition);
  const auto vote = region.getParent()->getOrInsertFunction(primitive::kAll, builder.getInt1Ty(), builder.getInt1Ty());
  builder.CreateCondBr(builder.CreateCall(vote, condition, "all"), llvm::cast<BasicBlock>(copies[guarded.first]), rest,
                       llvm::MDBuilder(context).createLikelyBranchWeights());
}

}  // namespace

bool copy_for_full_guards(llvm::Function& region, const Shapes& shapes, Analyses& analyses) {
  BasicBlock& front = region.getEntryBlock();
  llvm::UniformityInfo& uniformity = analyses.uniformity(region);
  if (!uniformity.hasDivergentTerminator(front)) return false;
  const auto guarded = guarded_by(front, shapes);
  const auto& loops = analyses.functions().getResult<llvm::LoopAnalysis>(region);
  if (!guarded || !has_loop_over_memory(*guarded, loops, shapes, uniformity)) return false;
  copy(region, *guarded);
  analyses.invalidate(region);
  return true;
}

}  // namespace weft::compiler::simt
