#include "compiler/simt/item/near_loads.h"

#include <map>
#include <optional>
#include <vector>

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "compiler/simt/analysis/address_key.h"
#include "compiler/simt/analysis/buffer_places.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/memory_order.h"
#include "compiler/target/costs.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::LoadInst;

/// Of a block that may be moved: more is worth a branch.
constexpr unsigned kMostBetweenLoads = 8;

bool is_shared(const llvm::Value& pointer) {
  const unsigned space = pointer.getType()->getPointerAddressSpace();
  return space == kGlobalSpace || space == kConstantSpace;
}

/// Loads of `block`, if it is reached from one branch alone and all of it might stand in front of that, wherever they lead; else none.
llvm::SmallVector<LoadInst*, 4> loads_to_move(BasicBlock& block) {
  if (!block.getSinglePredecessor() || !block.getSingleSuccessor() || llvm::isa<llvm::PHINode>(block.front())) return {};
  llvm::SmallVector<LoadInst*, 4> loads;
  unsigned count = 0;
  for (Instruction& instruction : block) {
    if (instruction.isTerminator()) break;
    if (++count > kMostBetweenLoads) return {};
    if (auto* load = llvm::dyn_cast<LoadInst>(&instruction); load && !load->isAtomic() && !asked_volatile(*load) && is_shared(*load->getPointerOperand())) {
      // Of a vector that lanes read anywhere, they are asked one by one; of one component that is chosen, they are not.
      if (load->getType()->isVectorTy()) return {};
      loads.push_back(load);
    } else if (instruction.mayReadOrWriteMemory() || !llvm::isSafeToSpeculativelyExecute(&instruction)) {
      return {};
    }
  }
  return loads;
}

class NearLoads {
 public:
  NearLoads(llvm::Function& item, Analyses& analyses)
      : layout_(item.getParent()->getDataLayout()),
        uniformity_(analyses.uniformity(item)),
        dominators_(analyses.functions().getResult<llvm::DominatorTreeAnalysis>(item)) {}

  bool run(llvm::Function& item) {
    for (BasicBlock& block : item)
      for (Instruction& instruction : block)
        if (const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction); pointer && is_shared(*pointer))
          if (const auto place = place_of(instruction)) known_[place->kind].push_back({place->first, place->behind, &instruction});
    bool changed = false;
    for (BasicBlock& block : item) changed |= move_from(block);
    return changed;
  }

 private:
  /// Bytes from `first` to `behind`, from what all places of one kind start from.
  struct Place {
    AddressKeys::Key kind;
    std::int64_t first = 0, behind = 0;
  };
  struct Known {
    std::int64_t first = 0, behind = 0;
    const Instruction* access = nullptr;
  };

  /// Whether `number` is where a buffer begins: places in it have indices that are not negative.
  bool is_start(unsigned number) const {
    const AddressKeys::Atom atom = keys_.atom(number);
    return atom.value && is_buffer_start(*atom.value);
  }

  std::optional<Place> place_of(Instruction& access) {
    AddressKeys::Sum sum = keys_.sum(*llvm::getLoadStorePointerOperand(&access));
    const auto bytes = static_cast<std::int64_t>(layout_.getTypeStoreSize(llvm::getLoadStoreType(&access)).getFixedValue());
    std::int64_t first = AddressKeys::take_constant(sum);
    AddressKeys::Key kind;
    // A buffer and an index that is extended by its sign.
    if (sum.terms.size() == 2) {
      const auto& [one, other] = std::pair(*sum.terms.begin(), *std::next(sum.terms.begin()));
      for (const auto& [base, index] : {std::pair(one, other), std::pair(other, one)}) {
        if (base.first.size() != 1 || base.second != 1 || index.first.size() != 1 || !is_start(base.first.front())) continue;
        const AddressKeys::Atom atom = keys_.atom(index.first.front());
        if (atom.value || !atom.is_signed) continue;
        AddressKeys::Sum inner = *atom.inner;
        const auto scale = static_cast<std::int64_t>(index.second);
        if (scale <= 0 || scale > target::kLineBytes) return std::nullopt;
        const std::int64_t steps = AddressKeys::take_constant(inner);
        if (std::abs(steps) > kMostSteps) return std::nullopt;
        first += steps * scale;
        kind = AddressKeys::name(inner) + "*" + std::to_string(scale) + "+" + std::to_string(base.first.front());
        break;
      }
    }
    if (kind.empty()) kind = AddressKeys::name(sum);
    return Place{std::move(kind), first, first + bytes};
  }

  /// Whether each lane that comes to the end of `head` has accessed memory around `place`, near by.
  bool is_enclosed(const Place& place, const BasicBlock& head) const {
    const auto found = known_.find(place.kind);
    if (found == known_.end()) return false;
    bool in_front = false, behind = false;
    for (const Known& known : found->second) {
      if (!dominators_.dominates(known.access, head.getTerminator())) continue;
      in_front |= known.first <= place.first && place.first - known.first < target::kLineBytes;
      behind |= known.behind >= place.behind && known.behind - place.behind < target::kLineBytes;
    }
    return in_front && behind;
  }

  bool move_from(BasicBlock& block) {
    const auto loads = loads_to_move(block);
    if (loads.empty()) return false;
    BasicBlock* head = block.getSinglePredecessor();
    const bool may_move = uniformity_.hasDivergentTerminator(*head) && llvm::all_of(loads, [&](LoadInst* load) {
      const auto place = place_of(*load);
      return place && is_enclosed(*place, *head);
    });
    if (!may_move) return false;
    while (!block.front().isTerminator()) {
      Instruction& instruction = block.front();
      // Of lanes that would not have come here it says nothing.
      if (llvm::isa<LoadInst>(instruction)) instruction.setMetadata(llvm::LLVMContext::MD_noundef, nullptr);
      instruction.moveBefore(head->getTerminator());
    }
    return true;
  }

  /// Of an index: further apart they would not be near, and a sum of two is no number of 32 bits.
  static constexpr std::int64_t kMostSteps = std::int64_t{1} << 24;

  const llvm::DataLayout& layout_;
  llvm::UniformityInfo& uniformity_;
  llvm::DominatorTree& dominators_;
  AddressKeys keys_;
  std::map<AddressKeys::Key, std::vector<Known>> known_;
};

}  // namespace

bool move_near_loads(llvm::Function& item, Analyses& analyses) {
  // Uniformity takes long where lanes go to labels in any order: it is asked for where there is a load to move.
  if (llvm::all_of(item, [](BasicBlock& block) { return loads_to_move(block).empty(); })) return false;
  analyses.invalidate(item);
  if (!NearLoads(item, analyses).run(item)) return false;
  analyses.invalidate(item);
  return true;
}

}  // namespace weft::compiler::simt
