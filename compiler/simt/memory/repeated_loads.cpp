#include "compiler/simt/memory/repeated_loads.h"

#include <llvm/ADT/DepthFirstIterator.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include <optional>

#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/memory_order.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::LoadInst;
using llvm::Value;

/// Pairs of loads that are looked at, of a region.
constexpr unsigned kMostPairs = 1024;

bool may_serve(const LoadInst& load) {
  const unsigned space = load.getPointerAddressSpace();
  return (space == kGlobalSpace || space == kLocalSpace) && !load.isAtomic() && !asked_volatile(load);
}

/// Whether what `load` read may be another value behind `instruction`.
bool ends(const Instruction& instruction, const LoadInst& load) {
  if (llvm::isa<LoadInst>(instruction)) return instruction.isAtomic() || asked_volatile(instruction);
  if (!llvm::isa<llvm::StoreInst>(instruction)) return keeps_order(instruction);
  return instruction.isAtomic() || asked_volatile(instruction) || may_meet(instruction, load);
}

class RepeatedLoads {
 public:
  RepeatedLoads(llvm::Function& region, Analyses& analyses)
      : dominators_(analyses.functions().getResult<llvm::DominatorTreeAnalysis>(region)) {}

  bool run() {
    // In the order of execution, as far as one dominates another.
    for (auto* node : llvm::depth_first(&dominators_))
      for (Instruction& instruction : *node->getBlock())
        if (auto* load = llvm::dyn_cast<LoadInst>(&instruction); load && may_serve(*load)) loads_[load->getPointerOperand()].push_back(load);
    bool changed = false;
    for (auto& [pointer, loads] : loads_) changed |= drop_dominated(loads);
    for (auto& [pointer, loads] : loads_)
      if (auto* phi = llvm::dyn_cast<llvm::PHINode>(pointer)) changed |= drop_brought(*phi, loads);
    return changed;
  }

 private:
  using Loads = llvm::SmallVector<LoadInst*, 4>;

  bool drop_dominated(Loads& loads) {
    bool changed = false;
    for (std::size_t i = 0; i < loads.size(); ++i)
      for (std::size_t j = i + 1; j < loads.size();) {
        if (loads[j]->getType() != loads[i]->getType() || !serves(*loads[i], *loads[j])) {
          ++j;
          continue;
        }
        loads[i]->setAlignment(std::max(loads[i]->getAlign(), loads[j]->getAlign()));
        replace(*loads[j], *loads[i]);
        loads.erase(loads.begin() + static_cast<std::ptrdiff_t>(j));
        changed = true;
      }
    return changed;
  }

  /// The loads of a place that `phi` names, as the first of `loads`, are of an element that was loaded under each of its names, or is loaded under the one
  /// name that a loop begins with: clean-up makes one load of `x = p[i]` in front of `while (p[x] != x) x = p[x]` and of that at its end.
  bool drop_brought(llvm::PHINode& phi, Loads& loads) {
    if (loads.empty() || phi.getNumIncomingValues() < 2) return false;
    LoadInst* load = loads.front();
    const BasicBlock* block = phi.getParent();
    if (!dominators_.dominates(block, load->getParent()) || !is_kept(*load, block->begin(), *load)) return false;
    llvm::SmallVector<LoadInst*, 4> before;
    std::optional<unsigned> first;
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      const Instruction& end = *phi.getIncomingBlock(i)->getTerminator();
      const auto known = loads_.find(phi.getIncomingValue(i));
      LoadInst* brings = nullptr;
      if (known != loads_.end())
        for (LoadInst* earlier : known->second)
          if (earlier != load && earlier->getType() == load->getType() && serves(*earlier, end)) brings = earlier;
      if (!brings) {
        if (first || load->getParent() != block || !phi.getIncomingBlock(i)->getSingleSuccessor() || dominators_.dominates(block, phi.getIncomingBlock(i)))
          return false;
        first = i;
      }
      before.push_back(brings);
    }
    if (first) {
      llvm::Instruction* end = phi.getIncomingBlock(*first)->getTerminator();
      before[*first] = llvm::cast<LoadInst>(load->clone());
      before[*first]->setOperand(LoadInst::getPointerOperandIndex(), phi.getIncomingValue(*first));
      before[*first]->insertBefore(end);
    }
    auto* value = llvm::PHINode::Create(load->getType(), phi.getNumIncomingValues(), load->getName(), phi.getIterator());
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) value->addIncoming(before[i], phi.getIncomingBlock(i));
    replace(*load, *value);
    loads.erase(loads.begin());
    return true;
  }

  static void replace(LoadInst& load, Value& value) {
    load.replaceAllUsesWith(&value);
    load.eraseFromParent();
  }

  /// Whether what `load` reads is there at `place` on all paths.
  bool serves(const LoadInst& load, const Instruction& place) {
    if (pairs_ == kMostPairs || !dominators_.dominates(&load, &place)) return false;
    ++pairs_;
    return is_kept(load, std::next(load.getIterator()), place);
  }

  /// Whether nothing on a path from `from`, in a block that dominates that of `place`, to `place` ends what `load` reads.
  static bool is_kept(const LoadInst& load, BasicBlock::const_iterator from, const Instruction& place) {
    const auto keeps = [&](BasicBlock::const_iterator begin, BasicBlock::const_iterator end) {
      return llvm::none_of(llvm::make_range(begin, end), [&](const Instruction& each) { return ends(each, load); });
    };
    const BasicBlock* first = from->getParent();
    const BasicBlock* last = place.getParent();
    if (first == last) return keeps(from, place.getIterator());
    if (!keeps(from, first->end()) || !keeps(last->begin(), place.getIterator())) return false;
    llvm::SmallSetVector<const BasicBlock*, 16> between(llvm::pred_begin(last), llvm::pred_end(last));
    for (unsigned i = 0; i < between.size(); ++i) {
      const BasicBlock* block = between[i];
      if (block == first) continue;
      if (!keeps(block->begin(), block->end())) return false;
      between.insert(llvm::pred_begin(block), llvm::pred_end(block));
    }
    return true;
  }

  llvm::DominatorTree& dominators_;
  llvm::MapVector<Value*, Loads> loads_;  ///< by address
  unsigned pairs_ = 0;
};

}  // namespace

bool drop_repeated_loads(llvm::Function& region, Analyses& analyses) {
  const bool changed = RepeatedLoads(region, analyses).run();
  if (changed) analyses.invalidate(region);
  return changed;
}

}  // namespace weft::compiler::simt
