#include "compiler/frontend/loop_exits.h"

#include <algorithm>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace weft::compiler::frontend {
namespace {

using llvm::BasicBlock;
using llvm::Function;

/// The functions whose results depend on who executes them together: the builtins of sub-groups, and whatever calls them.
llvm::SmallSetVector<Function*, 16> functions_that_meet(llvm::Module& module) {
  llvm::SmallSetVector<Function*, 16> found;
  for (Function& function : module) {
    // Mangled: _Z20sub_group_reduce_addj. What only names the sub-group's work-items, get_sub_group_local_id() for one, does no harm.
    const llvm::StringRef name = function.getName();
    if (function.isDeclaration() && name.contains("sub_group_") && !name.contains("get_sub_group_")) found.insert(&function);
  }
  for (std::size_t i = 0; i < found.size(); ++i)
    for (llvm::User* user : found[i]->users())
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(user)) found.insert(call->getFunction());
  return found;
}

/// The place of the last block of the loop's text: `last`, the last from which there is a way back, or one behind it.
unsigned end_of_text(const llvm::Loop& loop, const llvm::LoopInfo& loops, const llvm::DominatorTree& tree, unsigned last) {
  Function& function = *loop.getHeader()->getParent();
  unsigned end = last;
  for (auto block = std::next(function.begin(), last + 1); block != function.end(); ++block) {
    if (loops.getLoopFor(&*block) != loop.getParentLoop() || !tree.dominates(loop.getHeader(), &*block)) break;
    const llvm::StringRef name = block->getName();
    if (name.starts_with("while.end") || name.starts_with("for.end") || name.starts_with("do.end")) return end;
    ++end;
  }
  return last;
}

/// Those that stand in the loop's text.
Blocks outside_in_text(const llvm::Loop& loop, const llvm::LoopInfo& loops, const llvm::DominatorTree& tree) {
  Function& function = *loop.getHeader()->getParent();
  llvm::DenseMap<const BasicBlock*, unsigned> place;
  for (BasicBlock& block : function) place.try_emplace(&block, static_cast<unsigned>(place.size()));
  unsigned first = ~0u, last = 0;
  for (const BasicBlock* block : loop.blocks()) {
    first = std::min(first, place.at(block));
    last = std::max(last, place.at(block));
  }
  last = end_of_text(loop, loops, tree, last);
  Blocks outside;
  for (BasicBlock& block : function) {
    if (place.at(&block) <= first || place.at(&block) > last || loop.contains(&block)) continue;
    if (tree.dominates(loop.getHeader(), &block) && tree.isReachableFromEntry(&block)) outside.insert(&block);
  }
  return outside;
}

class Exits {
 public:
  Exits(Function& function, const llvm::SmallSetVector<Function*, 16>& meeting, BlocksOutside blocks_outside)
      : function_(function), meeting_(meeting), blocks_outside_(blocks_outside) {}

  void keep() {
    // Each time around, blocks become part of a loop, and so of those around it.
    while (keep_one_loop()) {
    }
  }

 private:
  bool meets(const BasicBlock& block) const {
    return llvm::any_of(block, [&](const llvm::Instruction& instruction) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      return call && call->getCalledFunction() && meeting_.contains(call->getCalledFunction());
    });
  }

  bool keep_one_loop() {
    llvm::DominatorTree tree(function_);
    const llvm::LoopInfo loops(tree);
    // Inner loops first: what leaves several at once is part of the innermost one.
    const auto all = loops.getLoopsInPreorder();
    for (const llvm::Loop* loop : llvm::reverse(all)) {
      const Blocks leaving = blocks_outside_(*loop, loops, tree);
      if (llvm::none_of(leaving, [&](const BasicBlock* block) { return meets(*block); })) continue;
      for (BasicBlock* block : leaving) keep(*block, *loop, leaving);
      return true;
    }
    return false;
  }

  /// Where control leaves `leaving`, it may seem to go to the loop's head instead.
  static void keep(BasicBlock& block, const llvm::Loop& loop, const Blocks& leaving) {
    if (llvm::isa<llvm::ReturnInst>(block.getTerminator())) {
      lead_back(block, *block.splitBasicBlock(block.getTerminator()), *loop.getHeader());
      return;
    }
    llvm::SmallPtrSet<BasicBlock*, 4> targets;
    for (BasicBlock* target : llvm::successors(&block))
      if (!leaving.contains(target) && !loop.contains(target)) targets.insert(target);
    for (BasicBlock* target : targets) lead_back(block, *target, *loop.getHeader());
  }

  Function& function_;
  const llvm::SmallSetVector<Function*, 16>& meeting_;
  BlocksOutside blocks_outside_;
};

}  // namespace

void lead_back(BasicBlock& from, BasicBlock& target, BasicBlock& header) {
  Function& function = *from.getParent();
  BasicBlock* way = BasicBlock::Create(function.getContext(), "", &function, from.getNextNode());
  llvm::Instruction* terminator = from.getTerminator();
  for (unsigned i = 0; i < terminator->getNumSuccessors(); ++i)
    if (terminator->getSuccessor(i) == &target) terminator->setSuccessor(i, way);
  llvm::IRBuilder<> ir(way);
  ir.SetCurrentDebugLocation(terminator->getDebugLoc());
  llvm::FunctionCallee leaves = function.getParent()->getOrInsertFunction(kLeaves, ir.getInt1Ty());
  auto& primitive = llvm::cast<Function>(*leaves.getCallee());
  primitive.setDoesNotThrow();
  primitive.setWillReturn();
  primitive.setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());  // stays where it is, in nobody's way
  ir.CreateCondBr(ir.CreateCall(leaves), &target, &header);
  // Several edges from one block are one now.
  for (llvm::PHINode& phi : target.phis()) {
    while (llvm::count(phi.blocks(), &from) > 1) phi.removeIncomingValue(&from, /*DeletePHIIfEmpty=*/false);
    phi.replaceIncomingBlockWith(&from, way);
  }
  // What it was: of poison, which a call must not be given, LLVM would know that nobody comes this way.
  for (llvm::PHINode& phi : header.phis()) phi.addIncoming(&phi, way);
}

bool may_meet(const std::string& source) { return source.find("sub_group_") != std::string::npos; }

void drop_names(llvm::Module& module) {
  for (Function& function : module) {
    for (llvm::Argument& argument : function.args()) argument.setName("");
    for (BasicBlock& block : function) {
      block.setName("");
      for (llvm::Instruction& instruction : block) instruction.setName("");
    }
  }
}

void keep_exits_in_loops(llvm::Module& module, BlocksOutside blocks_outside) {
  const auto meeting = functions_that_meet(module);
  for (Function* function : meeting)
    if (!function->isDeclaration()) Exits(*function, meeting, blocks_outside).keep();
}

void keep_exits_in_loops(llvm::Module& module) { keep_exits_in_loops(module, outside_in_text); }

}  // namespace weft::compiler::frontend
