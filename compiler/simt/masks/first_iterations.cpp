#include "compiler/simt/masks/first_iterations.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LoopPeel.h>

#include <optional>

#include "compiler/simt/analysis/canonical_loops.h"
#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/analysis/uniformity.h"

namespace weft::compiler::simt {
namespace {

/// Of a loop that is copied: with few, what the loop costs beside its body counts.
constexpr unsigned kMostOfFirst = 40;

/// The load in `loop` that `value` is of; none otherwise.
const llvm::LoadInst* loaded_integer(const llvm::Value& value, const llvm::Loop& loop) {
  const llvm::Value* from = &value;
  while (const auto* cast = llvm::dyn_cast<llvm::CastInst>(from)) from = cast->getOperand(0);
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(from);
  return load && loop.contains(load) && load->getType()->isIntegerTy() ? load : nullptr;
}

/// Whether lanes load what `load` does from places that lie beside each other.
bool is_in_a_row(const llvm::LoadInst& load, const Shapes& shapes) {
  const Shape shape = shapes[*load.getPointerOperand()];
  return shape.is_affine() && shape.stride == static_cast<std::int64_t>(load.getType()->getIntegerBitWidth() / 8);
}

/// What `block` of `loop` compares if it goes on in the loop where two numbers are equal, of which one at least is loaded; null otherwise.
const llvm::ICmpInst* stays_if_equal(const llvm::BasicBlock& block, const llvm::Loop& loop) {
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  if (!branch || !branch->isConditional()) return nullptr;
  const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition());
  if (!compare || !compare->isEquality()) return nullptr;
  const unsigned if_equal = compare->getPredicate() == llvm::CmpInst::ICMP_EQ ? 0 : 1;
  if (!loop.contains(branch->getSuccessor(if_equal))) return nullptr;
  return llvm::any_of(compare->operands(), [&](const llvm::Use& side) { return loaded_integer(*side, loop); }) ? compare : nullptr;
}

/// The comparisons of `loop` by which lanes leave it early; none where it is no loop to copy.
llvm::SmallVector<const llvm::ICmpInst*, 2> early_exits(const llvm::Loop& loop, Analyses& analyses) {
  llvm::SmallVector<const llvm::ICmpInst*, 2> found;
  if (!loop.isInnermost()) return found;
  unsigned instructions = 0;
  for (const llvm::BasicBlock* block : loop.blocks()) {
    instructions += static_cast<unsigned>(block->sizeWithoutDebug());
    if (instructions > kMostOfFirst) return {};
    // Lanes that vote or exchange values in an iteration are counted on to be those of the loop.
    for (const llvm::Instruction& instruction : *block)
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction); call && (call->isConvergent() || call->mayWriteToMemory())) return {};
    const llvm::ICmpInst* compare = loop.isLoopExiting(block) ? stays_if_equal(*block, loop) : nullptr;
    if (compare && analyses.uniformity(*loop.getHeader()->getParent()).hasDivergentTerminator(*block)) found.push_back(compare);
  }
  return found;
}

}  // namespace

bool take_first_iterations(llvm::Function& region, const Specialization& specialization, unsigned lanes,
                           llvm::function_ref<std::uint32_t(unsigned)> private_stride, Analyses& analyses) {
  llvm::FunctionAnalysisManager& manager = analyses.functions();
  std::optional<Shapes> shapes;  // few functions have such a loop
  llvm::SmallVector<llvm::BasicBlock*, 4> headers;
  for (const llvm::Loop* loop : manager.getResult<llvm::LoopAnalysis>(region).getLoopsInPreorder()) {
    const auto exits = early_exits(*loop, analyses);
    if (exits.empty()) continue;
    if (!shapes) shapes.emplace(region, specialization, lanes, private_stride);
    const auto is_read_in_a_row = [&](const llvm::Use& side) {
      const llvm::LoadInst* load = loaded_integer(*side, *loop);
      return load && is_in_a_row(*load, *shapes);
    };
    if (llvm::any_of(exits, [&](const llvm::ICmpInst* compare) { return llvm::any_of(compare->operands(), is_read_in_a_row); }))
      headers.push_back(loop->getHeader());
  }
  if (headers.empty()) return false;
  for (llvm::BasicBlock* header : headers) {
    llvm::Loop* loop = canonical_loop(*header, analyses);
    if (loop && llvm::canPeel(loop)) {
      auto& loops = manager.getResult<llvm::LoopAnalysis>(region);
      llvm::ValueToValueMapTy copies;
      llvm::peelLoop(loop, 1, &loops, &manager.getResult<llvm::ScalarEvolutionAnalysis>(region),
                     manager.getResult<llvm::DominatorTreeAnalysis>(region), &manager.getResult<llvm::AssumptionAnalysis>(region), true, copies);
    }
    analyses.invalidate(region);
  }
  return true;
}

}  // namespace weft::compiler::simt
