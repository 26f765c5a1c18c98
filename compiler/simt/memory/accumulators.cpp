#include "compiler/simt/memory/accumulators.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/DomTreeUpdater.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/memory_order.h"
#include "compiler/simt/memory/element_access.h"
#include "compiler/simt/memory/region_loops.h"

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::Value;

/// Of one loop: more would not find registers.
constexpr std::size_t kMostElements = 16;
/// Bytes of which all are accessible if the first and the last are.
constexpr std::int64_t kPage = 4096;

class Accumulators : RegionLoops {
 public:
  using RegionLoops::RegionLoops;

  bool run() {
    if (!has_candidates()) return false;
    llvm::FunctionPassManager canonical;
    canonical.addPass(llvm::LoopSimplifyPass());
    const llvm::PreservedAnalyses preserved = canonical.run(region_, manager_);
    manager_.invalidate(region_, preserved);
    bool changed = !preserved.areAllPreserved();
    llvm::SmallVector<llvm::BasicBlock*, 8> headers;
    for (llvm::Loop* loop : loops().getLoopsInPreorder()) headers.push_back(loop->getHeader());
    // Inner loops first.
    for (llvm::BasicBlock* header : llvm::reverse(headers)) changed |= keep_in(*loops().getLoopFor(header));
    return changed;
  }

 private:
  /// Elements beside each other, of one base.
  struct Group {
    const Value* base;
    llvm::SmallVector<ElementAccess, 8> accesses;
  };

  /// Whether some loop stores to a place that it does not change: costs next to nothing where none does.
  bool has_candidates() {
    if (loops().empty()) return false;
    return llvm::any_of(llvm::instructions(region_), [&](Instruction& instruction) {
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      const llvm::Loop* loop = store ? loops().getLoopFor(store->getParent()) : nullptr;
      return loop && accesses_shared(*store) && loop->isLoopInvariant(const_cast<Value*>(store->getPointerOperand()));
    });
  }

  bool keep_in(llvm::Loop& loop) {
    llvm::BasicBlock* latch = loop.getLoopLatch();
    if (!latch || loop.getExitingBlock() != latch || !loop.getLoopPreheader() || !loop.hasDedicatedExits()) return false;
    auto plain = plain_accesses(loop);
    if (!plain) return false;
    llvm::SmallVector<ElementAccess, 16>& accesses = *plain;
    const auto is_kept = [&](const ElementAccess& access) { return accesses_shared(*access.instruction) && loop.isLoopInvariant(access.base); };
    if (llvm::none_of(accesses, [&](const ElementAccess& access) { return llvm::isa<llvm::StoreInst>(access.instruction) && is_kept(access); })) return false;
    llvm::MapVector<const Value*, Group> groups;
    for (const ElementAccess& access : accesses) {
      if (!is_kept(access)) continue;
      Group& group = groups[access.base];
      group.base = access.base;
      group.accesses.push_back(access);
    }
    bool changed = false;
    std::size_t kept = 0;
    for (auto& [base, group] : groups) {
      if (kept >= kMostElements) break;
      auto elements = elements_of(group);
      if (elements.empty() || kept + elements.size() > kMostElements) continue;
      if (is_accessed_otherwise(group, accesses) || !may_keep(group, loop)) continue;
      for (auto& element : elements) promote(element, loop);
      kept += elements.size();
      changed = true;
      llvm::erase_if(accesses, [&](const ElementAccess& access) { return access.base == base; });
    }
    if (changed) analyses_.invalidate(region_);
    return changed;
  }

  /// The accesses of each element, by place; none where elements overlap.
  static llvm::SmallVector<llvm::SmallVector<Instruction*, 8>, 4> elements_of(Group& group) {
    llvm::stable_sort(group.accesses, [](const ElementAccess& a, const ElementAccess& b) { return a.offset < b.offset; });
    llvm::SmallVector<llvm::SmallVector<Instruction*, 8>, 4> elements;
    const ElementAccess* before = nullptr;
    for (const ElementAccess& access : group.accesses) {
      const llvm::Type* type = llvm::getLoadStoreType(access.instruction);
      if (before && access.offset == before->offset) {
        if (type != llvm::getLoadStoreType(before->instruction)) return {};
      } else {
        if (before && access.offset < before->end()) return {};
        elements.emplace_back();
      }
      before = &access;
      elements.back().push_back(access.instruction);
    }
    return elements;
  }

  bool is_accessed_otherwise(const Group& group, llvm::ArrayRef<ElementAccess> accesses) {
    return llvm::any_of(accesses, [&](const ElementAccess& other) {
      if (other.base == group.base) return false;
      return llvm::any_of(group.accesses, [&](const ElementAccess& own) {
        if (llvm::isa<llvm::LoadInst>(other.instruction) && llvm::isa<llvm::LoadInst>(own.instruction)) return false;
        return may_meet(*own.instruction, *other.instruction);
      });
    });
  }

  /// Bytes of which the distance between any two lanes' `base` is a multiple; 0 where that is not known, or no lane's differs.
  std::optional<std::uint64_t> distance(const Value& base) {
    llvm::UniformityInfo& uniformity = analyses_.uniformity(region_);
    const llvm::DataLayout& layout = region_.getParent()->getDataLayout();
    std::uint64_t divisor = 0;
    const Value* pointer = &base;
    while (!uniformity.isUniform(pointer)) {
      const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(pointer);
      if (!gep) return std::nullopt;
      llvm::MapVector<Value*, llvm::APInt> variables;
      llvm::APInt constant(layout.getIndexTypeSizeInBits(gep->getType()), 0);
      if (!gep->collectOffset(layout, constant.getBitWidth(), variables, constant)) return std::nullopt;
      for (const auto& [index, scale] : variables)
        if (!uniformity.isUniform(index)) divisor = std::gcd(divisor, static_cast<std::uint64_t>(std::abs(scale.getSExtValue())));
      if (!gep->isInBounds() && divisor) divisor &= ~divisor + 1;  // sums may wrap around
      pointer = gep->getPointerOperand();
    }
    return divisor;
  }

  /// Whether registers gain, and no lane can tell.
  bool may_keep(const Group& group, const llvm::Loop& loop) {
    const std::int64_t span = std::max_element(group.accesses.begin(), group.accesses.end(), [](const ElementAccess& a, const ElementAccess& b) {
                                return a.end() < b.end();
                              })->end() - group.accesses.front().offset;
    const llvm::DominatorTree& dominators = this->dominators();
    const auto always = [&](const ElementAccess& access) {
      return dominators.dominates(access.instruction->getParent(), loop.getLoopLatch());
    };
    const Shapes shapes(region_, specialization_, lanes_, private_stride_);
    const Shape shape = shapes[*group.base];
    if (shape.is_affine() && !shape.checked && shape.segment == lanes_ && std::abs(shape.stride) >= span)
      return all_accessible(group, loop, always);
    if (!all_added_to(group, always)) return false;
    const std::optional<std::uint64_t> apart = distance(*group.base);
    if (!apart || (*apart != 0 && *apart < static_cast<std::uint64_t>(span))) return false;
    if (analyses_.uniformity(region_).hasDivergentTerminator(*loop.getLoopLatch())) return false;
    if (!llvm::all_of(group.accesses, [&](const ElementAccess& access) {
          return always(access) && loops().getLoopFor(access.instruction->getParent()) == &loop;
        }))
      return false;
    return goes_nowhere_else(group, loop);
  }

  /// Whether each element is loaded, and stored in each iteration.
  static bool all_added_to(const Group& group, llvm::function_ref<bool(const ElementAccess&)> always) {
    for (std::size_t i = 0; i < group.accesses.size();) {
      bool loaded = false, stored = false;
      const std::int64_t offset = group.accesses[i].offset;
      for (; i < group.accesses.size() && group.accesses[i].offset == offset; ++i) {
        loaded |= llvm::isa<llvm::LoadInst>(group.accesses[i].instruction);
        stored |= llvm::isa<llvm::StoreInst>(group.accesses[i].instruction) && always(group.accesses[i]);
      }
      if (!loaded || !stored) return false;
    }
    return true;
  }

  /// Whether each element lies between others, up to itself, that all iterations access, or the region in front of `loop`, and may so be loaded whether the
  /// program would or not.
  bool all_accessible(const Group& group, const llvm::Loop& loop, llvm::function_ref<bool(const ElementAccess&)> always) {
    std::int64_t begin = std::numeric_limits<std::int64_t>::max(), end = std::numeric_limits<std::int64_t>::min();
    const auto add = [&](const ElementAccess& access) {
      begin = std::min(begin, access.offset);
      end = std::max(end, access.end());
    };
    const auto is_between = [&](const ElementAccess& access) { return access.offset >= begin && access.end() <= end; };
    for (const ElementAccess& access : group.accesses)
      if (always(access)) add(access);
    if (end - begin <= kPage && llvm::all_of(group.accesses, is_between)) return true;
    for (llvm::BasicBlock& block : region_) {
      if (!dominators().dominates(&block, loop.getLoopPreheader())) continue;
      for (Instruction& instruction : block)
        if (llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction))
          if (const ElementAccess access = element_access(instruction); access.base == group.base) add(access);
    }
    return end - begin <= kPage && llvm::all_of(group.accesses, is_between);
  }

  /// Whether what is loaded goes into what is stored to `group` alone.
  static bool goes_nowhere_else(const Group& group, const llvm::Loop& loop) {
    llvm::SmallPtrSet<const Instruction*, 32> seen, own;
    llvm::SmallVector<const Instruction*, 32> left;
    for (const ElementAccess& access : group.accesses) {
      own.insert(access.instruction);
      if (llvm::isa<llvm::LoadInst>(access.instruction)) left.push_back(access.instruction);
    }
    while (!left.empty()) {
      const Instruction* value = left.pop_back_val();
      if (!seen.insert(value).second) continue;
      for (const llvm::Use& use : value->uses()) {
        const auto* user = llvm::cast<Instruction>(use.getUser());
        if (!loop.contains(user)) return false;
        if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
          if (!own.contains(store) || use.getOperandNo() != 0) return false;
          continue;
        }
        if (user->isTerminator() || user->mayReadOrWriteMemory() || user->getType()->isVoidTy()) return false;
        left.push_back(user);
      }
    }
    return true;
  }

  void promote(llvm::ArrayRef<Instruction*> element, llvm::Loop& loop) {
    llvm::BasicBlock* exit = loop.getExitBlock();
    Instruction& first = *element.front();
    llvm::StoreInst* last = nullptr;
    llvm::Align align(1);
    for (Instruction* access : element) {
      align = std::max(align, llvm::getLoadStoreAlignment(access));
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(access)) last = store;
    }
    llvm::Type* type = llvm::getLoadStoreType(&first);
    Value* pointer = llvm::getLoadStorePointerOperand(&first);
    // A pointer within the loop may be a constant offset behind what is invariant.
    llvm::SmallVector<Instruction*, 4> moved;
    for (auto* at = llvm::dyn_cast<Instruction>(pointer); at && loop.contains(at); at = llvm::dyn_cast<Instruction>(at->getOperand(0)))
      moved.push_back(at);
    for (Instruction* at : llvm::reverse(moved)) at->moveBefore(loop.getLoopPreheader()->getTerminator());
    const auto copy_marks = [](Instruction& to, const Instruction& from) {
      to.copyMetadata(from, {llvm::LLVMContext::MD_alias_scope, llvm::LLVMContext::MD_noalias, llvm::LLVMContext::MD_tbaa,
                             from.getContext().getMDKindID(primitive::kNonVolatileMetadata)});
      to.setDebugLoc(from.getDebugLoc());
    };
    const bool is_loaded = llvm::any_of(element, [](const Instruction* access) { return llvm::isa<llvm::LoadInst>(access); });
    const bool always_stored = llvm::any_of(element, [&](const Instruction* access) {
      return llvm::isa<llvm::StoreInst>(access) && dominators().dominates(access->getParent(), loop.getLoopLatch());
    });
    Value* before = llvm::PoisonValue::get(type);
    if (is_loaded) {
      auto* load = new llvm::LoadInst(type, pointer, "kept", first.isVolatile(), align, loop.getLoopPreheader()->getTerminator());
      copy_marks(*load, first);
      before = load;
    }
    llvm::SSAUpdater updater, stored;
    Value* is_stored = nullptr;
    if (last && !always_stored) {
      llvm::Type* bit = llvm::Type::getInt1Ty(region_.getContext());
      stored.Initialize(bit, "kept.stored");
      stored.AddAvailableValue(loop.getLoopPreheader(), llvm::ConstantInt::getFalse(bit));
      for (const Instruction* access : element)
        if (llvm::isa<llvm::StoreInst>(access)) stored.AddAvailableValue(const_cast<llvm::BasicBlock*>(access->getParent()), llvm::ConstantInt::getTrue(bit));
      is_stored = stored.GetValueInMiddleOfBlock(exit);
    }
    const auto store_last = [&] {  // with a name: the promoter refers to it
      if (!last) return;
      Value* value = updater.GetValueInMiddleOfBlock(exit);
      Instruction* behind = &*exit->getFirstInsertionPt();
      if (is_stored) {
        llvm::DomTreeUpdater updates(dominators(), llvm::DomTreeUpdater::UpdateStrategy::Eager);
        behind = llvm::SplitBlockAndInsertIfThen(is_stored, behind->getIterator(), /*Unreachable=*/false, /*BranchWeights=*/nullptr, &updates, &loops());
      }
      auto* store = new llvm::StoreInst(value, pointer, last->isVolatile(), align, behind);
      copy_marks(*store, *last);
    };
    Promoter promoter(element, updater, store_last);
    updater.AddAvailableValue(loop.getLoopPreheader(), before);
    llvm::SmallVector<Instruction*, 8> accesses(element.begin(), element.end());
    promoter.run(accesses);
  }

  class Promoter : public llvm::LoadAndStorePromoter {
   public:
    Promoter(llvm::ArrayRef<Instruction*> accesses, llvm::SSAUpdater& updater, llvm::function_ref<void()> store)
        : LoadAndStorePromoter(llvm::SmallVector<const Instruction*, 8>(accesses.begin(), accesses.end()), updater), store_(store) {}
    void doExtraRewritesBeforeFinalDeletion() override { store_(); }

   private:
    llvm::function_ref<void()> store_;
  };
};

}  // namespace

bool keep_accumulators(llvm::Function& region, const Specialization& specialization, unsigned lanes,
                       llvm::function_ref<std::uint32_t(unsigned)> private_stride, Analyses& analyses) {
  return Accumulators(region, specialization, lanes, private_stride, analyses).run();
}

}  // namespace weft::compiler::simt
