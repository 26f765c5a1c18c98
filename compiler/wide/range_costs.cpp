// Whether register blocks of a range gain: its traffic, and the chains that wait for themselves in each.
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <cstdint>

#include "compiler/target/costs.h"
#include "compiler/target/target.h"
#include "compiler/wide/splittable_range.h"

namespace weft::compiler::wide {

using llvm::Instruction;
using llvm::Value;

namespace {

/// Operations of a register block, beside their loads and stores, of which a processor has the next block's under way while they wait.
constexpr unsigned kMostAhead = 64;

}  // namespace

/// The longest dependence chain of the range, in cycles. Loads wait for none of it.
unsigned SplittableRange::depth() const {
  llvm::DenseMap<const Value*, double> ready;
  double most = 0;
  for (const Instruction* instruction : instructions_) {
    double from = 0;
    if (llvm::isa<llvm::PHINode, llvm::StoreInst>(instruction)) continue;
    for (const Value* operand : instruction->operands())
      if (const auto found = ready.find(operand); found != ready.end()) from = std::max(from, found->second);
    most = std::max(most, ready[instruction] = from + (llvm::isa<llvm::LoadInst>(instruction) ? 0 : costs_->latency(*instruction, target::Costs::Form::kVector)));
  }
  return static_cast<unsigned>(most);
}

/// The operations of the longest chain in a range of integers; 0 if it is of others, too.
unsigned SplittableRange::integer_depth() const {
  llvm::DenseMap<const Value*, unsigned> ready;
  unsigned most = 0;
  for (const Instruction* instruction : instructions_) {
    if (llvm::isa<llvm::PHINode, llvm::StoreInst>(instruction)) continue;
    if (!instruction->getType()->isIntOrIntVectorTy()) return 0;
    unsigned from = 0;
    for (const Value* operand : instruction->operands()) from = std::max(from, ready.lookup(operand));
    ready[instruction] = from + (llvm::isa<llvm::LoadInst, llvm::CastInst>(instruction) ? 0 : 1);
    most = std::max(most, ready[instruction]);
  }
  return most;
}

/// Register blocks of a range of `pieces`, where `blocks` would fit the registers: fewer, where a chain of integers waits for itself in
/// each. What they spill beside one another is read as operands, as words of a hash's message are, up to some times what the registers
/// hold (`registers`: of all).
unsigned SplittableRange::blocks_with_chains_beside(unsigned blocks, unsigned pieces, unsigned registers) const {
  constexpr unsigned kMostSpills = 4;
  const unsigned beside = costs_->operations_beside_chain(), chain = beside ? integer_depth() : 0, all = operations();
  if (chain == 0) return blocks;
  for (unsigned fewer = std::min(blocks, pieces); fewer > 1;) {
    if (all / fewer >= beside * chain) break;
    fewer = llvm::divideCeil(fewer, 2);
    if (llvm::divideCeil(registers, fewer) > kMostSpills * register_count()) break;
    blocks = fewer;
  }
  return blocks;
}

/// Whether the range computes at least as much as it reads and writes; else register blocks would only move the traffic.
bool SplittableRange::computes_enough() const {
  if (loop_) return true;
  unsigned traffic = 0;
  llvm::SmallPtrSet<const Value*, 32> seen;
  for (unsigned i = 0; i < instructions_.size(); ++i) {
    const Instruction& instruction = *instructions_[i];
    const unsigned pieces = groups_[group_[i]].pieces;
    if (is_result(instruction)) traffic += pieces;
    if (llvm::isa<llvm::LoadInst>(instruction)) continue;
    for (const Value* operand : instruction.operands())
      if (vector_of(*operand) && !llvm::isa<llvm::Constant>(operand) && !contains(operand) && !is_broadcast(*operand) &&
          !(has_lines_ && is_put_together(*operand)) && seen.insert(operand).second)
        traffic += pieces;
  }
  return operations() >= traffic;
}

/// A register block has fewer chains side by side: waiting for its own results may cost more than spilling.
bool SplittableRange::worth_splitting(unsigned blocks) const {
  using target::kVectorsEachCycle;
  const unsigned whole = peak(nullptr), chain = depth();
  if (loop_) {  // each iteration waits for the one before
    // LLVM orders the pieces of an iteration one after the other where that takes fewer registers than all of them side by side.
    const unsigned spilled = std::min(spills(), 2 * (std::max(peak_in_turn(), register_count()) - register_count()));
    const unsigned together = std::max(operations() / kVectorsEachCycle, chain) + spilled / kVectorsEachCycle;
    return blocks * std::max(operations() / blocks / kVectorsEachCycle, chain) < together;
  }
  if ((has_stores_ || has_lines_) && operations() <= kMostAhead * blocks) return true;
  // Two operations start in a cycle; spilling the value of one takes about a cycle.
  const std::uint64_t spilled = std::uint64_t{operations()} * (2 * whole - register_count()) / (2 * whole);
  return spilled >= std::uint64_t{chain} * blocks;
}

}  // namespace weft::compiler::wide
