#include "compiler/simt/masks/chosen_bounds.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include <optional>
#include <utility>

#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/block_copies.h"
#include "compiler/simt/ir/primitives.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

/// Of the code that gets a copy.
constexpr unsigned kMostInstructions = 160;
constexpr unsigned kMostSplits = 4;
/// From a choice to the bound that is made of it.
constexpr unsigned kMostSteps = 3;

using Blocks = llvm::SmallSetVector<BasicBlock*, 16>;

/// Whether `choice` is a number that lanes share on one side only, and all lanes take the same side.
bool may_be_shared(const llvm::SelectInst& choice, const llvm::UniformityInfo& uniformity) {
  return choice.getType()->isIntegerTy() && !llvm::isa<llvm::Constant>(choice.getCondition()) && !uniformity.isDivergent(choice.getCondition()) &&
         uniformity.isDivergent(choice.getTrueValue()) != uniformity.isDivergent(choice.getFalseValue());
}

/// The outermost loop behind `choice` that begins with it or ends by it; null if there is none.
const llvm::Loop* bounded_by(const Instruction& choice, const llvm::LoopInfo& loops) {
  llvm::SmallVector<const Instruction*, 8> values{&choice};
  while (!values.empty()) {
    const Instruction* value = values.pop_back_val();
    for (const llvm::User* each : value->users()) {
      const auto* user = llvm::cast<Instruction>(each);
      const llvm::Loop* loop = loops.getLoopFor(user->getParent());
      const bool is_behind = loop && !loop->contains(choice.getParent());
      if (!is_behind && llvm::isa<llvm::CastInst>(user)) values.push_back(user);
      if (!is_behind) continue;
      if (!llvm::isa<llvm::ICmpInst>(user) && !(llvm::isa<llvm::PHINode>(user) && loop->getHeader() == user->getParent())) continue;
      while (loop->getParentLoop() && !loop->getParentLoop()->contains(choice.getParent())) loop = loop->getParentLoop();
      return loop;
    }
  }
  return nullptr;
}

/// Where all paths from `front` through `loop` meet behind it; null if lanes may return before.
BasicBlock* join_of(const BasicBlock& front, const llvm::Loop& loop, const llvm::DominatorTree& dominators, const llvm::PostDominatorTree& post_dominators) {
  const auto* node = post_dominators.getNode(&front);
  do {
    node = node ? node->getIDom() : nullptr;
  } while (node && node->getBlock() && (loop.contains(node->getBlock()) || dominators.dominates(node->getBlock(), loop.getHeader())));
  return node ? node->getBlock() : nullptr;
}

bool may_be_copied(const Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return !call || !(call->isConvergent() || call->cannotDuplicate());
}

/// The blocks behind that of `choice` and in front of `join`; empty if these and what follows the choice in its own block are not to be copied.
Blocks blocks_between(llvm::SelectInst& choice, const BasicBlock& join, const llvm::DominatorTree& dominators) {
  BasicBlock* front = choice.getParent();
  const auto tail = llvm::make_range(std::next(choice.getIterator()), front->end());
  if (!llvm::all_of(tail, may_be_copied)) return {};
  auto instructions = static_cast<std::size_t>(std::distance(tail.begin(), tail.end()));
  Blocks blocks(llvm::succ_begin(front), llvm::succ_end(front));
  blocks.remove(const_cast<BasicBlock*>(&join));
  for (unsigned i = 0; i < blocks.size(); ++i) {
    BasicBlock* block = blocks[i];
    instructions += block->sizeWithoutDebug();
    if (instructions > kMostInstructions || block == front || !dominators.dominates(front, block) || !llvm::all_of(*block, may_be_copied)) return {};
    for (BasicBlock* next : llvm::successors(block))
      if (next != &join) blocks.insert(next);
  }
  return blocks;
}

/// A number of which each lane has its own or one that all share, as a filter's first tap is at the left of an image or inside.
struct OwnChoice {
  Instruction* choice = nullptr;  ///< a select, or the lesser or greater of two
  Value* shared = nullptr;
  Instruction* bound = nullptr;   ///< what a loop begins with or ends by: the choice, or
  llvm::SmallVector<Instruction*, 2> made = {};  ///< the last of what is made of it and of what all lanes share, one after the other
};

/// Whether `value` is made of ids and of what lanes share, in few steps, so that neighbours mostly agree how it compares with a bound.
bool is_made_of_ids(const Value& value, const llvm::UniformityInfo& uniformity, unsigned steps = 6) {
  const auto* instruction = llvm::dyn_cast<Instruction>(&value);
  if (!instruction || !uniformity.isDivergent(instruction)) return true;
  if (llvm::isa<llvm::CallBase>(instruction) && !llvm::isa<llvm::IntrinsicInst>(instruction)) {
    const llvm::StringRef name = called_name(*instruction);
    return name.starts_with(primitive::kLocalId) || name.starts_with(primitive::kGlobalId);
  }
  if (!steps || llvm::isa<llvm::PHINode>(instruction) || instruction->mayReadOrWriteMemory()) return false;
  return llvm::all_of(instruction->operands(), [&](const llvm::Use& operand) {
    return llvm::isa<llvm::Function>(operand) || is_made_of_ids(*operand, uniformity, steps - 1);
  });
}

/// The side of `choice` that lanes share; null if it is none or both.
Value* shared_side(Instruction& choice, const llvm::UniformityInfo& uniformity) {
  auto* select = llvm::dyn_cast<llvm::SelectInst>(&choice);
  auto* least = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&choice);
  if (!(select || least) || !choice.getType()->isIntegerTy() || !uniformity.isDivergent(&choice)) return nullptr;
  if (select && (!uniformity.isDivergent(select->getCondition()) || !llvm::isa<llvm::CmpInst>(select->getCondition()))) return nullptr;
  Value *a = select ? select->getTrueValue() : least->getLHS(), *b = select ? select->getFalseValue() : least->getRHS();
  if (uniformity.isDivergent(a) == uniformity.isDivergent(b)) return nullptr;
  return uniformity.isDivergent(a) ? b : a;
}

std::optional<OwnChoice> own_choice(Instruction& choice, const llvm::UniformityInfo& uniformity, const llvm::LoopInfo& loops) {
  OwnChoice own{.choice = &choice, .shared = shared_side(choice, uniformity), .bound = &choice};
  if (!own.shared) return std::nullopt;
  auto* select = llvm::dyn_cast<llvm::SelectInst>(&choice);
  const auto* compared = llvm::cast<llvm::User>(select ? select->getCondition() : static_cast<Value*>(&choice));
  if (!llvm::all_of(compared->operands(), [&](const Value* operand) { return llvm::isa<llvm::Function>(operand) || is_made_of_ids(*operand, uniformity); })) return std::nullopt;
  for (unsigned steps = 0; steps < kMostSteps; ++steps) {
    if (bounded_by(*own.bound, loops)) return own;
    Instruction* next = nullptr;
    for (llvm::User* user : own.bound->users()) {
      auto* made = llvm::dyn_cast<llvm::BinaryOperator>(user);
      if (!made || made->getParent() != choice.getParent() || made->isIntDivRem()) continue;
      if (llvm::all_of(made->operands(), [&](const Value* operand) { return operand == own.bound || !uniformity.isDivergent(operand); })) next = made;
    }
    if (!next) return std::nullopt;
    own.bound = next;
    own.made.push_back(next);
  }
  return std::nullopt;
}

/// What `own.bound` is with the shared side.
Value* with_shared(const OwnChoice& own, llvm::IRBuilder<>& builder) {
  Value* value = own.shared;
  Instruction* from = own.choice;
  for (Instruction* each : own.made) {
    Instruction* copy = builder.Insert(each->clone(), each->getName());
    copy->replaceUsesOfWith(from, value);
    copy->dropPoisonGeneratingFlags();
    value = copy;
    from = each;
  }
  return value;
}

/// Where every lane of a warp chooses what all share, in all of the bounds that a block chooses, that is one choice of the warp. True if there is one.
bool vote_on_choices(llvm::Function& region, Analyses& analyses) {
  llvm::UniformityInfo& uniformity = analyses.uniformity(region);
  auto& loops = analyses.functions().getResult<llvm::LoopAnalysis>(region);
  for (BasicBlock& block : region) {
    llvm::SmallVector<OwnChoice, 4> choices;
    for (Instruction& instruction : block)
      if (const auto own = own_choice(instruction, uniformity, loops)) choices.push_back(*own);
    if (choices.empty() || loops.getLoopFor(&block)) continue;
    Instruction* last = choices.front().bound;
    for (const OwnChoice& own : choices)
      if (last->comesBefore(own.bound)) last = own.bound;
    llvm::IRBuilder<> builder(&block, std::next(last->getIterator()));
    Value* agree = builder.getTrue();
    for (const OwnChoice& own : choices) {
      Value* takes_shared = builder.CreateICmpEQ(own.choice, own.shared);
      agree = builder.CreateAnd(agree, takes_shared);
    }
    const auto vote = region.getParent()->getOrInsertFunction(primitive::kAll, builder.getInt1Ty(), builder.getInt1Ty());
    Value* all = builder.CreateCall(vote, agree, "all");
    llvm::SmallVector<Value*, 4> shared;
    for (const OwnChoice& own : choices) shared.push_back(with_shared(own, builder));
    for (const auto& [own, value] : llvm::zip(choices, shared)) {
      auto* bound = llvm::cast<Instruction>(builder.CreateSelect(all, value, own.bound, "bound"));
      own.bound->replaceUsesWithIf(bound, [&](const llvm::Use& use) {
        const auto* user = llvm::cast<Instruction>(use.getUser());
        return user != bound && (user->getParent() != &block || bound->comesBefore(user));
      });
    }
    return true;
  }
  return false;
}

/// A choice and what is copied for it.
struct BoundChoice {
  llvm::SelectInst* choice = nullptr;
  BasicBlock* join = nullptr;
  Blocks blocks;
};

std::optional<BoundChoice> find_choice(llvm::Function& region, Analyses& analyses) {
  llvm::UniformityInfo& uniformity = analyses.uniformity(region);  // first, since it may mark phis
  auto& loops = analyses.functions().getResult<llvm::LoopAnalysis>(region);
  if (loops.empty()) return std::nullopt;
  for (Instruction& instruction : llvm::instructions(region)) {
    auto* choice = llvm::dyn_cast<llvm::SelectInst>(&instruction);
    const llvm::Loop* loop = choice && may_be_shared(*choice, uniformity) ? bounded_by(*choice, loops) : nullptr;
    if (!loop) continue;
    auto& dominators = analyses.functions().getResult<llvm::DominatorTreeAnalysis>(region);
    auto& post_dominators = analyses.functions().getResult<llvm::PostDominatorTreeAnalysis>(region);
    BasicBlock* join = join_of(*choice->getParent(), *loop, dominators, post_dominators);
    if (!join) continue;
    if (Blocks blocks = blocks_between(*choice, *join, dominators); !blocks.empty()) return BoundChoice{choice, join, std::move(blocks)};
  }
  return std::nullopt;
}

/// Runs what is between a choice and the join where it is its first value, and a copy where it is the second.
void split(const BoundChoice& found) {
  llvm::SelectInst& choice = *found.choice;
  BasicBlock& join = *found.join;
  Blocks blocks;
  blocks.insert(llvm::SplitBlock(choice.getParent(), std::next(choice.getIterator())));
  blocks.insert(found.blocks.begin(), found.blocks.end());
  llvm::ValueToValueMapTy copies;
  const auto made = clone_blocks(blocks.getArrayRef(), ".otherwise", &join, copies);
  join_copies(blocks.getArrayRef(), copies);
  Instruction* end = choice.getParent()->getTerminator();
  llvm::IRBuilder<>(end).CreateCondBr(choice.getCondition(), blocks.front(), made.front());
  end->eraseFromParent();
  for (llvm::Use& use : llvm::make_early_inc_range(choice.uses())) {
    BasicBlock* block = llvm::cast<Instruction>(use.getUser())->getParent();
    if (blocks.contains(block)) use.set(choice.getTrueValue());
    else if (llvm::is_contained(made, block)) use.set(choice.getFalseValue());
  }
  // What else the condition chooses is known, too.
  Value* condition = choice.getCondition();
  for (llvm::Use& use : llvm::make_early_inc_range(condition->uses())) {
    const auto* user = llvm::dyn_cast<Instruction>(use.getUser());
    if (!user) continue;
    if (blocks.contains(const_cast<BasicBlock*>(user->getParent()))) use.set(llvm::ConstantInt::getTrue(condition->getType()));
    else if (llvm::is_contained(made, user->getParent())) use.set(llvm::ConstantInt::getFalse(condition->getType()));
  }
  const auto fold = [](BasicBlock* block) {
    llvm::SimplifyInstructionsInBlock(block);
    llvm::ConstantFoldTerminator(block, true);
  };
  llvm::for_each(blocks, fold);
  llvm::for_each(made, fold);
  llvm::removeUnreachableBlocks(*join.getParent());
}

}  // namespace

bool split_chosen_bounds(llvm::Function& region, Analyses& analyses) {
  if (llvm::none_of(llvm::instructions(region), llvm::IsaPred<llvm::SelectInst, llvm::MinMaxIntrinsic>)) return false;
  const bool votes = vote_on_choices(region, analyses);
  if (votes) analyses.invalidate(region);
  unsigned splits = 0;
  for (; splits < kMostSplits; ++splits) {
    const std::optional<BoundChoice> found = find_choice(region, analyses);
    if (!found) break;
    split(*found);
    analyses.invalidate(region);
  }
  return votes || splits > 0;
}

}  // namespace weft::compiler::simt
