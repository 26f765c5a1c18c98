#include "compiler/simt/barriers/coarsen_chains.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>

#include "compiler/simt/analysis/pressure.h"
#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/barriers/coarsen.h"
#include "compiler/simt/barriers/coarsen_searches.h"
#include "device/kernel_abi.h"

namespace weft::compiler::simt {
namespace {

constexpr unsigned kMostChainWarps = 4;
/// Operations of a body for each of its chain; measured on Zen 4 with steps like MD5's (xor, three sums, a rotation): chains beside each
/// other take 6, 3.5 to 3.7, 3 and 2.5 to 2.8 cycles a step and chain if they are one to four, where 2.5 are spent on what they compute.
constexpr unsigned kEnough = 4;
/// Operations of a chain: below, a loop waits for other things as well.
constexpr unsigned kLongChain = 64;
/// So many operations, one after the other, make of a number one that equals another by chance.
constexpr unsigned kMixing = 16;
/// The registers that a loop's values may want, as a multiple of those there are.
constexpr double kChainSpills = 2.5;
/// Of a loop, for several warps: what is worth its compilation.
constexpr unsigned kMostInChains = 20000;

/// A loop and what is inside it, as most iterations run it.
class ChainLoop {
 public:
  ChainLoop(const llvm::Loop& loop, const llvm::DominatorTree& dominators, const Shapes& shapes, const target::Costs& costs)
      : dominators_(dominators), shapes_(shapes), costs_(costs) {
    llvm::SmallVector<const llvm::BasicBlock*, 16> blocks;
    for (const llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<const llvm::Function*>(loop.getHeader()->getParent()))
      if (loop.contains(block)) blocks.push_back(block);
    for (const llvm::BasicBlock* block : blocks) {
      if (is_rare(*block)) continue;
      usual_.insert(block);
      for (const llvm::Instruction& instruction : *block) add(instruction);
      const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
      if (!branch || !branch->isConditional()) continue;
      for (const bool value : {true, false})
        if (equals_mixed(*branch->getCondition(), value)) rare_.emplace_back(block, branch->getSuccessor(value ? 0 : 1));
    }
  }

  /// Whether all that it does is the same for all lanes, as copying to local memory what all of them read.
  bool is_uniform() const { return is_uniform_; }
  /// Whether it is of integers, and reads nothing but neighbours.
  bool is_chain() const { return is_pure_ && chain_ >= kLongChain; }
  unsigned chain() const { return chain_; }
  /// On registers, of one warp.
  double operations() const { return operations_; }
  bool is_usual(const llvm::BasicBlock& block) const { return usual_.contains(&block); }
  /// Whether `block` is run where mixed numbers are equal alone.
  bool is_rare(const llvm::BasicBlock& block) const {
    return llvm::any_of(rare_, [&](const llvm::BasicBlockEdge& edge) { return dominators_.dominates(edge, &block); });
  }
  bool leads_to_rare(const llvm::BranchInst& branch) const {
    return llvm::any_of(rare_, [&](const llvm::BasicBlockEdge& edge) { return edge.getStart() == branch.getParent(); });
  }

 private:
  void add(const llvm::Instruction& instruction) {
    const auto is_uniform = [&](const llvm::Value* operand) { return llvm::isa<llvm::BasicBlock>(operand) || shapes_.is_uniform(*operand); };
    is_uniform_ &= !llvm::isa<llvm::CallBase>(instruction) && llvm::all_of(instruction.operand_values(), is_uniform);
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      is_pure_ &= is_in_a_row(*load, shapes_);
      return;
    }
    if (instruction.isTerminator()) return;
    if (llvm::isa<llvm::PHINode>(instruction)) {  // of the iteration before nothing is known
      depth_[&instruction] = depth_of_operands(instruction);
      return;
    }
    const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (call && call->isAssumeLikeIntrinsic()) return;
    const bool is_opaque = instruction.mayReadOrWriteMemory() || (llvm::isa<llvm::CallBase>(instruction) && !call);
    if (!is_opaque && (shapes_[instruction].is_affine() || instruction.getType()->isIntegerTy(1))) return;
    is_pure_ &= !is_opaque && instruction.getType()->isIntOrIntVectorTy();
    if (!is_pure_) return;
    const bool is_cast = llvm::isa<llvm::CastInst>(instruction);
    chain_ = std::max(chain_, depth_[&instruction] = depth_of_operands(instruction) + (is_cast ? 0 : 1));
    if (!is_cast) operations_ += costs_.registers(*instruction.getType(), abi::kWarpSize);
  }

  unsigned depth_of_operands(const llvm::Instruction& instruction) const {
    unsigned depth = 0;
    for (const llvm::Value* operand : instruction.operand_values()) depth = std::max(depth, depth_.lookup(operand));
    return depth;
  }

  /// Whether `condition` is `value` only where a number that was mixed equals another one.
  bool equals_mixed(const llvm::Value& condition, bool value) const {
    using namespace llvm::PatternMatch;
    const llvm::Value *a = nullptr, *b = nullptr;
    if (value ? match(&condition, m_LogicalAnd(m_Value(a), m_Value(b))) : match(&condition, m_LogicalOr(m_Value(a), m_Value(b))))
      return equals_mixed(*a, value) || equals_mixed(*b, value);
    if (match(&condition, m_Not(m_Value(a)))) return equals_mixed(*a, !value);
    const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&condition);
    if (!compare || compare->getPredicate() != (value ? llvm::ICmpInst::ICMP_EQ : llvm::ICmpInst::ICMP_NE)) return false;
    const llvm::Type* type = compare->getOperand(0)->getType();
    return type->isIntegerTy() && type->getIntegerBitWidth() >= 32 &&
           llvm::any_of(compare->operands(), [&](const llvm::Value* operand) { return depth_.lookup(operand) >= kMixing; });
  }

  const llvm::DominatorTree& dominators_;
  const Shapes& shapes_;
  const target::Costs& costs_;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> usual_;
  llvm::SmallVector<llvm::BasicBlockEdge, 4> rare_;
  llvm::DenseMap<const llvm::Value*, unsigned> depth_;  ///< operations up to a value
  bool is_uniform_ = true, is_pure_ = true;
  unsigned chain_ = 0;
  double operations_ = 0;
};

using ChainLoops = llvm::SmallVector<ChainLoop, 2>;

/// Adds the outermost loops of chains of `loop` and what is inside it. Whether there is nothing else, but what all lanes do alike.
bool add_chains(const llvm::Loop& loop, const llvm::DominatorTree& dominators, const Shapes& shapes, const target::Costs& costs, ChainLoops& chains) {
  ChainLoop whole(loop, dominators, shapes, costs);
  if (whole.is_uniform()) return true;
  if (whole.is_chain()) {
    chains.push_back(std::move(whole));
    return true;
  }
  return !loop.isInnermost() &&
         llvm::all_of(loop, [&](const llvm::Loop* inner) { return add_chains(*inner, dominators, shapes, costs, chains); });
}

}  // namespace

unsigned warps_of_chains(llvm::Function& region, const llvm::DominatorTree& dominators, const llvm::LoopInfo& loops, const Shapes& shapes,
                         std::uint32_t items, const VectorTraits& vectors, const target::Costs& costs, Analyses& analyses) {
  ChainLoops chains;
  if (!llvm::all_of(loops, [&](const llvm::Loop* loop) { return add_chains(*loop, dominators, shapes, costs, chains); }) || chains.empty())
    return 0;
  for (const llvm::BasicBlock& block : region) {
    if (llvm::any_of(block, llvm::IsaPred<llvm::AllocaInst>)) return 0;
    if (has_serial_work(block) && llvm::none_of(chains, [&](const ChainLoop& chain) { return chain.is_rare(block); })) return 0;
  }
  const auto is_usual = [&](const llvm::Instruction& instruction) {
    return llvm::any_of(chains, [&](const ChainLoop& chain) { return chain.is_usual(*instruction.getParent()); });
  };
  const unsigned pressure = vector_pressure(region, shapes, vectors, [&](const llvm::Instruction& instruction) { return !is_usual(instruction); });
  const auto wants_more = [&](unsigned warps) {
    return 2 * warps * pressure + target::kTemporaryRegisters <= kChainSpills * vectors.registers &&
           llvm::all_of(chains, [&](const ChainLoop& chain) {
             return warps * chain.operations() < kEnough * chain.chain() && 2 * warps * chain.operations() <= kMostInChains;
           });
  };
  unsigned warps = 1;
  while (warps < kMostChainWarps && items % (2 * warps * abi::kWarpSize) == 0 && wants_more(warps)) warps *= 2;
  if (warps == 1) return 0;
  const bool parts = warps_part(region, loops, shapes, analyses, kMostSkipped, [&](const llvm::BranchInst& branch) {
    return llvm::any_of(chains, [&](const ChainLoop& chain) { return chain.leads_to_rare(branch) || chain.is_rare(*branch.getParent()); });
  });
  return parts ? 0 : warps;
}

}  // namespace weft::compiler::simt
