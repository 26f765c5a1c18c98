#include "compiler/simt/memory/accumulators.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/memory_order.h"
#include "compiler/simt/memory/region_loops.h"

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::Value;

/// Of one loop: more would not find registers.
constexpr std::size_t kMostElements = 16;

unsigned address_space(const Instruction& access) { return llvm::getLoadStorePointerOperand(&access)->getType()->getPointerAddressSpace(); }

/// An access by its place: bytes from `base`, a pointer that has no constant offset.
struct Access {
  Instruction* instruction = nullptr;
  const Value* base = nullptr;
  std::int64_t offset = 0, bytes = 0;
  std::int64_t end() const { return offset + bytes; }
};

Access access_of(Instruction& instruction) {
  const llvm::DataLayout& layout = instruction.getModule()->getDataLayout();
  const Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
  llvm::APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  const Value* base = pointer->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  const auto bytes = layout.getTypeStoreSize(llvm::getLoadStoreType(&instruction)).getFixedValue();
  return {&instruction, base, offset.getSExtValue(), static_cast<std::int64_t>(bytes)};
}

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
    llvm::SmallVector<Access, 8> accesses;
  };


  static bool is_shared(const Instruction& access) {
    const unsigned space = address_space(access);
    return space == kGlobalSpace || space == kLocalSpace;
  }

  /// Whether some loop stores to a place that it does not change: costs next to nothing where none does.
  bool has_candidates() {
    if (loops().empty()) return false;
    return llvm::any_of(llvm::instructions(region_), [&](Instruction& instruction) {
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      const llvm::Loop* loop = store ? loops().getLoopFor(store->getParent()) : nullptr;
      return loop && is_shared(*store) && loop->isLoopInvariant(const_cast<Value*>(store->getPointerOperand()));
    });
  }

  bool keep_in(llvm::Loop& loop) {
    llvm::BasicBlock* latch = loop.getLoopLatch();
    if (!latch || loop.getExitingBlock() != latch || !loop.getLoopPreheader() || !loop.hasDedicatedExits()) return false;
    llvm::SmallVector<Access, 16> accesses;
    bool stores = false;
    for (llvm::BasicBlock* block : loop.blocks())
      for (Instruction& instruction : *block) {
        if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction)) {
          if (keeps_order(instruction)) return false;
          continue;
        }
        if (instruction.isAtomic() || asked_volatile(instruction)) return false;
        accesses.push_back(access_of(instruction));
        stores |= llvm::isa<llvm::StoreInst>(instruction) && is_shared(instruction) && loop.isLoopInvariant(accesses.back().base);
      }
    if (!stores) return false;
    llvm::MapVector<const Value*, Group> groups;
    for (const Access& access : accesses) {
      if (!is_shared(*access.instruction) || !loop.isLoopInvariant(access.base)) continue;
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
      llvm::erase_if(accesses, [&](const Access& access) { return access.base == base; });
    }
    if (changed) analyses_.invalidate(region_);
    return changed;
  }

  /// The accesses of each element, by place; none where elements overlap.
  static llvm::SmallVector<llvm::SmallVector<Instruction*, 8>, 4> elements_of(Group& group) {
    llvm::stable_sort(group.accesses, [](const Access& a, const Access& b) { return a.offset < b.offset; });
    llvm::SmallVector<llvm::SmallVector<Instruction*, 8>, 4> elements;
    const Access* before = nullptr;
    for (const Access& access : group.accesses) {
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

  bool is_accessed_otherwise(const Group& group, llvm::ArrayRef<Access> accesses) {
    return llvm::any_of(accesses, [&](const Access& other) {
      if (other.base == group.base) return false;
      return llvm::any_of(group.accesses, [&](const Access& own) {
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
    const std::int64_t span = std::max_element(group.accesses.begin(), group.accesses.end(), [](const Access& a, const Access& b) {
                                return a.end() < b.end();
                              })->end() - group.accesses.front().offset;
    const llvm::DominatorTree& dominators = this->dominators();
    const auto always = [&](const Access& access) {
      return dominators.dominates(access.instruction->getParent(), loop.getLoopLatch());
    };
    // Each element is loaded, and stored in each iteration.
    for (std::size_t i = 0; i < group.accesses.size();) {
      bool loaded = false, stored = false;
      const std::int64_t offset = group.accesses[i].offset;
      for (; i < group.accesses.size() && group.accesses[i].offset == offset; ++i) {
        loaded |= llvm::isa<llvm::LoadInst>(group.accesses[i].instruction);
        stored |= llvm::isa<llvm::StoreInst>(group.accesses[i].instruction) && always(group.accesses[i]);
      }
      if (!loaded || !stored) return false;
    }
    const Shapes shapes(region_, specialization_, lanes_, private_stride_);
    const Shape shape = shapes[*group.base];
    if (shape.is_affine() && !shape.checked && shape.segment == lanes_ && std::abs(shape.stride) >= span) return true;
    const std::optional<std::uint64_t> apart = distance(*group.base);
    if (!apart || (*apart != 0 && *apart < static_cast<std::uint64_t>(span))) return false;
    if (analyses_.uniformity(region_).hasDivergentTerminator(*loop.getLoopLatch())) return false;
    if (!llvm::all_of(group.accesses, [&](const Access& access) {
          return always(access) && loops().getLoopFor(access.instruction->getParent()) == &loop;
        }))
      return false;
    return goes_nowhere_else(group, loop);
  }

  /// Whether what is loaded goes into what is stored to `group` alone.
  static bool goes_nowhere_else(const Group& group, const llvm::Loop& loop) {
    llvm::SmallPtrSet<const Instruction*, 32> seen, own;
    llvm::SmallVector<const Instruction*, 32> left;
    for (const Access& access : group.accesses) {
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
    auto* load = new llvm::LoadInst(type, pointer, "kept", first.isVolatile(), align, loop.getLoopPreheader()->getTerminator());
    copy_marks(*load, first);

    llvm::SSAUpdater updater;
    const auto store_last = [&] {  // with a name: the promoter refers to it
      Value* value = updater.GetValueInMiddleOfBlock(exit);
      auto* store = new llvm::StoreInst(value, pointer, last->isVolatile(), align, &*exit->getFirstInsertionPt());
      copy_marks(*store, *last);
    };
    Promoter promoter(element, updater, store_last);
    updater.AddAvailableValue(loop.getLoopPreheader(), load);
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
