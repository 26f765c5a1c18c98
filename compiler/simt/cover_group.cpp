#include "compiler/simt/cover_group.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <bit>

#include "compiler/simt/shape.h"
#include "compiler/simt/uniformity.h"
#include "device/kernel_abi.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

constexpr unsigned kLargestCover = 8;
/// Instructions of an item function times J up to which a body of more than one warp is worth its compilation.
constexpr unsigned kMaxInstructions = 3000;

bool is_barrier(const Instruction& instruction) { return called_name(instruction) == primitive::kBarrier; }

/// Blocks that a divergent branch may have some lanes enter without the others, before all of them meet again.
llvm::SmallPtrSet<BasicBlock*, 16> divergent_blocks(llvm::Function& item, llvm::UniformityInfo& uniformity) {
  const llvm::PostDominatorTree post_dominators(item);
  llvm::SmallPtrSet<BasicBlock*, 16> result;
  for (BasicBlock& block : item) {
    if (!uniformity.hasDivergentTerminator(block)) continue;
    const llvm::DomTreeNode* node = post_dominators.getNode(&block);
    const BasicBlock* join = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    llvm::SmallPtrSet<BasicBlock*, 16> seen;
    llvm::SmallVector<BasicBlock*, 16> pending(llvm::successors(&block));
    while (!pending.empty()) {
      BasicBlock* next = pending.pop_back_val();
      if (next == join || !seen.insert(next).second) continue;
      llvm::append_range(pending, llvm::successors(next));
    }
    result.insert(seen.begin(), seen.end());
  }
  return result;
}

/// Whether `value` is a constant in each lane: computed from local ids and constants alone.
bool is_known_by_lane(const Value* value, unsigned depth = 0) {
  constexpr unsigned kDeepest = 8;
  if (llvm::isa<llvm::ConstantInt>(value)) return true;
  const auto* instruction = llvm::dyn_cast<Instruction>(value);
  if (!instruction || depth > kDeepest) return false;
  if (called_name(*instruction).starts_with(primitive::kLocalId)) return true;
  if (!llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::ICmpInst, llvm::SelectInst>(instruction)) return false;
  return llvm::all_of(instruction->operands(),
                      [&](const llvm::Use& operand) { return is_known_by_lane(operand, depth + 1); });
}

bool may_jam(llvm::Function& item, llvm::UniformityInfo& uniformity) {
  if (has_lane_loop(item)) return false;
  for (const Instruction& instruction : llvm::instructions(item)) {
    if (llvm::isa<llvm::AllocaInst>(instruction)) return false;  // memory on the stack, times the lanes
    if (!instruction.isTerminator() || !uniformity.hasDivergentTerminator(*instruction.getParent())) continue;
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction);
    if (!branch || !is_known_by_lane(branch->getCondition())) return false;
  }
  return true;
}

}  // namespace

unsigned choose_cover(llvm::Function& item, const Specialization& specialization, const VectorRegisters& registers,
                      unsigned forced, Analyses& analyses) {
  const auto& size = specialization.local_size;
  const std::uint32_t items = size[0] * size[1] * size[2];
  if (!items) return 0;
  const unsigned jam = llvm::divideCeil(items, abi::kWarpSize);
  if (forced ? items > forced * abi::kWarpSize
             : jam > kLargestCover || !std::has_single_bit(jam) || (jam > 1 && items % abi::kWarpSize != 0))
    return 0;
  if (llvm::none_of(llvm::instructions(item), is_barrier)) return 0;
  analyses.invalidate(item);
  llvm::UniformityInfo& uniformity = analyses.uniformity(item);
  const auto divergent = divergent_blocks(item, uniformity);
  if (llvm::any_of(llvm::instructions(item), [&](Instruction& instruction) {
        return is_barrier(instruction) && divergent.contains(instruction.getParent());
      }))
    return 0;
  if (forced) return forced;
  if (jam == 1) return 1;
  if (item.getInstructionCount() * jam > kMaxInstructions || !may_jam(item, uniformity)) return 0;
  const Shapes shapes(item, specialization, abi::kWarpSize, [](unsigned) { return 0u; });
  return jam * vector_pressure(item, shapes, registers) + kTemporaryRegisters <= registers.count ? jam : 0;
}

void drop_barriers(llvm::Function& item, Analyses& analyses) {
  for (Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(item)))
    if (is_barrier(instruction)) instruction.eraseFromParent();
  analyses.invalidate(item);
}

}  // namespace weft::compiler::simt
