#include "compiler/simt/barriers/group_runs.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/IR/ProfDataUtils.h>

#include "compiler/simt/barriers/group_fields.h"
#include "compiler/simt/ir/hidden_values.h"
#include "compiler/simt/ir/primitives.h"
#include "device/kernel_abi.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

/// What a row of a call may read: a part of a first-level cache.
constexpr std::uint64_t kNearBytes = 16 << 10;
/// Vector instructions for columns that a row may repeat.
constexpr unsigned kMostColumns = 6;
/// A call of more groups saves nothing. Where only fewer fit, a row takes long beside what a group takes to begin: filters of 3x3 texels lost
/// up to 40 %.
constexpr std::uint64_t kMostGroups = 256, kFewestGroups = 16;
/// A loop of so many iterations at most, each of so many instructions at least.
constexpr unsigned kFewIterations = 4;
constexpr unsigned kLongBody = 200;
/// How many times as often the other side of a branch runs, at least, where one is rare.
constexpr std::uint64_t kRarely = 64;

/// Whether all that `region` does with the group is to load fields, and none is its local memory.
bool keeps_nothing(const llvm::Function& region) {
  return loads_fields_alone(region, [](const llvm::LoadInst& load, std::uint64_t offset) {
    if (is_group_id(offset)) return load.getType()->isIntegerTy();
    return offset != offsetof(abi::GroupInfo, local_memory) || load.use_empty();
  });
}

bool is_plain(const Instruction& instruction) {
  if (instruction.isAtomic()) return false;
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return !call || llvm::isa<llvm::IntrinsicInst>(call) || !call->mayHaveSideEffects();
}

/// The blocks of `region` but those behind the rare side of a branch.
llvm::SmallVector<const BasicBlock*, 16> usual_blocks(const llvm::Function& region) {
  llvm::SmallVector<const BasicBlock*, 16> blocks = {&region.getEntryBlock()};
  llvm::SmallPtrSet<const BasicBlock*, 16> seen(blocks.begin(), blocks.end());
  for (unsigned i = 0; i < blocks.size(); ++i) {
    const Instruction& end = *blocks[i]->getTerminator();
    std::uint64_t weight[2] = {};
    const bool is_weighed = end.getNumSuccessors() == 2 && llvm::extractBranchWeights(end, weight[0], weight[1]);
    for (unsigned side = 0; side < end.getNumSuccessors(); ++side) {
      if (is_weighed && weight[1 - side] >= kRarely * std::max<std::uint64_t>(weight[side], 1)) continue;
      if (seen.insert(end.getSuccessor(side)).second) blocks.push_back(end.getSuccessor(side));
    }
  }
  return blocks;
}

/// The instructions of `blocks` that do something, and those whose results they need.
llvm::SmallPtrSet<const Value*, 32> needed(llvm::ArrayRef<const BasicBlock*> blocks) {
  llvm::SmallPtrSet<const Value*, 32> found;
  llvm::SmallVector<const Instruction*, 64> work;
  const llvm::SmallPtrSet<const BasicBlock*, 16> usual(blocks.begin(), blocks.end());
  for (const BasicBlock* block : blocks)
    for (const Instruction& instruction : *block)
      if ((instruction.isTerminator() || instruction.mayHaveSideEffects()) && found.insert(&instruction).second) work.push_back(&instruction);
  while (!work.empty())
    for (const Value* operand : work.pop_back_val()->operand_values())
      if (const auto* instruction = llvm::dyn_cast<Instruction>(operand); instruction && usual.contains(instruction->getParent()))
        if (found.insert(instruction).second) work.push_back(instruction);
  return found;
}

/// Bytes of memory that `instruction` reads, if it is a vector's load.
std::uint64_t loaded_bytes(const Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  const bool is_load = llvm::isa<llvm::LoadInst>(instruction) || (call && call->getIntrinsicID() == llvm::Intrinsic::masked_load);
  if (!is_load || !instruction.getType()->isVectorTy()) return 0;
  return instruction.getDataLayout().getTypeStoreSize(instruction.getType()).getFixedValue();
}

}  // namespace

std::uint32_t groups_of_run(const llvm::Function& region, unsigned bodies) {
  if (region.hasFnAttribute(primitive::kScatteredAttribute) || !keeps_nothing(region)) return 1;
  if (!llvm::all_of(llvm::instructions(region), is_plain)) return 1;
  llvm::SmallVector<std::pair<const BasicBlock*, const BasicBlock*>, 4> back;
  llvm::FindFunctionBackedges(region, back);
  const auto blocks = usual_blocks(region);
  // What happens hardly ever may well be a loop over the lanes.
  if (llvm::any_of(back, [&](const auto& edge) { return llvm::is_contained(blocks, edge.first); })) return 1;
  const auto live = needed(blocks);
  // A region's last two arguments are the warp's place and its number.
  llvm::SmallPtrSet<const Value*, 32> of_warp = {region.getArg(2), region.getArg(3)};
  unsigned columns = 0;
  std::uint64_t bytes = 0;
  for (const BasicBlock* block : llvm::ReversePostOrderTraversal(&region))
    for (const Instruction& instruction : *block) {
      if (llvm::any_of(instruction.operand_values(), [&](const Value* operand) { return of_warp.contains(operand); })) of_warp.insert(&instruction);
      if (!live.contains(&instruction)) continue;
      bytes += loaded_bytes(instruction);
      columns += instruction.getType()->isVectorTy() && !of_warp.contains(&instruction);
    }
  if (columns > kMostColumns) return 1;
  const std::uint64_t groups = std::min(kNearBytes / std::max<std::uint64_t>(bytes * bodies, 1), kMostGroups);
  return groups < kFewestGroups ? 1 : static_cast<std::uint32_t>(groups);
}

unsigned bodies_of_row(const Specialization& specialization, unsigned lanes) {
  const std::uint32_t row = specialization.local_size[0];
  return row && row % lanes == 0 ? row / lanes : 1;
}

void number_groups(llvm::Function& group, llvm::Value& id) {
  for (Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(group))) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    const auto offset = load ? field_offset(*load, *group.getArg(1)) : std::nullopt;
    if (!offset || !is_group_id(*offset) || load->getParent()->isEntryBlock()) continue;
    replace_group_id(*load, *offset, id);
  }
}

namespace {

/// `hidden` in place of `number`, the phi of a loop, but where it counts.
void hide_number(llvm::PHINode& number, Instruction& hidden) {
  number.replaceUsesWithIf(&hidden, [&](const llvm::Use& use) {
    const auto* step = llvm::dyn_cast<llvm::BinaryOperator>(use.getUser());
    return use.getUser() != &hidden && !(step && llvm::is_contained(number.incoming_values(), step));
  });
}

bool counts(const llvm::PHINode& number) {
  return number.getType()->isIntegerTy() && llvm::any_of(number.incoming_values(), [&](const Value* next) {
    using namespace llvm::PatternMatch;
    return match(next, m_Add(m_Specific(&number), m_ConstantInt()));
  });
}

}  // namespace

void hide_few_numbers(llvm::Function& group) {
  llvm::DominatorTree dominators(group);
  llvm::LoopInfo loops(dominators);
  if (loops.empty()) return;
  llvm::AssumptionCache assumptions(group);
  llvm::TargetLibraryInfoImpl library(llvm::Triple(group.getParent()->getTargetTriple()));
  llvm::TargetLibraryInfo functions(library);
  llvm::ScalarEvolution evolution(group, functions, assumptions, dominators, loops);
  for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
    unsigned instructions = 0;
    for (const BasicBlock* block : loop->blocks()) instructions += static_cast<unsigned>(block->sizeWithoutDebug());
    const unsigned count = instructions < kLongBody ? 0 : evolution.getSmallConstantTripCount(loop);
    if (!count || count > kFewIterations) continue;
    for (llvm::PHINode& number : llvm::make_early_inc_range(loop->getHeader()->phis()))
      if (counts(number)) {
        llvm::IRBuilder<> builder(loop->getHeader(), loop->getHeader()->getFirstInsertionPt());
        hide_number(number, *llvm::cast<llvm::Instruction>(hidden(builder, number)));
      }
  }
}

void hide_group_ids(llvm::Function& group) {
  for (BasicBlock& block : group)
    for (llvm::PHINode& number : llvm::make_early_inc_range(block.phis())) {
      const auto first = llvm::find_if(number.incoming_values(), [&](const Value* value) {
        const auto* load = llvm::dyn_cast<llvm::LoadInst>(value);
        return load && field_offset(*load, *group.getArg(1)) == offsetof(abi::GroupInfo, group_id);
      });
      if (first == number.incoming_values().end()) continue;
      hide_number(number, *new llvm::FreezeInst(&number, "group.id", block.getFirstInsertionPt()));
    }
}

}  // namespace weft::compiler::simt
