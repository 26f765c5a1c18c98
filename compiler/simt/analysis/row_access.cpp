#include "compiler/simt/analysis/row_access.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <utility>

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/simt/analysis/item_steps.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/primitives.h"
#include "device/kernel_abi.h"

namespace weft::compiler::simt {
namespace {

/// Farther apart, two work-items side by side share no line of the cache.
constexpr std::int64_t kLine = 64;

/// A call that stands for more than arithmetic.
bool may_access_memory(const llvm::CallInst& call) {
  return call.mayReadOrWriteMemory() && !llvm::isa<llvm::DbgInfoIntrinsic>(call) && !call.isLifetimeStartOrEnd();
}

bool lies_beside(const Step& step) { return step.kind == Step::kBy && std::abs(step.local) <= kLine; }

/// What a loop repeats counts as often as this.
constexpr double kIterations = 8;
/// Of a warp: an access to one line after the other, in accesses of lanes side by side, and one to lines of which nothing is known.
constexpr double kFarAccess = 16, kOtherAccess = 8;
/// What has to be left of the time along x.
constexpr double kGainOfTurning = 0.5;

/// About how long a warp along `dimension` takes for its accesses to global memory.
struct DimensionCosts {
  DimensionCosts(const llvm::Function& kernel, unsigned dimension) {
    const ItemSteps steps(kernel, dimension, StepScope::kWithinBounds);
    const llvm::DominatorTree dominators(const_cast<llvm::Function&>(kernel));
    const llvm::LoopInfo loops(dominators);
    for (const llvm::Instruction& instruction : llvm::instructions(kernel)) {
      const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
      const unsigned space = pointer ? pointer->getType()->getPointerAddressSpace() : kPrivateSpace;
      if (space != kGlobalSpace && space != kConstantSpace) continue;
      const Step step = steps.of(pointer);
      const bool is_far = step.kind == Step::kFar || (step.kind == Step::kBy && !lies_beside(step));
      has_far |= is_far;
      has_beside |= lies_beside(step);
      const double one = is_far ? kFarAccess : step.kind == Step::kSame || lies_beside(step) ? 1 : kOtherAccess;
      cost += one * std::pow(kIterations, std::min(loops.getLoopDepth(instruction.getParent()), 3u));
    }
  }

  double cost = 0;
  bool has_far = false, has_beside = false;
};

bool asks_for_id(const llvm::Function& kernel, unsigned dimension) {
  return llvm::any_of(llvm::instructions(kernel), [&](const llvm::Instruction& instruction) {
    const llvm::StringRef name = called_name(instruction);
    return (name.starts_with(primitive::kGlobalId) || name.starts_with(primitive::kLocalId)) && name.back() == static_cast<char>('x' + dimension);
  });
}

/// Whether work-items side by side leave a loop after numbers of iterations that need not be near each other, as far as `steps` tell.
bool has_ragged_loops(const llvm::LoopInfo& loops, const ItemSteps& steps) {
  return llvm::any_of(loops.getLoopsInPreorder(), [&](const llvm::Loop* loop) {
    llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
    loop->getExitingBlocks(exiting);
    return llvm::any_of(exiting, [&](const llvm::BasicBlock* block) {
      const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
      const auto* condition = branch && branch->isConditional() ? llvm::dyn_cast<llvm::CmpInst>(branch->getCondition()) : nullptr;
      return !condition || llvm::any_of(condition->operands(), [&](const llvm::Use& operand) { return steps.of(operand).kind == Step::kOther; });
    });
  });
}

}  // namespace

PreferredRows preferred_rows(const llvm::Function& kernel) {
  const ItemSteps steps(kernel, 0, StepScope::kIterations);
  const llvm::DominatorTree dominators(const_cast<llvm::Function&>(kernel));
  const llvm::LoopInfo loops(dominators);
  bool has_rows = false, is_plain = true, streams = true, marches = !loops.empty();
  for (const llvm::Instruction& instruction : llvm::instructions(kernel)) {
    if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
      if (is_barrier(*call)) continue;
      const bool is_image = called_name(*call).starts_with(primitive::kImageFunction);
      has_rows |= is_image;
      is_plain &= !is_image && !may_access_memory(*call);
      continue;
    }
    is_plain &= !llvm::isa<llvm::AllocaInst>(instruction) && !instruction.isAtomic();
    const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (!pointer || pointer->getType()->getPointerAddressSpace() == kPrivateSpace) continue;
    // Of kernels with local memory, those that may lose it are asked about.
    if (pointer->getType()->getPointerAddressSpace() == kLocalSpace) continue;
    const Step step = steps.of(pointer);
    const bool is_far = step.kind == Step::kBy && (std::abs(step.local) > kLine || std::abs(step.group) > kLine);
    if (step.kind == Step::kFar || is_far) return {};
    has_rows |= step.kind == Step::kBy;
    marches &= !llvm::isa<llvm::StoreInst>(instruction) || loops.getLoopFor(instruction.getParent());
    streams &= step.kind == Step::kSame || (step.kind == Step::kBy && step.local == step.group);
  }
  if (!has_rows) return {};
  streams &= is_plain;
  marches &= is_plain;
  const std::uint32_t of_any = marches || (streams && loops.empty()) ? kLongRow : abi::kWarpSize;
  return {of_any, streams ? kLongRow : has_ragged_loops(loops, steps) ? of_any : std::max(of_any, kSingleRow)};
}

bool lies_along_y(const llvm::Function& kernel) {
  const ItemSteps along_x(kernel, 0, StepScope::kWithinGroup);
  llvm::SmallVector<const llvm::Value*, 16> far;
  std::ptrdiff_t beside = 0;
  for (const llvm::Instruction& instruction : llvm::instructions(kernel)) {
    const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (!pointer || pointer->getType()->getPointerAddressSpace() != kGlobalSpace) continue;
    const Step step = along_x.of(pointer);
    if (lies_beside(step))
      ++beside;
    else if (step.kind == Step::kFar || step.kind == Step::kBy)
      far.push_back(pointer);
  }
  if (std::ssize(far) <= beside) return false;
  const ItemSteps along_y(kernel, 1, StepScope::kWithinGroup);
  return llvm::count_if(far, [&](const llvm::Value* pointer) { return lies_beside(along_y.of(pointer)); }) > beside;
}

unsigned nearest_dimension(const llvm::Function& kernel) {
  const DimensionCosts along_x(kernel, 0);
  if (!along_x.has_far) return 0;
  unsigned nearest = 0;
  double least = kGainOfTurning * along_x.cost;
  for (const unsigned dimension : {1u, 2u}) {
    if (!asks_for_id(kernel, dimension)) continue;
    const DimensionCosts along(kernel, dimension);
    if (!along.has_beside || along.cost >= least) continue;
    nearest = dimension;
    least = along.cost;
  }
  return nearest;
}

}  // namespace weft::compiler::simt
