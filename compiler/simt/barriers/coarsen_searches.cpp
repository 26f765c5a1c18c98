#include "compiler/simt/barriers/coarsen_searches.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>

#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/analysis/uniformity.h"
#include "device/kernel_abi.h"

namespace weft::compiler::simt {
namespace {

constexpr unsigned kMostSearchWarps = 8;
/// Of a loop, and of all code outside of loops, which all warps of a body run where one alone may have skipped it.
constexpr unsigned kMostInSearch = 40, kMostOutside = 80;
/// From the comparison to the masks of the next iteration.
constexpr double kMaskLatency = 4;

/// What an iteration costs.
class Iteration {
 public:
  Iteration(const llvm::Loop& loop, const Shapes& shapes, const target::Costs& costs) : costs_(costs) {
    llvm::DenseMap<const llvm::Value*, double> ready;
    for (const llvm::BasicBlock* block : loop.blocks())
      for (const llvm::Instruction& instruction : *block) {
        if (instruction.getType()->isVoidTy() || shapes[instruction].is_affine()) continue;
        const bool is_phi = llvm::isa<llvm::PHINode>(instruction);
        double start = 0;
        if (!is_phi)
          for (const llvm::Value* operand : instruction.operands()) start = std::max(start, ready.lookup(operand));
        ready[&instruction] = start + costs.latency(instruction, target::Costs::Form::kVector);
        cycles_ = std::max(cycles_, ready[&instruction]);
        if (!instruction.getType()->isIntegerTy(1) || llvm::isa<llvm::CmpInst>(instruction)) operations_.push_back(&instruction);
      }
  }

  /// Cycles until masks of the next iteration are there.
  double cycles() const { return cycles_ + kMaskLatency; }
  /// Operations on registers, of so many lanes.
  double operations(unsigned lanes) const {
    double sum = 0;
    for (const llvm::Instruction* instruction : operations_) {
      const bool compares = llvm::isa<llvm::CmpInst>(instruction);
      sum += costs_.registers(compares ? *instruction->getOperand(0)->getType() : *instruction->getType(), lanes);
    }
    return sum;
  }

 private:
  const target::Costs& costs_;
  double cycles_ = 0;
  llvm::SmallVector<const llvm::Instruction*, 16> operations_;
};

/// Whether lanes leave `loop` one by one, which reads nothing but neighbours, writes nothing, and has nothing of a lane's own but who
/// stays.
bool is_search(const llvm::Loop& loop, const Shapes& shapes, llvm::UniformityInfo& uniformity) {
  // Sums of a lane's own wait for themselves, not for what is loaded.
  for (const llvm::PHINode& phi : loop.getHeader()->phis())
    if (!phi.getType()->isIntegerTy(1) && !shapes[phi].is_affine()) return false;
  unsigned instructions = 0;
  bool divergent = false;
  for (const llvm::BasicBlock* block : loop.blocks()) {
    instructions += static_cast<unsigned>(block->sizeWithoutDebug());
    divergent |= loop.isLoopExiting(block) && uniformity.hasDivergentTerminator(*block);
    for (const llvm::Instruction& instruction : *block) {
      if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
        if (!is_in_a_row(*load, shapes)) return false;
      } else if (instruction.mayReadOrWriteMemory() ||
                 (llvm::isa<llvm::CallBase>(instruction) && !llvm::isa<llvm::IntrinsicInst>(instruction))) {
        return false;
      }
    }
  }
  return divergent && instructions <= kMostInSearch;
}

}  // namespace

bool is_in_a_row(const llvm::LoadInst& load, const Shapes& shapes) {
  const Shape shape = shapes[*load.getPointerOperand()];
  const auto size = load.getModule()->getDataLayout().getTypeStoreSize(load.getType()).getFixedValue();
  return !load.isAtomic() && shape.is_affine() && shape.segment == shapes.lanes() &&
         (shape.stride == 0 || shape.stride == static_cast<std::int64_t>(size));
}

unsigned warps_of_searches(llvm::Function& region, const llvm::LoopInfo& loops, const Shapes& shapes, std::uint32_t items,
                           const target::Costs& costs, Analyses& analyses) {
  llvm::UniformityInfo& uniformity = analyses.uniformity(region);
  llvm::SmallVector<Iteration, 2> iterations;
  for (const llvm::Loop* loop : loops) {
    if (!loop->isInnermost() || !is_search(*loop, shapes, uniformity)) return 0;
    iterations.emplace_back(*loop, shapes, costs);
  }
  unsigned outside = 0;
  for (const llvm::BasicBlock& block : region) {
    if (!loops.getLoopFor(&block)) outside += static_cast<unsigned>(block.sizeWithoutDebug());
    if (llvm::any_of(block, llvm::IsaPred<llvm::AllocaInst>)) return 0;
  }
  if (outside > kMostOutside) return 0;
  const auto fits = [&](unsigned warps) {
    return llvm::all_of(iterations, [&](const Iteration& iteration) {
      return iteration.operations(warps * abi::kWarpSize) <= target::kVectorsEachCycle * iteration.cycles();
    });
  };
  unsigned warps = 1;
  while (warps < kMostSearchWarps && items % (2 * warps * abi::kWarpSize) == 0 && fits(2 * warps)) warps *= 2;
  return warps;
}

}  // namespace weft::compiler::simt
