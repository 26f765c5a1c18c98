#include "compiler/simt/barriers/blend_stores.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <optional>

#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/analysis/lane_values.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/memory_order.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

/// The most instructions in a side of a branch: running more of them for no lane would cost too much.
constexpr unsigned kMaxSideInstructions = 32;

/// The addresses that a pointer has in the lanes: `base`, plus uniform terms, plus bytes for each work-item.
struct Addresses {
  const Value* base = nullptr;
  llvm::MapVector<Value*, llvm::APInt> uniform_terms;  ///< of the offset, with their factors
  std::vector<std::int64_t> item_offsets;              ///< by work-item: bytes

  bool same_origin(const Addresses& other) const {
    if (base != other.base || uniform_terms.size() != other.uniform_terms.size()) return false;
    return llvm::all_of(uniform_terms, [&](const auto& term) {
      const auto found = other.uniform_terms.find(term.first);
      return found != other.uniform_terms.end() && found->second == term.second;
    });
  }
};

/// A branch whose sides all lanes shall run.
struct Candidate {
  BasicBlock* head;
  BasicBlock* join;
  llvm::SmallVector<BasicBlock*, 2> sides;
};

/// Whether all of the sorted `offsets` are at least `bytes` apart.
bool are_apart(const std::vector<std::int64_t>& offsets, std::uint64_t bytes) {
  return std::adjacent_find(offsets.begin(), offsets.end(), [bytes](std::int64_t a, std::int64_t b) {
           return static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a) < bytes;
         }) == offsets.end();
}

class Blender {
 public:
  Blender(llvm::Function& item, const Specialization& specialization, unsigned lanes, Analyses& analyses)
      : item_(item),
        items_(specialization.local_size[0] * specialization.local_size[1] * specialization.local_size[2]),
        layout_(item.getParent()->getDataLayout()),
        values_(item, specialization, lanes),
        uniformity_(analyses.uniformity(item)),
        dominators_(item),
        loops_(dominators_) {}

  bool run() {
    llvm::SmallVector<Candidate, 16> candidates;
    for (BasicBlock& block : item_)
      if (auto candidate = candidate_at(block)) candidates.push_back(std::move(*candidate));
    for (const Candidate& candidate : candidates) flatten(candidate);
    for (const Candidate& candidate : candidates) llvm::MergeBlockIntoPredecessor(candidate.join);
    return !candidates.empty();
  }

 private:
  std::optional<Candidate> candidate_at(BasicBlock& block) {
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (!branch || !branch->isConditional() || loops_.getLoopFor(&block)) return std::nullopt;
    if (!uniformity_.isDivergent(branch->getCondition()) || values_.of(*branch->getCondition())) return std::nullopt;
    Candidate candidate{&block, nullptr, {}};
    BasicBlock* first = branch->getSuccessor(0);
    BasicBlock* second = branch->getSuccessor(1);
    if (first->getSingleSuccessor() == second) candidate = {&block, second, {first}};
    else if (second->getSingleSuccessor() == first) candidate = {&block, first, {second}};
    else if (first->getSingleSuccessor() && first->getSingleSuccessor() == second->getSingleSuccessor())
      candidate = {&block, first->getSingleSuccessor(), {first, second}};
    else return std::nullopt;
    bool stores = false;
    for (BasicBlock* side : candidate.sides) {
      if (side->getSinglePredecessor() != &block || !can_run_for_all(*side, block)) return std::nullopt;
      stores |= llvm::any_of(*side, [](const Instruction& instruction) { return llvm::isa<llvm::StoreInst>(instruction); });
    }
    if (!stores) return std::nullopt;
    return candidate;
  }

  bool can_run_for_all(BasicBlock& side, BasicBlock& head) {
    unsigned count = 0;
    for (Instruction& instruction : side.instructionsWithoutDebug()) {
      if (instruction.isTerminator()) continue;
      if (++count > kMaxSideInstructions || llvm::isa<llvm::PHINode>(instruction)) return false;
      if (llvm::isa<llvm::LoadInst>(instruction) || llvm::isa<llvm::StoreInst>(instruction)) {
        if (!can_access(instruction, head)) return false;
      } else if (instruction.mayReadOrWriteMemory() || !llvm::isSafeToSpeculativelyExecute(&instruction)) {
        return false;
      }
    }
    return true;
  }

  bool can_access(Instruction& access, BasicBlock& head) {
    Value* pointer = llvm::getLoadStorePointerOperand(&access);
    llvm::Type* type = llvm::getLoadStoreType(&access);
    const unsigned bits = type->getScalarSizeInBits();  // the sizes that promote-local takes
    if (!is_plain_access(access) || pointer->getType()->getPointerAddressSpace() != kLocalSpace || (bits != 32 && bits != 64))
      return false;
    const std::uint64_t bytes = layout_.getTypeAllocSize(type);
    if (!was_accessed(*pointer, bytes, head)) return false;
    const auto addresses = addresses_of(*pointer);
    if (!addresses) return false;
    std::vector<std::int64_t> sorted = addresses->item_offsets;
    llvm::sort(sorted);
    return are_apart(sorted, bytes);
  }

  /// Whether every lane that reaches the end of `head` has accessed at least `bytes` bytes at `pointer`.
  bool was_accessed(Value& pointer, std::uint64_t bytes, const BasicBlock& head) const {
    return llvm::any_of(pointer.users(), [&](llvm::User* user) {
      auto* access = llvm::dyn_cast<Instruction>(user);
      return access && llvm::getLoadStorePointerOperand(access) == &pointer &&
             layout_.getTypeAllocSize(llvm::getLoadStoreType(access)) >= bytes &&
             dominators_.dominates(access->getParent(), &head);
    });
  }

  std::optional<Addresses> addresses_of(const Value& pointer) {
    Addresses addresses;
    addresses.item_offsets.assign(items_, 0);
    const Value* base = &pointer;
    for (auto* gep = llvm::dyn_cast<llvm::GEPOperator>(base); gep; gep = llvm::dyn_cast<llvm::GEPOperator>(base)) {
      llvm::MapVector<Value*, llvm::APInt> variables;
      llvm::APInt constant(64, 0);
      if (gep->getType()->isVectorTy() || !gep->collectOffset(layout_, 64, variables, constant)) return std::nullopt;
      for (std::int64_t& offset : addresses.item_offsets) offset += constant.getSExtValue();
      for (const auto& [variable, factor] : variables)
        if (!add_term(addresses, *variable, factor)) return std::nullopt;
      base = gep->getPointerOperand();
    }
    if (uniformity_.isDivergent(base)) return std::nullopt;
    addresses.base = base;
    return addresses;
  }

  bool add_term(Addresses& addresses, Value& variable, const llvm::APInt& factor) {
    if (const LaneValues::Lanes* lanes = values_.of(variable)) {
      const unsigned width = variable.getType()->getIntegerBitWidth();
      for (std::size_t item = 0; item < addresses.item_offsets.size(); ++item)
        addresses.item_offsets[item] += llvm::APInt(width, (*lanes)[item]).getSExtValue() * factor.getSExtValue();
      return true;
    }
    if (uniformity_.isDivergent(&variable)) return false;
    llvm::APInt& sum = addresses.uniform_terms.try_emplace(&variable, 64, 0).first->second;
    sum += factor;
    return true;
  }

  /// Moves the sides' instructions to the end of `head`.
  void flatten(const Candidate& candidate) {
    auto* branch = llvm::cast<llvm::BranchInst>(candidate.head->getTerminator());
    Value* condition = branch->getCondition();
    for (BasicBlock* side : candidate.sides) {
      const bool if_true = branch->getSuccessor(0) == side;
      for (Instruction& instruction : llvm::make_early_inc_range(*side)) {
        if (instruction.isTerminator()) break;
        instruction.moveBefore(branch);
        if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
          llvm::IRBuilder<> builder(store);
          Value* old = value_before(*store);
          Value* value = store->getValueOperand();
          store->setOperand(0, builder.CreateSelect(condition, if_true ? value : old, if_true ? old : value));
        }
      }
    }
    BasicBlock* taken = branch->getSuccessor(0) == candidate.join ? candidate.head : branch->getSuccessor(0);
    BasicBlock* other = branch->getSuccessor(1) == candidate.join ? candidate.head : branch->getSuccessor(1);
    llvm::IRBuilder<> builder(branch);
    for (llvm::PHINode& phi : candidate.join->phis()) {
      Value* a = phi.getIncomingValueForBlock(taken);
      Value* b = phi.getIncomingValueForBlock(other);
      Value* chosen = a == b ? a : builder.CreateSelect(condition, a, b, phi.getName());
      for (BasicBlock* side : candidate.sides) phi.removeIncomingValue(side, /*DeletePHIIfEmpty=*/false);
      if (phi.getBasicBlockIndex(candidate.head) < 0) phi.addIncoming(chosen, candidate.head);
      else phi.setIncomingValueForBlock(candidate.head, chosen);
    }
    builder.CreateBr(candidate.join);
    branch->eraseFromParent();
    for (BasicBlock* side : candidate.sides) side->eraseFromParent();
  }

  /// The value that `store` would overwrite.
  Value* value_before(llvm::StoreInst& store) {
    Value* pointer = store.getPointerOperand();
    llvm::Type* type = store.getValueOperand()->getType();
    for (Instruction* before = store.getPrevNode(); before; before = before->getPrevNode()) {
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(before);
          load && load->getPointerOperand() == pointer && load->getType() == type && is_plain_access(*load))
        return load;
      if (before->mayWriteToMemory() && !writes_elsewhere(*before, store)) break;
    }
    llvm::IRBuilder<> builder(&store);
    llvm::LoadInst* load = builder.CreateAlignedLoad(type, pointer, store.getAlign(), store.isVolatile());
    load->copyMetadata(store);
    return load;
  }

  /// Whether `before` writes, in any lane, only locations that `store` writes in none. A load that only the compiler made
  /// volatile writes nothing.
  bool writes_elsewhere(const Instruction& before, const llvm::StoreInst& store) {
    if (llvm::isa<llvm::LoadInst>(before)) return is_plain_access(before);
    const auto* other = llvm::dyn_cast<llvm::StoreInst>(&before);
    if (!other || !is_plain_access(*other)) return false;
    if (other->getPointerAddressSpace() != kLocalSpace) return false;
    const auto a = addresses_of(*other->getPointerOperand());
    const auto b = addresses_of(*store.getPointerOperand());
    if (!a || !b || !a->same_origin(*b)) return false;
    std::vector<std::int64_t> both = a->item_offsets;
    llvm::append_range(both, b->item_offsets);
    llvm::sort(both);
    return are_apart(both, std::max(layout_.getTypeAllocSize(other->getValueOperand()->getType()),
                                    layout_.getTypeAllocSize(store.getValueOperand()->getType())));
  }

  llvm::Function& item_;
  const unsigned items_;
  const llvm::DataLayout& layout_;
  LaneValues values_;
  llvm::UniformityInfo& uniformity_;
  const llvm::DominatorTree dominators_;
  const llvm::LoopInfo loops_;
};

}  // namespace

bool blend_local_stores(llvm::Function& item, const Specialization& specialization, unsigned lanes, Analyses& analyses) {
  bool changed = false;
  // Each round flattens the innermost branches.
  while (Blender(item, specialization, lanes, analyses).run()) {
    analyses.invalidate(item);
    changed = true;
  }
  return changed;
}

}  // namespace weft::compiler::simt
