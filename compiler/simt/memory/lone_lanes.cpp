#include "compiler/simt/memory/lone_lanes.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

#include "compiler/compiler_api.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/least.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/memory/lane_counts.h"
#include "compiler/simt/memory/walked_pieces.h"

namespace weft::compiler::simt {
namespace {

using llvm::Value;

/// A number that no two work-items of a block have alike.
Value& place_in_block(llvm::IRBuilderBase& builder, const Specialization& specialization) {
  llvm::Module& module = *builder.GetInsertBlock()->getModule();
  Value* place = builder.getInt32(0);
  for (unsigned d = 3; d-- > 0;) {
    const std::uint32_t size = specialization.local_size[d] * (d == 0 ? specialization.groups : 1);
    place = builder.CreateMul(place, builder.getInt32(size));
    if (size == 1) continue;
    auto* type = llvm::FunctionType::get(builder.getInt32Ty(), false);
    llvm::FunctionCallee id = module.getOrInsertFunction((primitive::kLocalId + llvm::Twine("xyz"[d])).str(), type);
    auto* function = llvm::cast<llvm::Function>(id.getCallee());
    function->setDoesNotAccessMemory();
    function->setDoesNotThrow();
    function->setWillReturn();
    place = builder.CreateAdd(place, builder.CreateCall(id, {}, "local_id"));
  }
  return *place;
}

/// `loop` as `analyses` know it, with a block in front of it, where it may be copied; else null.
llvm::Loop* with_preheader(const llvm::Loop& loop, Analyses& analyses) {
  llvm::Function& region = *loop.getHeader()->getParent();
  llvm::FunctionAnalysisManager& manager = analyses.functions();
  auto& loops = manager.getResult<llvm::LoopAnalysis>(region);
  llvm::Loop* own = loops.getLoopFor(loop.getHeader());
  if (!own->getUniqueExitBlock() || !own->getLoopPredecessor()) return nullptr;
  llvm::simplifyLoop(own, &manager.getResult<llvm::DominatorTreeAnalysis>(region), &loops, &manager.getResult<llvm::ScalarEvolutionAnalysis>(region), nullptr,
                     nullptr, /*PreserveLCSSA=*/false);
  return own;
}

}  // namespace

llvm::BasicBlock* copy_for_several_lanes(llvm::Loop& loop, const Specialization& specialization, Analyses& analyses) {
  llvm::Loop* own = specialization.local_size[0] ? with_preheader(loop, analyses) : nullptr;
  if (!own) return nullptr;
  llvm::IRBuilder<> builder(own->getLoopPreheader()->getTerminator());
  Value& place = place_in_block(builder, specialization);
  const auto all = builder.GetInsertBlock()->getModule()->getOrInsertFunction(primitive::kAll, builder.getInt1Ty(), builder.getInt1Ty());
  Value* is_alone = builder.CreateCall(all, builder.CreateICmpEQ(&place, &least_of_lanes(builder, place)), "is.alone");
  return copy_loop(*own, *is_alone, "several", analyses);
}

llvm::BasicBlock* copy_for_many_lanes(llvm::Loop& loop, unsigned few, Analyses& analyses) {
  llvm::Loop* own = with_preheader(loop, analyses);
  if (!own) return nullptr;
  llvm::IRBuilder<> builder(own->getLoopPreheader()->getTerminator());
  const auto count =
      builder.GetInsertBlock()->getModule()->getOrInsertFunction(primitive::kFew, builder.getInt1Ty(), builder.getInt1Ty(), builder.getInt32Ty());
  Value* are_few = builder.CreateCall(count, {builder.getTrue(), builder.getInt32(few)}, "are.few");
  return copy_loop(*own, *are_few, "many", analyses);
}

}  // namespace weft::compiler::simt
