#include "compiler/simt/stack_groups.h"

#include <algorithm>
#include <bit>

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

#include "compiler/simt/address_spaces.h"
#include "compiler/simt/divergent_blocks.h"
#include "compiler/simt/region_induction.h"
#include "compiler/simt/uniformity.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

/// Instructions of a work-item in a turn: enough that its beginning and end are little beside it, so few that what it reads
/// stays in the second-level cache until the other groups of the stack have had their turns.
constexpr unsigned kTurn = 1536;
constexpr unsigned kMostRounds = 64;

bool is_barrier(const Instruction& instruction) { return called_name(instruction) == primitive::kBarrier; }

bool reads_global_memory(const llvm::Loop& loop) {
  return llvm::any_of(loop.blocks(), [](const BasicBlock* block) {
    return llvm::any_of(*block, [](const Instruction& instruction) {
      const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      return load && load->getPointerAddressSpace() == kGlobalSpace;
    });
  });
}

/// Instructions of one round of `loop`, `most` at most. Inner loops of an unknown count take them all.
unsigned length_of_round(const llvm::Loop& loop, llvm::ScalarEvolution& evolution, unsigned most) {
  std::uint64_t length = 0;
  for (const BasicBlock* block : loop.blocks()) length += block->sizeWithoutDebug();
  for (const llvm::Loop* inner : loop) {
    const unsigned count = evolution.getSmallConstantTripCount(inner);
    if (count == 0) return most;
    length += std::uint64_t{count - 1} * length_of_round(*inner, evolution, most);
  }
  return static_cast<unsigned>(std::min<std::uint64_t>(length, most));
}

/// Rounds of a turn; 0: `loop` is not to be cut.
unsigned rounds_of_turn(const llvm::Loop& loop, unsigned turn, llvm::ScalarEvolution& evolution,
                        llvm::UniformityInfo& uniformity, const DivergentBlocks& divergent) {
  if (!loop.isLoopSimplifyForm() || !reads_global_memory(loop) || divergent.contains(loop.getHeader())) return 0;
  llvm::SmallVector<BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  if (llvm::any_of(exiting, [&](BasicBlock* block) { return uniformity.hasDivergentTerminator(*block); })) return 0;
  const unsigned rounds = std::min(std::bit_floor(turn / length_of_round(loop, evolution, turn)), kMostRounds);
  const unsigned count = evolution.getSmallConstantTripCount(&loop);
  return count != 0 && count <= rounds ? 0 : rounds;
}

llvm::CallInst* insert_barrier(BasicBlock& block) {
  llvm::IRBuilder<> builder(&block);
  llvm::FunctionCallee callee =
      block.getModule()->getOrInsertFunction(primitive::kBarrier, builder.getVoidTy(), builder.getInt32Ty());
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  function->setConvergent();
  function->setDoesNotThrow();
  llvm::CallInst* call = builder.CreateCall(callee, builder.getInt32(0));
  call->setConvergent();
  return call;
}

/// A loop of `rounds` rounds within a loop of turns, which begin with a barrier.
void cut(llvm::Loop& loop, unsigned rounds) {
  BasicBlock* header = loop.getHeader();
  BasicBlock* before = loop.getLoopPreheader();
  BasicBlock* latch = loop.getLoopLatch();
  llvm::LLVMContext& context = header->getContext();
  BasicBlock* turn = BasicBlock::Create(context, "turn", header->getParent(), header);
  BasicBlock* round = BasicBlock::Create(context, "round", header->getParent(), latch->getNextNode());
  insert_barrier(*turn);
  llvm::BranchInst::Create(header, turn);

  before->getTerminator()->replaceSuccessorWith(header, turn);
  latch->getTerminator()->replaceSuccessorWith(header, round);
  for (llvm::PHINode& phi : header->phis()) {
    llvm::PHINode* outer = llvm::PHINode::Create(phi.getType(), 2, phi.getName() + ".turn", turn->begin());
    outer->addIncoming(phi.getIncomingValueForBlock(before), before);
    outer->addIncoming(phi.getIncomingValueForBlock(latch), round);
    phi.setIncomingValueForBlock(before, outer);
    phi.replaceIncomingBlockWith(before, turn);
    phi.replaceIncomingBlockWith(latch, round);
  }
  llvm::IRBuilder<> builder(header, header->begin());
  llvm::PHINode* left = builder.CreatePHI(builder.getInt32Ty(), 2, "rounds.left");
  builder.SetInsertPoint(round);
  Value* after = builder.CreateSub(left, builder.getInt32(1), "", /*HasNUW=*/true);
  builder.CreateCondBr(builder.CreateICmpEQ(after, builder.getInt32(0)), turn, header);
  left->addIncoming(builder.getInt32(rounds), turn);
  left->addIncoming(after, round);
}

}  // namespace

std::uint32_t stack_groups(llvm::Function& item, const Specialization& specialization, unsigned turn, Analyses& analyses) {
  if (specialization.stack == 1 || specialization.local_size[0] == 0) return 1;
  for (const Instruction& instruction : llvm::instructions(item)) {
    if (is_barrier(instruction)) return 1;
    // Private memory of a whole stack is more than a near cache holds.
    if (turn == 0 && llvm::isa<llvm::AllocaInst>(instruction)) return 1;
  }
  auto& manager = analyses.functions();
  analyses.invalidate(item);
  if (manager.getResult<llvm::LoopAnalysis>(item).empty()) return 1;
  llvm::FunctionPassManager canonical;
  canonical.addPass(llvm::LoopSimplifyPass());
  manager.invalidate(item, canonical.run(item, manager));

  llvm::SmallVector<std::pair<llvm::Loop*, unsigned>, 4> chosen;
  {
    llvm::UniformityInfo& uniformity = analyses.uniformity(item);
    auto& evolution = manager.getResult<llvm::ScalarEvolutionAnalysis>(item);
    const DivergentBlocks divergent = divergent_blocks(item, uniformity);
    for (llvm::Loop* loop : manager.getResult<llvm::LoopAnalysis>(item))
      if (const unsigned rounds = rounds_of_turn(*loop, turn ? turn : kTurn, evolution, uniformity, divergent))
        chosen.emplace_back(loop, rounds);
    for (const auto& [loop, rounds] : chosen) split_inductions(*loop, uniformity);
  }
  for (const auto& [loop, rounds] : chosen) cut(*loop, rounds);
  analyses.invalidate(item);
  return chosen.empty() ? 1 : specialization.stack;
}

}  // namespace weft::compiler::simt
