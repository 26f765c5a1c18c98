#include "compiler/simt/barriers/regions.h"

#include <string>

#include "compiler/simt/barriers/ends_apart.h"
#include "compiler/simt/barriers/private_memory.h"
#include "compiler/simt/barriers/region_induction.h"
#include "compiler/simt/barriers/region_values.h"
#include "compiler/simt/analysis/even_conditions.h"
#include "compiler/simt/analysis/uniformity.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

/// Of a kernel whose regions are there with and without the question who has ended.
constexpr unsigned kMostCopied = 2000;

llvm::SmallVector<Instruction*, 8> find_barriers(llvm::Function& item) {
  llvm::SmallVector<Instruction*, 8> found;
  for (BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&item))
    for (Instruction& instruction : *block)
      if (is_barrier(instruction)) found.push_back(&instruction);
  return found;
}

/// Makes each barrier the end of its block.
llvm::SmallVector<Barrier, 8> split_blocks(llvm::ArrayRef<Instruction*> calls) {
  llvm::SmallVector<Barrier, 8> barriers;
  for (Instruction* call : calls) {
    BasicBlock* behind = call->getParent()->splitBasicBlock(std::next(call->getIterator()), "behind.barrier");
    barriers.push_back({call->getParent(), behind});
  }
  return barriers;
}

/// Moves each extraction from an aggregate right behind the aggregate's definition, so that only the member
/// lives across a barrier: slots hold no aggregates.
void hoist_extractions(llvm::Function& item) {
  for (Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(item))) {
    auto* extraction = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction);
    auto* aggregate = extraction ? llvm::dyn_cast<Instruction>(extraction->getAggregateOperand()) : nullptr;
    if (!aggregate || llvm::isa<llvm::PHINode>(aggregate)) continue;
    if (aggregate->getParent() != extraction->getParent()) extraction->moveAfter(aggregate);
  }
}

/// `type` as a part of a function's name: "i32", "v4float", "p1".
std::string type_suffix(const llvm::Type& type) {
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type))
    return (llvm::Twine("v") + llvm::Twine(vector->getNumElements()) + type_suffix(*vector->getElementType())).str();
  if (const auto* pointer = llvm::dyn_cast<llvm::PointerType>(&type))
    return (llvm::Twine("p") + llvm::Twine(pointer->getAddressSpace())).str();
  std::string text;
  llvm::raw_string_ostream stream(text);
  type.print(stream);
  for (char& c : text)
    if (!llvm::isAlnum(c)) c = '_';
  return text;
}

/// Builds one region's function from the blocks of `item` that it reaches.
class RegionBuilder {
 public:
  /// `alive`: the slot that says which lanes have not ended; -1: none is needed. `asks`: the region leaves out the others.
  RegionBuilder(llvm::Function& item, llvm::ArrayRef<Barrier> barriers, const RegionValues& plan, const llvm::UniformityInfo& uniformity,
                int alive, bool asks, int region, const llvm::Twine& name)
      : item_(item), barriers_(barriers), plan_(plan), uniformity_(uniformity), alive_(alive), asks_(asks), region_(region), module_(*item.getParent()) {
    function_ = llvm::Function::Create(item.getFunctionType(), llvm::GlobalValue::InternalLinkage, name);
    module_.getFunctionList().insert(item.getIterator(), function_);
    function_->copyAttributesFrom(&item);
    for (auto [from, to] : llvm::zip(item.args(), function_->args())) {
      to.setName(from.getName());
      map_[&from] = &to;
    }
  }

  llvm::Function* build() {
    entry_ = BasicBlock::Create(module_.getContext(), "region.entry", function_);
    builder_.SetInsertPoint(llvm::BranchInst::Create(entry_, entry_));  // redirected by clone_blocks
    clone_blocks();
    bring_in_values();
    remap();
    for (const Merge& merge : merges_) update_uses(merge);
    store_slots();
    for (const auto& [block, next] : exits_)
      block->getTerminator()->setOperand(0, builder_.getInt32(next + 1));
    if (alive_ >= 0) {
      function_->addFnAttr(primitive::kEndsApartAttribute, std::to_string(barriers_.size() + 1));
      store_alive();
      if (asks_) leave_ended_out();
    }
    clean_up();
    return function_;
  }

 private:
  /// A value with two sources in this region: the incoming value and its definition here.
  struct Merge {
    Instruction* original;
    Value* incoming;
    Instruction* local;
  };

  void clone_blocks() {
    llvm::DenseMap<const BasicBlock*, int> barrier_at;
    for (auto [number, barrier] : llvm::enumerate(barriers_)) barrier_at[barrier.exit] = number;

    BasicBlock* start = region_ == 0 ? &item_.getEntryBlock() : barriers_[region_ - 1].entry;
    llvm::SmallVector<BasicBlock*, 32> pending = {start};
    while (!pending.empty()) {
      BasicBlock* block = pending.pop_back_val();
      if (blocks_.contains(block)) continue;
      blocks_.insert(block);
      if (barrier_at.contains(block)) continue;
      for (BasicBlock* next : llvm::successors(block)) pending.push_back(next);
    }
    // In the item's order, so that dumps of both read alike.
    for (BasicBlock& block : item_) {
      if (!blocks_.contains(&block)) continue;
      BasicBlock* clone = llvm::CloneBasicBlock(&block, map_, "", function_);
      clone->setName(block.getName());
      map_[&block] = clone;
      for (Instruction& instruction : llvm::make_early_inc_range(*clone)) {
        instruction.dropDbgRecords();  // a region is no source function of its own
        if (llvm::isa<llvm::DbgInfoIntrinsic>(instruction)) instruction.eraseFromParent();
      }
      if (const auto found = barrier_at.find(&block); found != barrier_at.end()) {
        clone->getTerminator()->eraseFromParent();
        clone->back().eraseFromParent();  // the barrier
        llvm::ReturnInst::Create(module_.getContext(), builder_.getInt32(0), clone);
        exits_.emplace_back(clone, found->second);
      }
      for (llvm::PHINode& phi : clone->phis())
        for (unsigned i = phi.getNumIncomingValues(); i-- > 0;)
          if (!blocks_.contains(phi.getIncomingBlock(i)))
            phi.removeIncomingValue(i, /*DeletePHIIfEmpty=*/false);
    }
    entry_->getTerminator()->setSuccessor(0, llvm::cast<BasicBlock>(map_[start]));
  }

  bool defined_here(const Instruction* value) const { return blocks_.contains(value->getParent()); }

  /// The value that `value` had at the barrier where this region starts.
  Value* incoming(Value* value) {
    auto* instruction = llvm::dyn_cast<Instruction>(value);
    if (!instruction) {
      const auto found = map_.find(value);
      return found == map_.end() ? value : static_cast<Value*>(found->second);
    }
    if (const auto found = incoming_.find(instruction); found != incoming_.end()) return found->second;
    const auto planned = plan_.values.find(instruction);
    Value* result;
    if (planned != plan_.values.end() && planned->second.slot >= 0) {
      const int slot = planned->second.slot;
      llvm::CallInst* load = builder_.CreateCall(slot_primitive(module_, instruction->getType(), true),
                                                 builder_.getInt32(slot), instruction->getName());
      mark_uniform(*load, slot);
      if (load->getType()->isIntegerTy(1)) mark_bound_of_range(*load, *instruction, uniformity_);
      loaded_from_[load] = slot;
      result = load;
    } else {
      Instruction* clone = instruction->clone();
      for (llvm::Use& operand : clone->operands()) operand.set(incoming(operand.get()));
      clone->setName(instruction->getName());
      clone->dropDbgRecords();
      result = builder_.Insert(clone, instruction->getName());
    }
    incoming_[instruction] = result;
    return result;
  }

  /// Provides every value that crosses the barrier to its uses in this region.
  void bring_in_values() {
    if (region_ == 0) return;
    for (const auto& [value, crossing] : plan_.values) {
      if (!crossing.needed.test(region_ - 1)) continue;
      Value* came_in = incoming(value);
      // This region does not redefine its leaves: recomputing gives the same value anywhere.
      const bool constant =
          crossing.slot < 0 &&
          llvm::none_of(crossing.leaves, [&](const Instruction* leaf) { return defined_here(leaf); });
      if (!defined_here(value) || constant)
        map_[value] = came_in;
      else
        merges_.push_back({value, came_in, llvm::cast<Instruction>(map_[value])});
    }
  }

  void remap() {
    for (BasicBlock& block : *function_) {
      if (&block == entry_) continue;
      for (Instruction& instruction : block)
        llvm::RemapInstruction(&instruction, map_,
                               llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
    }
  }

  static void initialize(llvm::SSAUpdater& updater, const Merge& merge, BasicBlock* entry) {
    updater.Initialize(merge.local->getType(), merge.local->getName());
    updater.AddAvailableValue(entry, merge.incoming);
    updater.AddAvailableValue(merge.local->getParent(), merge.local);
  }

  /// Gives each use of a merged value the definition that reaches it, and each barrier the value to store.
  void update_uses(const Merge& merge) {
    llvm::SSAUpdater updater;
    initialize(updater, merge, entry_);
    llvm::SmallVector<llvm::Use*, 16> uses;
    for (llvm::Use& use : merge.local->uses()) {
      auto* user = llvm::cast<Instruction>(use.getUser());
      if (llvm::isa<llvm::PHINode>(user) || user->getParent() != merge.local->getParent())
        uses.push_back(&use);
    }
    for (llvm::Use* use : uses) updater.RewriteUse(*use);
    for (const auto& [block, barrier] : exits_)
      if (plan_.values.find(merge.original)->second.needed.test(barrier))
        at_exit_[{merge.original, block}] = updater.GetValueAtEndOfBlock(block);
  }

  void store_slots() {
    for (const auto& [block, barrier] : exits_) {
      builder_.SetInsertPoint(block->getTerminator());
      for (const auto& [value, crossing] : plan_.values) {
        if (crossing.slot < 0 || !crossing.needed.test(barrier) || !defined_here(value)) continue;
        const auto merged = at_exit_.find({value, block});
        Value* result = merged == at_exit_.end() ? static_cast<Value*>(map_[value]) : merged->second;
        for (auto* phi = llvm::dyn_cast<llvm::PHINode>(result); phi && phi->getNumIncomingValues() == 1;
             phi = llvm::dyn_cast<llvm::PHINode>(result))
          result = phi->getIncomingValue(0);
        if (const auto loaded = loaded_from_.find(result);
            loaded != loaded_from_.end() && loaded->second == crossing.slot)
          continue;  // the slot still holds it
        llvm::CallInst* store = builder_.CreateCall(slot_primitive(module_, result->getType(), false),
                                                    {builder_.getInt32(crossing.slot), result});
        mark_uniform(*store, crossing.slot);
      }
    }
  }

  /// Stores which of the lanes that are here go on.
  void store_alive() {
    llvm::SmallVector<llvm::ReturnInst*, 8> returns;
    for (BasicBlock& block : *function_)
      if (auto* ret = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator())) returns.push_back(ret);
    const bool waits = !exits_.empty(), ends = returns.size() > exits_.size();
    // Where all end nobody asks again, and where all go on nothing changes.
    if (!waits || (!ends && region_ > 0)) return;
    Value* alive = builder_.getTrue();
    if (!ends) {
      builder_.SetInsertPoint(entry_->getTerminator());
    } else {
      BasicBlock* last = BasicBlock::Create(module_.getContext(), "region.next", function_);
      builder_.SetInsertPoint(last);
      llvm::PHINode* next = builder_.CreatePHI(builder_.getInt32Ty(), static_cast<unsigned>(returns.size()), "next");
      for (llvm::ReturnInst* ret : returns) {
        next->addIncoming(ret->getReturnValue(), ret->getParent());
        llvm::ReplaceInstWithInst(ret, llvm::BranchInst::Create(last));
      }
      builder_.SetInsertPoint(builder_.CreateRet(next));
      alive = builder_.CreateICmpSGE(next, builder_.getInt32(0), "alive");
    }
    mark_uniform(*builder_.CreateCall(slot_primitive(module_, builder_.getInt1Ty(), false), {builder_.getInt32(alive_), alive}), alive_);
  }

  /// Keeps the region from lanes that have ended. In front of what is brought in: such a lane has left slots unwritten, and loads follow
  /// pointers from there.
  void leave_ended_out() {
    BasicBlock* first = BasicBlock::Create(module_.getContext(), "region.alive", function_, entry_);
    BasicBlock* ended = BasicBlock::Create(module_.getContext(), "region.ended", function_);
    for (Instruction& instruction : llvm::make_early_inc_range(*entry_))
      if (llvm::isa<llvm::AllocaInst>(instruction)) instruction.moveBefore(*first, first->end());
    builder_.SetInsertPoint(first);
    llvm::CallInst* alive = builder_.CreateCall(slot_primitive(module_, builder_.getInt1Ty(), true), builder_.getInt32(alive_), "alive");
    mark_uniform(*alive, alive_);
    builder_.CreateCondBr(alive, entry_, ended);
    llvm::ReturnInst::Create(module_.getContext(), builder_.getInt32(~0u), ended);
  }

  void mark_uniform(llvm::CallInst& access, int slot) const {
    if (plan_.slots[slot].uniform)
      access.setMetadata(primitive::kUniformMetadata, llvm::MDNode::get(module_.getContext(), {}));
  }

  /// Erases the values that the region does not use, whether brought in or computed.
  void clean_up() {
    for (bool changed = true; changed;) {
      changed = false;
      for (BasicBlock& block : *function_)
        for (Instruction& instruction : llvm::make_early_inc_range(llvm::reverse(block)))
          if (llvm::isInstructionTriviallyDead(&instruction)) {
            instruction.eraseFromParent();
            changed = true;
          }
    }
    for (BasicBlock& block : llvm::make_early_inc_range(*function_)) {
      if (block.getSinglePredecessor()) llvm::FoldSingleEntryPHINodes(&block);
      llvm::MergeBlockIntoPredecessor(&block);
    }
  }

  llvm::Function& item_;
  llvm::ArrayRef<Barrier> barriers_;
  const RegionValues& plan_;
  const llvm::UniformityInfo& uniformity_;  ///< of the item
  const int alive_;
  const bool asks_;
  const int region_;
  llvm::Module& module_;
  llvm::Function* function_ = nullptr;
  BasicBlock* entry_ = nullptr;
  llvm::IRBuilder<> builder_{module_.getContext()};
  llvm::ValueToValueMapTy map_;                              ///< item to region
  llvm::DenseSet<const BasicBlock*> blocks_;                 ///< of the item, in this region
  llvm::SmallVector<std::pair<BasicBlock*, int>, 8> exits_;  ///< of the region, and their barriers
  llvm::DenseMap<Instruction*, Value*> incoming_;
  llvm::DenseMap<Value*, int> loaded_from_;  ///< the slot of each loaded value
  llvm::SmallVector<Merge, 8> merges_;
  llvm::DenseMap<std::pair<Instruction*, BasicBlock*>, Value*> at_exit_;  ///< a merged value at an exit
};

}  // namespace

RegionSet split_regions(llvm::Module& module, llvm::Function& item, bool may_copy, Analyses& analyses) {
  llvm::removeUnreachableBlocks(item);
  llvm::StringRef kernel = item.getName();
  kernel.consume_back(".item");
  const std::string prefix = (kernel + ".region.").str();
  RegionSet result;
  const auto calls = find_barriers(item);
  if (calls.empty()) {
    item.setName(prefix + "0");
    result.privates = lower_private_memory(item, {});
    analyses.invalidate(item);
    result.regions.push_back(&item);
    return result;
  }

  hoist_extractions(item);
  analyses.invalidate(item);
  split_inductions(item, analyses);
  const auto barriers = split_blocks(calls);
  llvm::SmallVector<BasicBlock*, 8> exits;
  for (const Barrier& barrier : barriers) exits.push_back(barrier.exit);
  result.privates = lower_private_memory(item, exits);
  analyses.invalidate(item);
  RegionValues plan = plan_region_values(item, barriers, analyses);
  const llvm::UniformityInfo& uniformity = analyses.uniformity(item);
  int alive = -1;
  if (const Ends ends = how_ends(item, barriers, analyses); ends != Ends::kTogether) {
    alive = static_cast<int>(plan.slots.size());
    plan.slots.push_back({llvm::Type::getInt1Ty(item.getContext()), ends == Ends::kByWarps});
  }
  const auto build = [&](unsigned region, bool asks) {
    const std::string name = prefix + std::to_string(result.regions.size());
    result.regions.push_back(RegionBuilder(item, barriers, plan, uniformity, alive, asks, static_cast<int>(region), name).build());
  };
  build(0, false);
  const bool copies = alive >= 0 && may_copy && item.getInstructionCount() <= kMostCopied;
  for (unsigned region = 1; region <= barriers.size(); ++region) build(region, alive >= 0 && !copies);
  if (copies)
    for (unsigned region = 1; region <= barriers.size(); ++region) build(region, true);
  result.slots = std::move(plan.slots);
  analyses.functions().clear(item, item.getName());
  item.eraseFromParent();
  return result;
}

std::size_t without_copies(llvm::ArrayRef<llvm::Function*> regions) {
  std::size_t count = regions.size();
  if (!regions.empty() && regions.front()->hasFnAttribute(primitive::kEndsApartAttribute))
    regions.front()->getFnAttribute(primitive::kEndsApartAttribute).getValueAsString().getAsInteger(10, count);
  return count;
}

llvm::FunctionCallee slot_primitive(llvm::Module& module, llvm::Type* type, bool load) {
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* number = llvm::Type::getInt32Ty(context);
  const std::string name = ((load ? primitive::kSlotLoad : primitive::kSlotStore) + type_suffix(*type)).str();
  llvm::FunctionCallee callee =
      load ? module.getOrInsertFunction(name, type, number)
           : module.getOrInsertFunction(name, llvm::Type::getVoidTy(context), number, type);
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  function->setMemoryEffects(
      llvm::MemoryEffects::inaccessibleMemOnly(load ? llvm::ModRefInfo::Ref : llvm::ModRefInfo::ModRef));
  function->setDoesNotThrow();
  function->setWillReturn();
  return callee;
}

RegionSet find_regions(llvm::Module& module) {
  RegionSet result;
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || !function.getName().contains(".region.")) continue;
    result.regions.push_back(&function);
    for (Instruction& instruction : llvm::instructions(function)) {
      const llvm::StringRef name = called_name(instruction);
      const bool slot = name.starts_with(primitive::kSlotLoad) || name.starts_with(primitive::kSlotStore);
      if (!slot && name != primitive::kPrivate) continue;
      const auto& call = llvm::cast<llvm::CallInst>(instruction);
      const std::uint64_t number = llvm::cast<llvm::ConstantInt>(call.getArgOperand(0))->getZExtValue();
      if (slot) {
        if (result.slots.size() <= number) result.slots.resize(number + 1);
        llvm::Type* type = call.arg_size() == 1 ? call.getType() : call.getArgOperand(1)->getType();
        result.slots[number] = {type, call.hasMetadata(primitive::kUniformMetadata)};
      } else {
        if (result.privates.size() <= number) result.privates.resize(number + 1);
        result.privates[number] = {call.getRetDereferenceableBytes(), call.getRetAlign().valueOrOne().value(),
                                   interleaved_unit(call)};
      }
    }
  }
  return result;
}

}  // namespace weft::compiler::simt
