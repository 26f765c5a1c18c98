#include "compiler/simt/item/predicated_blocks.h"

#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/ir/sub_groups.h"
#include "compiler/simt/item/specialize_images.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace weft::compiler::simt {
namespace {

constexpr unsigned kMostDivergent = 7;
constexpr unsigned kMostUniform = 4;
/// Of a division or remainder of integers, which no GPU has an instruction for: at least this many.
constexpr unsigned kDivision = 6;

/// A block that does nothing but end the work-item.
bool is_exit(const llvm::BasicBlock& block) {
  return llvm::isa<llvm::ReturnInst>(block.getTerminator()) && block.getFirstNonPHIOrDbg() == block.getTerminator();
}

unsigned instructions_of(const llvm::BasicBlock& block) {
  unsigned count = 0;
  for (const llvm::Instruction& instruction : block) {
    if (is_of_image_unit(instruction) && called_name(instruction) != primitive::kCountTexel) continue;
    switch (instruction.getOpcode()) {
      case llvm::Instruction::Load:
      case llvm::Instruction::Store:
      case llvm::Instruction::AtomicRMW:
      case llvm::Instruction::AtomicCmpXchg: ++count; break;
      case llvm::Instruction::UDiv:
      case llvm::Instruction::SDiv:
      case llvm::Instruction::URem:
      case llvm::Instruction::SRem: count += kDivision; break;
      case llvm::Instruction::GetElementPtr:
      case llvm::Instruction::SExt:
      case llvm::Instruction::ZExt:
      case llvm::Instruction::Trunc: break;  // part of an address
      case llvm::Instruction::Br: count += llvm::cast<llvm::BranchInst>(instruction).isConditional(); break;
      default: count += arithmetic_operations(instruction); break;
    }
  }
  return count;
}

/// What a predicate cannot stand before.
bool has_calls(const llvm::BasicBlock& block) {
  return llvm::any_of(block, [](const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    return call && !llvm::isa<llvm::IntrinsicInst>(call) && !call->doesNotAccessMemory() &&
           called_name(*call) != primitive::kCountTexel;
  });
}

}  // namespace

unsigned arithmetic_operations(const llvm::Instruction& instruction) {
  if (const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) return !gep->hasAllConstantIndices();
  switch (instruction.getOpcode()) {
    case llvm::Instruction::PHI:
    case llvm::Instruction::Freeze:
    case llvm::Instruction::BitCast:
    case llvm::Instruction::AddrSpaceCast:
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::IntToPtr:
    case llvm::Instruction::Alloca:
    case llvm::Instruction::ExtractElement:
    case llvm::Instruction::InsertElement:
    case llvm::Instruction::ShuffleVector:
    case llvm::Instruction::ExtractValue:
    case llvm::Instruction::InsertValue:
    case llvm::Instruction::Fence:
    case llvm::Instruction::Ret:
    case llvm::Instruction::Br:
    case llvm::Instruction::Unreachable: return 0;
    default: break;
  }
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
    if (intrinsic->isAssumeLikeIntrinsic() || intrinsic->getType()->isVoidTy()) return 0;
  // A GPU has shuffles, votes and broadcasts; what combines 32 lanes is five shuffles and five operations.
  if (const auto call = sub_group_call(instruction); call && call->operation != SubGroupCall::Operation::kNone) return 10;
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(instruction.getType());
  return vector ? vector->getNumElements() : 1;
}

PredicatedBlocks::PredicatedBlocks(llvm::Function& item, const llvm::UniformityInfo& uniformity, const llvm::PostDominatorTree& ends,
                                   const llvm::LoopInfo& loops)
    : ends_(ends), loops_(loops) {
  for (const llvm::BasicBlock& block : item) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (!branch || !branch->isConditional()) continue;
    if (llvm::any_of(branch->successors(), [&](const llvm::BasicBlock* to) { return loops.isLoopHeader(to) && loops.getLoopFor(to)->contains(&block); }))
      continue;
    if (is_exit(*branch->getSuccessor(0)) || is_exit(*branch->getSuccessor(1)))
      predicates_.insert(branch);
    else
      look_at(*branch, uniformity.isDivergent(branch->getCondition()) ? kMostDivergent : kMostUniform);
  }
}

void PredicatedBlocks::look_at(const llvm::BranchInst& branch, unsigned most) {
  const llvm::BasicBlock* from = branch.getParent();
  const auto* node = ends_.getNode(from);
  const llvm::BasicBlock* join = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  if (!join) return;
  llvm::SmallSetVector<const llvm::BasicBlock*, 8> body;
  unsigned count = 0;
  const auto enter = [&](const llvm::BasicBlock* block) {
    if (block == join || !body.insert(block)) return;
    count += instructions_of(*block);
  };
  for (const llvm::BasicBlock* successor : llvm::successors(from)) enter(successor);
  for (unsigned i = 0; i < body.size(); ++i) {
    if (loops_.getLoopFor(body[i]) != loops_.getLoopFor(from) || count > most || has_calls(*body[i])) return;
    for (const llvm::BasicBlock* successor : llvm::successors(body[i])) enter(successor);
  }
  if (body.empty() || body.contains(from)) return;
  predicates_.insert(&branch);
  for (const llvm::BasicBlock* block : body)
    if (!conditions_.contains(block)) conditions_[block] = from;
}

}  // namespace weft::compiler::simt
