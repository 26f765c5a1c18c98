#include "compiler/simt/memory/kept_loads.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/memory_order.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::LoadInst;
using llvm::StoreInst;

bool is_shared(unsigned space) { return space == kGlobalSpace || space == kLocalSpace; }

/// An update that orders nothing but others of its own place.
bool is_unordered_update(const Instruction& instruction) {
  if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) return !llvm::isStrongerThanMonotonic(update->getOrdering());
  const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction);
  return exchange && !llvm::isStrongerThanMonotonic(exchange->getMergedOrdering());
}

/// Whether anything in the kernel, of which `module` has all regions, may write where `load` reads.
bool may_be_written(const LoadInst& load, const llvm::Module& module) {
  return llvm::any_of(module, [&](const llvm::Function& function) {
    return llvm::any_of(llvm::instructions(function), [&](const Instruction& instruction) {
      if (llvm::isa<StoreInst>(instruction) || is_unordered_update(instruction)) return may_meet(instruction, load);
      return !llvm::isa<LoadInst>(instruction) && instruction.mayWriteToMemory() && keeps_order(instruction);
    });
  });
}

class KeptLoads {
 public:
  KeptLoads(llvm::Function& region, Analyses& analyses)
      : uniformity_(analyses.uniformity(region)),  // first, since it may mark phis
        loops_(analyses.functions().getResult<llvm::LoopAnalysis>(region)),
        dominators_(analyses.functions().getResult<llvm::DominatorTreeAnalysis>(region)) {}

  bool run() {
    bool changed = false;
    const auto loops = loops_.getLoopsInPreorder();
    for (llvm::Loop* loop : llvm::reverse(loops)) changed |= run(*loop);  // inner loops first
    return changed;
  }

 private:
  bool run(llvm::Loop& loop) {
    llvm::SmallVector<BasicBlock*, 4> exiting;
    loop.getExitingBlocks(exiting);
    if (llvm::none_of(exiting, [&](BasicBlock* block) { return uniformity_.hasDivergentTerminator(*block); })) return false;
    llvm::SmallVector<LoadInst*, 8> loads;
    llvm::SmallVector<StoreInst*, 8> stores;
    bool updates = false;
    for (BasicBlock* block : loop.blocks())
      for (Instruction& instruction : *block) {
        auto* load = llvm::dyn_cast<LoadInst>(&instruction);
        auto* store = llvm::dyn_cast<StoreInst>(&instruction);
        if (!load && !store) {
          if (is_unordered_update(instruction))
            updates = true;
          else if (keeps_order(instruction))
            return false;
          continue;
        }
        if (instruction.isAtomic() || asked_volatile(instruction)) return false;
        if (store && store->getPointerAddressSpace() != kPrivateSpace) stores.push_back(store);
        if (load && is_shared(load->getPointerAddressSpace()) && loop.isLoopInvariant(load->getPointerOperand()) &&
            llvm::all_of(exiting, [&](BasicBlock* block) { return dominators_.dominates(load->getParent(), block); }))
          loads.push_back(load);
      }
    llvm::erase_if(loads, [&](LoadInst* load) { return llvm::any_of(stores, [&](StoreInst* store) { return may_meet(*store, *load); }); });
    // Groups may tell each other by updates, but of nothing that none of them writes.
    if (updates) llvm::erase_if(loads, [&](LoadInst* load) { return may_be_written(*load, *load->getModule()); });
    if (loads.empty()) return false;
    BasicBlock* before = loop.getLoopPreheader();
    if (!before) before = llvm::InsertPreheaderForLoop(&loop, &dominators_, &loops_, nullptr, false);
    if (!before) return false;
    for (LoadInst* load : loads) {
      load->moveBefore(before->getTerminator());
      // In front of a scope's declaration it would speak of another iteration of a loop around.
      load->setMetadata(llvm::LLVMContext::MD_alias_scope, nullptr);
      load->setMetadata(llvm::LLVMContext::MD_noalias, nullptr);
    }
    return true;
  }

  llvm::UniformityInfo& uniformity_;
  llvm::LoopInfo& loops_;
  llvm::DominatorTree& dominators_;
};

}  // namespace

bool keep_loads(llvm::Function& region, Analyses& analyses) { return KeptLoads(region, analyses).run(); }

}  // namespace weft::compiler::simt
