#include "compiler/simt/memory/short_rows.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <algorithm>
#include <optional>

#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/least.h"
#include "compiler/simt/memory/lane_counts.h"
#include "compiler/simt/memory/recurrence.h"
#include "compiler/simt/memory/row_vectors.h"
#include "compiler/target/costs.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

/// Elements beyond which no row is short: the guess at its end is little beside them.
constexpr unsigned kMostShort = 32;
/// Lanes of a warp with short rows up to which they have their turns as the others do: where they are few, the loops over them end as often
/// as their own would.
constexpr unsigned kFewLanes = 8;
/// A lane's turn, as in loop_costs.cpp.
constexpr double kTurn = 60 * target::kScalarOperation;
/// To take an element out of a vector.
constexpr double kExtract = 0.5;

struct Cycles {
  double element = 0;  ///< of the loop
  double piece = 0;
};

Cycles cycles_of(const llvm::Loop& loop, const RowVectors& row, const target::Costs& costs) {
  Cycles cycles;
  for (const BasicBlock* block : loop.blocks())
    for (const Instruction& instruction : *block) {
      const bool is_load = llvm::isa<llvm::LoadInst>(instruction);
      const double alone =
          is_load ? target::kScalarLoad : std::max(costs.scalar(instruction), instruction.isTerminator() ? target::kScalarOperation : 0);
      cycles.element += alone;
      if (row.is_carried(instruction))
        cycles.piece += kRowVector * (alone + kExtract);
      else if (is_load)
        cycles.piece +=
            row.is_gathered(instruction) ? costs.scattered(instruction, kRowVector) : costs.registers(*instruction.getType(), kRowVector);
      else if (!instruction.isTerminator())
        cycles.piece += costs.wide(instruction, kRowVector);
    }
  cycles.element = std::max(cycles.element, recurrence_cycles(loop, costs));
  return cycles;
}

std::optional<RowVectors> find(const llvm::Loop& loop, const VectorTraits& traits, Analyses& analyses) {
  llvm::Function& region = *loop.getHeader()->getParent();
  llvm::FunctionAnalysisManager& manager = analyses.functions();
  const auto& loops = manager.getResult<llvm::LoopAnalysis>(region);
  auto& evolution = manager.getResult<llvm::ScalarEvolutionAnalysis>(region);
  const llvm::Loop& own = *loops.getLoopFor(loop.getHeader());
  if (!traits.masked_gather || !own.isInnermost() || !own.getLoopLatch() || own.getExitingBlock() != own.getLoopLatch() ||
      !own.getUniqueExitBlock() || !own.getLoopPredecessor() ||
      !repetitions_in_front(own, evolution, manager.getResult<llvm::TargetIRAnalysis>(region)))
    return std::nullopt;
  return RowVectors::find(own, loops, evolution, traits);
}

/// The loop over the pieces of rows whose first iteration is followed by `again`, between `front` and `exit`, and what it leaves of the
/// sums.
BasicBlock* emit_pieces(const RowVectors& row, BasicBlock& front, BasicBlock& exit, Value& again, llvm::SmallVectorImpl<Value*>& sums) {
  llvm::Function& region = *front.getParent();
  auto* block = BasicBlock::Create(region.getContext(), "rows.short", &region, &exit);
  llvm::IRBuilder<> builder(block);
  llvm::SmallVector<Value*, 16> arguments;
  llvm::SmallVector<llvm::PHINode*, 8> phis;
  const auto begin_with = [&](Value& first, const llvm::Twine& name) {
    llvm::PHINode* phi = builder.CreatePHI(first.getType(), 2, name);
    phi->addIncoming(&first, &front);
    phis.push_back(phi);
    arguments.push_back(phi);
  };
  const auto first_of = [&](const llvm::PHINode& phi) -> Value& { return *phi.getIncomingValueForBlock(row.loop().getLoopPreheader()); };
  begin_with(again, "left");
  for (const RowVectors::Counter& counter : row.counters()) begin_with(first_of(*counter.phi), counter.phi->getName());
  for (const llvm::PHINode* sum : row.sums()) begin_with(first_of(*sum), sum->getName());
  arguments.append(row.inputs().begin(), row.inputs().end());
  Value* all = builder.CreateCall(row.emit(region), arguments, "piece");
  llvm::SmallVector<Value*, 8> next = {builder.CreateSub(phis.front(), builder.getInt32(kRowVector))};
  for (const auto [i, counter] : llvm::enumerate(row.counters())) {
    const std::int64_t step = counter.step * kRowVector;
    llvm::PHINode* phi = phis[1 + i];
    next.push_back(phi->getType()->isPointerTy()
                       ? builder.CreateConstGEP1_64(builder.getInt8Ty(), phi, static_cast<std::uint64_t>(step))
                       : builder.CreateAdd(phi, llvm::ConstantInt::get(phi->getType(), static_cast<std::uint64_t>(step))));
  }
  for (unsigned i = 0; i < row.sums().size(); ++i) sums.push_back(row.sums().size() == 1 ? all : builder.CreateExtractValue(all, i));
  next.append(sums.begin(), sums.end());
  for (const auto [phi, value] : llvm::zip_equal(phis, next)) phi->addIncoming(value, block);
  builder.CreateCondBr(builder.CreateICmpUGE(phis.front(), builder.getInt32(kRowVector)), block, &exit);
  return block;
}

}  // namespace

unsigned ShortRows::few(const llvm::Loop& loop, const target::Costs& costs, const VectorTraits& traits, Analyses& analyses) {
  const auto row = find(loop, traits, analyses);
  if (!row) return 0;
  const Cycles cycles = cycles_of(loop, *row, costs);
  unsigned few = 0;
  for (unsigned pieces = 1; pieces * kRowVector <= kMostShort; ++pieces) {
    // The last piece is half full, by and large, and which one is the last of several is as little foreseen as a row's end.
    const double elements = (pieces - 0.5) * kRowVector, guess = pieces > 1 ? target::kMispredicted : 0;
    if (guess + pieces * (kTurn + cycles.piece) <= kTurn + target::kMispredicted + elements * cycles.element) few = pieces * kRowVector;
  }
  return few;
}

unsigned ShortRows::any(const llvm::Loop& loop, const VectorTraits& traits, Analyses& analyses) {
  return find(loop, traits, analyses) ? 2 * kRowVector : 0;
}

void ShortRows::part(llvm::Loop& loop, unsigned few, const VectorTraits& traits, Analyses& analyses) {
  llvm::Function& region = *loop.getHeader()->getParent();
  llvm::FunctionAnalysisManager& manager = analyses.functions();
  auto& loops = manager.getResult<llvm::LoopAnalysis>(region);
  auto& dominators = manager.getResult<llvm::DominatorTreeAnalysis>(region);
  auto& evolution = manager.getResult<llvm::ScalarEvolutionAnalysis>(region);
  llvm::Loop& own = *loops.getLoopFor(loop.getHeader());
  llvm::simplifyLoop(&own, &dominators, &loops, &evolution, nullptr, nullptr, /*PreserveLCSSA=*/false);
  llvm::formLCSSA(own, dominators, &loops, &evolution);
  BasicBlock *front = own.getLoopPreheader(), *exit = own.getUniqueExitBlock(), *latch = own.getLoopLatch();
  Value& again = emit_repetitions(*repetitions_in_front(own, evolution, manager.getResult<llvm::TargetIRAnalysis>(region)), evolution,
                                  *front->getTerminator());
  llvm::SplitBlock(front, front->getTerminator(), &dominators, &loops, nullptr, "rows.long");
  const auto row = RowVectors::find(own, loops, evolution, traits);
  llvm::IRBuilder<> builder(front->getTerminator());
  Value* is_short = builder.CreateICmpULT(&again, llvm::ConstantInt::get(again.getType(), few), "is.short");
  const auto count =
      region.getParent()->getOrInsertFunction(primitive::kFew, builder.getInt1Ty(), builder.getInt1Ty(), builder.getInt32Ty());
  Value* are_few = builder.CreateCall(count, {is_short, builder.getInt32(kFewLanes)}, "are.few");
  is_short = builder.CreateAnd(is_short, builder.CreateNot(are_few));
  Value& left = in_32_bits(builder, again);
  llvm::SmallVector<Value*, 4> sums;
  BasicBlock* pieces = emit_pieces(*row, *front, *exit, left, sums);
  builder.CreateCondBr(is_short, pieces, own.getLoopPreheader());
  front->getTerminator()->eraseFromParent();
  for (llvm::PHINode& phi : exit->phis()) {
    Value *last = phi.getIncomingValueForBlock(latch), *value = last;
    for (const auto [sum, behind] : llvm::zip_equal(row->sums(), sums))
      if (llvm::isa<Instruction>(last) && sum->getIncomingValueForBlock(latch) == last) value = behind;
    phi.addIncoming(value, pieces);
  }
  analyses.invalidate(region);
}

}  // namespace weft::compiler::simt
