#include "compiler/simt/barriers/warp_barriers.h"

#include <map>
#include <vector>

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "compiler/simt/analysis/block_lanes.h"
#include "compiler/simt/analysis/divergent_blocks.h"
#include "compiler/simt/analysis/local_places.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/memory_order.h"
#include "compiler/simt/ir/primitives.h"
#include "device/kernel_abi.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;

/// No device has more local memory.
constexpr std::int64_t kMostBytes = 64 << 10;

/// What is accessed on one side of a barrier.
struct SideAccesses {
  std::vector<const Instruction*> local, others;  ///< those of private memory in neither
  bool has_unknown = false;                       ///< something that is no plain access
};

/// Of each byte of an object the warp whose work-items access it.
class Bytes {
 public:
  void add(std::size_t byte, int warp) {
    if (warps_.size() <= byte) warps_.resize(byte + 1, kNone);
    int& known = warps_[byte];
    known = known == kNone || known == warp ? warp : kSeveral;
  }
  /// Whether another warp than `warp` accesses it.
  bool has_other(std::size_t byte, int warp) const { return byte < warps_.size() && warps_[byte] != kNone && warps_[byte] != warp; }

 private:
  static constexpr int kNone = -1, kSeveral = -2;
  std::vector<int> warps_;
};

class WarpBarriers {
 public:
  WarpBarriers(llvm::Function& item, const Specialization& specialization, unsigned lanes)
      : item_(item), layout_(item.getParent()->getDataLayout()), values_(item, specialization, lanes), places_(values_, layout_), dominators_(item),
        post_dominators_(item), loops_(dominators_), running_(item, values_, dominators_, post_dominators_, loops_) {}

  KeptBarriers run() {
    std::vector<Instruction*> barriers;
    for (Instruction& instruction : llvm::instructions(item_))
      if (is_barrier(instruction)) barriers.push_back(&instruction);
    KeptBarriers result{.kept = 0, .before = static_cast<unsigned>(barriers.size())};
    // One by one: what is dropped joins what is on both sides of the next.
    for (Instruction* barrier : barriers) {
      if (orders_warps(*barrier))
        ++result.kept;
      else
        barrier->eraseFromParent();
    }
    return result;
  }

 private:
  bool orders_warps(const Instruction& barrier) {
    const SideAccesses before = accesses(barrier, false), behind = accesses(barrier, true);
    if (before.has_unknown || behind.has_unknown) return true;
    for (const Instruction* first : before.others)
      for (const Instruction* second : behind.others)
        if ((llvm::isa<llvm::StoreInst>(first) || llvm::isa<llvm::StoreInst>(second)) && may_meet(*first, *second)) return true;
    struct Object {
      Bytes read, written;
    };
    std::map<const llvm::Value*, Object> objects;
    bool all_known = true;
    for (const Instruction* access : before.local)
      all_known &= for_each_byte(*access, [&](const llvm::Value* object, std::size_t byte, int warp) {
        Object& bytes = objects[object];
        (llvm::isa<llvm::StoreInst>(access) ? bytes.written : bytes.read).add(byte, warp);
        return true;
      });
    for (const Instruction* access : behind.local)
      all_known = all_known && for_each_byte(*access, [&](const llvm::Value* object, std::size_t byte, int warp) {
        const Object& bytes = objects[object];
        return !bytes.written.has_other(byte, warp) && !(llvm::isa<llvm::StoreInst>(access) && bytes.read.has_other(byte, warp));
      });
    return !all_known;
  }

  /// Calls `see` for the bytes that each work-item accesses, with its warp, until it returns false. False, too, if they are not known.
  bool for_each_byte(const Instruction& access, llvm::function_ref<bool(const llvm::Value* object, std::size_t byte, int warp)> see) {
    const LocalPlaces::Place* place = places_.of(*llvm::getLoadStorePointerOperand(&access));
    if (!place) return false;
    const auto bytes = static_cast<std::int64_t>(layout_.getTypeStoreSize(llvm::getLoadStoreType(const_cast<Instruction*>(&access))).getFixedValue());
    for (const unsigned lane : running_[*access.getParent()].possible.set_bits()) {
      const std::int64_t first = place->offsets[lane];
      if (first < 0 || first + bytes > kMostBytes) return false;
      for (std::int64_t byte = first; byte < first + bytes; ++byte)
        if (!see(place->object, static_cast<std::size_t>(byte), static_cast<int>(lane / abi::kWarpSize))) return false;
    }
    return true;
  }

  /// What work-items may access between `barrier` and the barriers before it, or `behind` it.
  SideAccesses accesses(const Instruction& barrier, bool behind) {
    SideAccesses result;
    llvm::SmallPtrSet<const BasicBlock*, 16> seen;
    llvm::SmallVector<const BasicBlock*, 16> left;
    const auto go_on = [&](const BasicBlock& block) {
      if (behind)
        left.append(llvm::succ_begin(&block), llvm::succ_end(&block));
      else
        left.append(llvm::pred_begin(&block), llvm::pred_end(&block));
    };
    /// False at a barrier.
    const auto walk = [&](const Instruction* from) {
      for (const Instruction* at = from; at; at = behind ? at->getNextNode() : at->getPrevNode()) {
        if (is_barrier(*at)) return false;
        note(*at, result);
      }
      return true;
    };
    if (walk(behind ? barrier.getNextNode() : barrier.getPrevNode())) go_on(*barrier.getParent());
    while (!left.empty()) {
      const BasicBlock* block = left.pop_back_val();
      if (seen.insert(block).second && walk(behind ? &block->front() : &block->back())) go_on(*block);
    }
    return result;
  }

  static void note(const Instruction& instruction, SideAccesses& accesses) {
    if (const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction)) {
      const unsigned space = pointer->getType()->getPointerAddressSpace();
      if (space == kPrivateSpace || space == kConstantSpace || instruction.hasMetadata(llvm::LLVMContext::MD_invariant_load)) return;
      accesses.has_unknown |= instruction.isAtomic() || asked_volatile(instruction) || space == kGenericSpace;
      (space == kLocalSpace ? accesses.local : accesses.others).push_back(&instruction);
    } else {
      accesses.has_unknown |= keeps_order(instruction);
    }
  }

  llvm::Function& item_;
  const llvm::DataLayout& layout_;
  LaneValues values_;
  LocalPlaces places_;
  const llvm::DominatorTree dominators_;
  const llvm::PostDominatorTree post_dominators_;
  const llvm::LoopInfo loops_;
  const BlockLanes running_;
};

}  // namespace

bool has_barriers(llvm::Function& item) { return llvm::any_of(llvm::instructions(item), is_barrier); }

KeptBarriers drop_warp_barriers(llvm::Function& item, const Specialization& specialization, Analyses& analyses) {
  const auto& size = specialization.local_size;
  const std::uint32_t items = size[0] * size[1] * size[2];
  analyses.invalidate(item);
  const auto divergent = divergent_blocks(item, analyses.uniformity(item));
  const bool some_come = llvm::any_of(llvm::instructions(item), [&](Instruction& instruction) {
    return is_barrier(instruction) && divergent.contains(instruction.getParent());
  });
  if (!items || some_come) return {.kept = 1, .before = 1};
  const KeptBarriers result = WarpBarriers(item, specialization, items).run();
  analyses.invalidate(item);
  return result;
}

}  // namespace weft::compiler::simt
