#include "compiler/simt/memory/by_lane.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/least_updates.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/memory/carried_elements.h"

namespace weft::compiler::simt {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

/// The private variables that `pointer` may point into; false where they are not known.
bool private_objects(const Value& pointer, llvm::SmallPtrSetImpl<const Value*>& objects) {
  llvm::SmallVector<const Value*, 4> found;
  llvm::getUnderlyingObjects(&pointer, found, nullptr, 0);
  for (const Value* object : found) {
    if (!llvm::isa<llvm::AllocaInst>(object) && called_name(*object) != primitive::kPrivate) return false;
    objects.insert(object);
  }
  return true;
}

bool has_plain_type(const llvm::Type& type) {
  if (const auto* vector = llvm::dyn_cast<llvm::VectorType>(&type)) return !vector->getElementType()->isPointerTy();
  return type.isSingleValueType() || type.isVoidTy();
}

/// A note to the compiler, of which a copy may do without.
bool is_note(const Instruction& instruction) {
  const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!intrinsic) return false;
  return intrinsic->isAssumeLikeIntrinsic() && intrinsic->use_empty();
}

LoopEnd find_end(const llvm::Loop& loop) {
  llvm::SmallVector<BasicBlock*, 4> exits;
  loop.getUniqueExitBlocks(exits);
  if (exits.size() == 1) return {exits.front(), {}};
  llvm::SmallSetVector<BasicBlock*, 4> ends(exits.begin(), exits.end());
  for (const BasicBlock* exit : exits)
    if (const BasicBlock* next = exit->getSingleSuccessor()) ends.insert(const_cast<BasicBlock*>(next));
  for (BasicBlock* end : ends) {
    LoopEnd result{end, {}};
    const bool meet = llvm::all_of(exits, [&](BasicBlock* exit) {
      if (exit == end) return true;
      result.tails.push_back(exit);
      return exit->getSingleSuccessor() == end &&
             llvm::all_of(llvm::predecessors(exit), [&](const BasicBlock* before) { return loop.contains(before); });
    });
    if (meet && !loop.contains(end)) return result;
  }
  return {};
}

namespace {

/// Values that cross a loop's border, beyond which the lanes would do little else than pass them.
constexpr unsigned kMostCrossing = 64;

/// In the function of one lane all pointers are plain ones.
class PlainPointers : public llvm::ValueMapTypeRemapper {
 public:
  llvm::Type* remapType(llvm::Type* type) override {
    return type->isPointerTy() ? llvm::PointerType::get(type->getContext(), 0) : type;
  }
};

/// What is computed from a constant and one other value in no time, so that it need not be passed.
bool is_cheap(const Value& value) {
  const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&value);
  return gep && gep->hasAllConstantIndices();
}

/// Blocks with one way in and one way out.
class Outliner {
 public:
  Outliner(llvm::Function& region, llvm::Loop& loop, llvm::DominatorTree& dominators, llvm::LoopInfo& loops, MayMove may_move)
      : region_(region), loop_(loop), dominators_(dominators), loops_(loops), may_move_(may_move) {
    for (BasicBlock* block : loop.blocks()) blocks_.insert(block);
    const LoopEnd end = find_end(loop);
    blocks_.insert(end.tails.begin(), end.tails.end());
    exit_ = end.exit;
  }

  /// Nothing has changed when it returns null. Dominators and loops are not kept up.
  llvm::Function* run(llvm::UniformityInfo& uniformity, bool any) {
    entry_ = loop_.getHeader();
    if (!exit_ || !find_crossing(uniformity, any)) return nullptr;
    before_ = loop_.getLoopPreheader();
    if (!before_) before_ = llvm::InsertPreheaderForLoop(&loop_, &dominators_, &loops_, nullptr, /*PreserveLCSSA=*/false);
    if (!before_) return nullptr;
    take_filling_stores();
    if (llvm::any_of(llvm::predecessors(exit_), [&](BasicBlock* block) { return !blocks_.contains(block); })) {
      llvm::SmallVector<BasicBlock*, 4> ours;
      for (BasicBlock* block : llvm::predecessors(exit_))
        if (blocks_.contains(block)) ours.push_back(block);
      exit_ = llvm::SplitBlockPredecessors(exit_, ours, ".by_lane");
    }
    collect_again();
    if (part_vectors()) collect_again();
    return outline();
  }

 private:
  bool is_inside(const Value& value) const {
    const auto* instruction = llvm::dyn_cast<Instruction>(&value);
    return instruction && blocks_.contains(const_cast<BasicBlock*>(instruction->getParent()));
  }

  void take_input(Value& value) {
    if (is_inside(value) || llvm::isa<BasicBlock>(value) || llvm::isa<llvm::Function>(value)) return;
    // Constants that are addresses keep their address space where they are.
    const bool address = llvm::isa<llvm::Constant>(value) && value.getType()->isPointerTy() &&
                         !llvm::isa<llvm::ConstantPointerNull>(value) && !llvm::isa<llvm::UndefValue>(value);
    if (!llvm::isa<Instruction>(value) && !llvm::isa<llvm::Argument>(value) && !address) return;
    if (is_cheap(value)) {
      auto& cheap = llvm::cast<Instruction>(value);
      for (Value* operand : cheap.operands()) take_input(*operand);
      cheap_.insert(&cheap);
      return;
    }
    inputs_.insert(&value);
  }

  void collect() {
    for (BasicBlock* block : blocks_)
      for (Instruction& instruction : *block) {
        if (is_note(instruction)) continue;
        for (Value* operand : instruction.operands()) take_input(*operand);
        for (llvm::Use& use : instruction.uses()) {
          auto* user = llvm::cast<Instruction>(use.getUser());
          const bool inside = blocks_.contains(user->getParent());
          const bool merged = llvm::isa<llvm::PHINode>(user) && user->getParent() == exit_;
          if (!inside && !merged) outputs_.insert(&instruction);
        }
      }
    for (llvm::PHINode& phi : exit_->phis()) {
      outputs_.insert(&phi);
      for (Value* value : phi.incoming_values()) take_input(*value);
    }
  }

  void collect_again() {
    inputs_.clear();
    cheap_.clear();
    outputs_.clear();
    collect();
  }

  /// A call returns a vector alone, or several numbers: of several results that are vectors, each component becomes one. Whether there were any.
  bool part_vectors() {
    if (outputs_.size() < 2) return false;
    bool changed = false;
    for (Instruction* value : llvm::SmallVector<Instruction*, 8>(outputs_.begin(), outputs_.end())) {
      const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
      if (!type) continue;
      changed = true;
      const auto* merged = is_inside(*value) ? nullptr : llvm::cast<llvm::PHINode>(value);
      llvm::IRBuilder<> builder(region_.getContext());
      llvm::SmallVector<Value*, 4> components;
      for (unsigned i = 0; i < type->getNumElements(); ++i) {
        if (!merged) {
          builder.SetInsertPoint(*value->getInsertionPointAfterDef());
          components.push_back(builder.CreateExtractElement(value, i));
          continue;
        }
        builder.SetInsertPoint(exit_, exit_->begin());
        auto* phi = builder.CreatePHI(type->getElementType(), merged->getNumIncomingValues());
        for (unsigned from = 0; from < merged->getNumIncomingValues(); ++from) {
          builder.SetInsertPoint(merged->getIncomingBlock(from)->getTerminator());
          phi->addIncoming(builder.CreateExtractElement(merged->getIncomingValue(from), i), merged->getIncomingBlock(from));
        }
        components.push_back(phi);
      }
      builder.SetInsertPoint(exit_, exit_->getFirstInsertionPt());
      Value* joined = llvm::PoisonValue::get(value->getType());
      for (unsigned i = 0; i < type->getNumElements(); ++i) joined = builder.CreateInsertElement(joined, components[i], i);
      value->replaceUsesWithIf(joined, [&](const llvm::Use& use) {
        auto* user = llvm::cast<Instruction>(use.getUser());
        return !blocks_.contains(user->getParent()) && !(llvm::isa<llvm::PHINode>(user) && user->getParent() == exit_) &&
               !llvm::is_contained(components, user);
      });
      if (merged && value->use_empty()) value->eraseFromParent();
    }
    return changed;
  }

  /// Of the loop alone. What comes out must be what differs between lanes: a count that they share serves the code behind.
  bool find_crossing(llvm::UniformityInfo& uniformity, bool any) {
    collect();
    std::size_t count = inputs_.size();
    for (const Instruction* value : outputs_) {
      const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
      count += vector && outputs_.size() > 1 ? vector->getNumElements() : 1;
    }
    if (count > kMostCrossing) return false;
    for (Value* value : inputs_)
      if (value->getType()->isAggregateType() || !has_plain_type(*value->getType())) return false;
    for (Instruction* value : outputs_) {
      if (value->getType()->isAggregateType() || !has_plain_type(*value->getType())) return false;
      // A number that lanes share while they run is their own once they leave at different times.
      if (!any && !uniformity.isDivergent(value) && llvm::none_of(value->uses(), [&](const llvm::Use& use) { return uniformity.isDivergentUse(use); })) return false;
    }
    return true;
  }

  /// Stores of constants that fill the loop's variables, at the end of the block in front of the loop or of that which skips it: they
  /// become a few wide ones for a lane, where for a warp they were scatters.
  void take_filling_stores() {
    BasicBlock* from = before_;
    if (BasicBlock* guard = before_->getSinglePredecessor(); guard && before_->sizeWithoutDebug() == 1) {
      const auto* branch = llvm::dyn_cast<llvm::BranchInst>(guard->getTerminator());
      const auto is_end = [&](const BasicBlock* block) { return block == before_ || block == exit_; };
      if (branch && branch->isConditional() && is_end(branch->getSuccessor(0)) && is_end(branch->getSuccessor(1)) &&
          branch->getSuccessor(0) != branch->getSuccessor(1))
        from = guard;
    }
    llvm::SmallPtrSet<const Value*, 8> own, later;
    for (BasicBlock* block : loop_.blocks())
      for (Instruction& instruction : *block)
        if (const Value* pointer = llvm::getLoadStorePointerOperand(&instruction))
          if (pointer->getType()->getPointerAddressSpace() == kPrivateSpace) private_objects(*pointer, own);
    llvm::SmallVector<Instruction*, 16> stores;
    for (Instruction& instruction : llvm::drop_begin(llvm::reverse(*from))) {
      if (!instruction.mayReadOrWriteMemory()) continue;
      const Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
      if (!pointer) break;
      const unsigned space = pointer->getType()->getPointerAddressSpace();
      if (space != kPrivateSpace && space != kGenericSpace) continue;
      llvm::SmallPtrSet<const Value*, 4> objects;
      if (!private_objects(*pointer, objects)) break;
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      const bool movable = store && llvm::isa<llvm::Constant>(store->getValueOperand()) && may_move_(instruction) &&
                           llvm::all_of(objects, [&](const Value* object) {
                             return own.contains(object) && !later.contains(object);
                           });
      if (movable)
        stores.push_back(&instruction);
      else
        later.insert(objects.begin(), objects.end());
    }
    if (stores.empty()) return;
    for (Instruction* store : llvm::reverse(stores)) store->moveBefore(from->getTerminator());
    BasicBlock* head = llvm::SplitBlock(from, stores.back());
    if (from == before_) before_ = head;
    blocks_.insert(head);
    blocks_.insert(before_);
    entry_ = head;
    before_ = from;
  }

  llvm::Function* outline() {
    llvm::LLVMContext& context = region_.getContext();
    PlainPointers plain;
    llvm::SmallVector<llvm::Type*, 8> types, results;
    for (Value* value : inputs_) types.push_back(plain.remapType(value->getType()));
    for (Instruction* value : outputs_) results.push_back(plain.remapType(value->getType()));
    llvm::Type* result = results.empty()       ? llvm::Type::getVoidTy(context)
                         : results.size() == 1 ? results.front()
                                               : static_cast<llvm::Type*>(llvm::StructType::get(context, results));
    // The call's operands keep their address spaces, which only widening takes off.
    llvm::SmallVector<llvm::Type*, 8> parameters;
    for (Value* value : inputs_) parameters.push_back(value->getType());
    auto* function = llvm::Function::Create(llvm::FunctionType::get(result, parameters, false), llvm::GlobalValue::InternalLinkage,
                                            "by_lane", region_.getParent());
    function->addFnAttr(llvm::Attribute::AlwaysInline);
    function->addFnAttr(llvm::Attribute::NoUnwind);

    auto* start = BasicBlock::Create(context, "lane.entry", function);
    auto* done = BasicBlock::Create(context, "lane.done", function);
    llvm::ValueToValueMapTy map;
    llvm::IRBuilder<> builder(start);
    for (unsigned i = 0; i < inputs_.size(); ++i) {
      llvm::Argument* argument = function->getArg(i);
      argument->setName(inputs_[i]->getName());
      map[inputs_[i]] = argument->getType() == types[i]
                            ? static_cast<Value*>(argument)
                            : builder.CreateAddrSpaceCast(argument, types[i], argument->getName());
    }
    for (Instruction* cheap : cheap_) map[cheap] = builder.Insert(cheap->clone(), cheap->getName());
    for (BasicBlock* block : blocks_) {
      auto* copy = BasicBlock::Create(context, block->getName(), function, done);
      map[block] = copy;
      for (Instruction& instruction : *block) {
        if (is_note(instruction)) continue;
        Instruction* one = instruction.clone();
        one->insertInto(copy, copy->end());
        if (instruction.hasName()) one->setName(instruction.getName());
        map[&instruction] = one;
      }
    }
    map[before_] = start;
    map[exit_] = done;
    builder.CreateBr(llvm::cast<BasicBlock>(map[entry_]));
    builder.SetInsertPoint(done);
    for (llvm::PHINode& phi : exit_->phis()) map[&phi] = builder.Insert(phi.clone(), phi.getName());
    for (BasicBlock& block : *function)
      for (Instruction& instruction : llvm::make_early_inc_range(block)) finish(instruction, map, plain);
    give_back(builder, *function, map);
    ask_before_updates(*function);
    carry_elements(*function);
    call(*function, result);
    return function;
  }

  static void ask_before_updates(llvm::Function& function) {
    llvm::SmallVector<llvm::AtomicRMWInst*, 4> updates;
    for (BasicBlock& block : function)
      for (Instruction& instruction : block)
        if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction); update && keeping(update->getOperation())) updates.push_back(update);
    for (llvm::AtomicRMWInst* update : updates) {
      llvm::IRBuilder<> builder(update);
      Value* changes = look_first(*update, llvm::CmpInst::getInversePredicate(*keeping(update->getOperation())), builder).holds;
      update->moveBefore(llvm::SplitBlockAndInsertIfThen(changes, update->getIterator(), /*Unreachable=*/false));
    }
  }

  /// Of the copies: operands, and what held lanes together.
  void finish(Instruction& instruction, llvm::ValueToValueMapTy& map, PlainPointers& plain) {
    instruction.setDebugLoc(llvm::DebugLoc());
    if (!instruction.getNumOperands()) return;
    const auto* argument = llvm::dyn_cast<llvm::Argument>(instruction.getOperand(0));
    if (llvm::isa<llvm::AddrSpaceCastInst>(instruction) && argument && argument->getParent() == instruction.getFunction()) return;
    const bool is_access = llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction);
    auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction);
    // Nobody but the group's only thread gets at local memory.
    const bool is_local = (is_access ? llvm::getLoadStoreAddressSpace(&instruction) : exchange ? exchange->getPointerAddressSpace() : kGlobalSpace) == kLocalSpace;
    llvm::RemapInstruction(&instruction, map, llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals, &plain);
    if (exchange) {
      if (is_local) llvm::lowerAtomicCmpXchgInst(exchange);
      return;
    }
    if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) update->setVolatile(false);
    if (is_access && (is_local || instruction.hasMetadata(primitive::kNonVolatileMetadata))) {
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) load->setVolatile(false);
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) store->setVolatile(false);
      instruction.setMetadata(primitive::kNonVolatileMetadata, nullptr);
    }
    instruction.setMetadata(primitive::kDivergentMetadata, nullptr);
    // Without its declaration in the loop, a scope would speak of all iterations at once.
    instruction.setMetadata(llvm::LLVMContext::MD_alias_scope, nullptr);
    instruction.setMetadata(llvm::LLVMContext::MD_noalias, nullptr);
  }

  void give_back(llvm::IRBuilder<>& builder, llvm::Function& function, llvm::ValueToValueMapTy& map) {
    if (outputs_.empty()) {
      builder.CreateRetVoid();
    } else if (outputs_.size() == 1) {
      builder.CreateRet(map[outputs_.front()]);
    } else {
      Value* all = llvm::PoisonValue::get(function.getReturnType());
      for (unsigned i = 0; i < outputs_.size(); ++i) all = builder.CreateInsertValue(all, map[outputs_[i]], i);
      builder.CreateRet(all);
    }
    // Casts that cast nothing any more.
    for (BasicBlock& block : function)
      for (Instruction& instruction : llvm::make_early_inc_range(block))
        if (auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(&instruction); cast && cast->getSrcTy() == cast->getDestTy()) {
          cast->replaceAllUsesWith(cast->getOperand(0));
          cast->eraseFromParent();
        }
  }

  /// The call takes the blocks' place.
  void call(llvm::Function& function, llvm::Type* result) {
    auto* block = BasicBlock::Create(region_.getContext(), "by_lane", &region_, exit_);
    llvm::IRBuilder<> builder(block);
    const llvm::SmallVector<Value*, 8> operands(inputs_.begin(), inputs_.end());
    llvm::CallInst* all = builder.CreateCall(&function, operands);
    if (!result->isVoidTy()) all->setName("by_lane");
    const llvm::SmallVector<Instruction*, 8> outputs(outputs_.begin(), outputs_.end());
    for (unsigned i = 0; i < outputs.size(); ++i) {
      Instruction* output = outputs[i];
      Value* value = outputs.size() == 1 ? static_cast<Value*>(all) : builder.CreateExtractValue(all, i, output->getName());
      // What the function returns is a plain pointer.
      if (value->getType() != output->getType()) value = builder.CreateAddrSpaceCast(value, output->getType());
      output->replaceUsesWithIf(value, [&](llvm::Use& use) {
        auto* user = llvm::cast<Instruction>(use.getUser());
        if (blocks_.contains(user->getParent())) return false;
        return output->getParent() == exit_ || !llvm::isa<llvm::PHINode>(user) || user->getParent() != exit_;
      });
    }
    builder.CreateBr(exit_);
    for (llvm::PHINode& phi : llvm::make_early_inc_range(exit_->phis())) phi.eraseFromParent();
    before_->getTerminator()->replaceSuccessorWith(entry_, block);
    for (BasicBlock* old : blocks_) old->dropAllReferences();
    for (BasicBlock* old : blocks_) old->eraseFromParent();
  }

  llvm::Function& region_;
  llvm::Loop& loop_;
  llvm::DominatorTree& dominators_;
  llvm::LoopInfo& loops_;
  MayMove may_move_;
  llvm::SmallSetVector<BasicBlock*, 16> blocks_;
  BasicBlock* before_ = nullptr;  ///< leads to entry_
  BasicBlock* entry_ = nullptr;
  BasicBlock* exit_ = nullptr;
  llvm::SmallSetVector<Value*, 16> inputs_;
  llvm::SmallSetVector<Instruction*, 16> cheap_;  ///< operands first
  llvm::SmallSetVector<Instruction*, 16> outputs_;
};
}  // namespace

llvm::Function* outline_by_lane(llvm::Function& region, llvm::Loop& loop, llvm::DominatorTree& dominators, llvm::LoopInfo& loops,
                                llvm::UniformityInfo& uniformity, bool any, MayMove may_move) {
  return Outliner(region, loop, dominators, loops, may_move).run(uniformity, any);
}

}  // namespace weft::compiler::simt
