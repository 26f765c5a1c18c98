#include "compiler/simt/memory/written_walks.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <algorithm>
#include <optional>

#include "compiler/simt/analysis/row_places.h"
#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/memory_order.h"
#include "compiler/simt/memory/region_loops.h"
#include "compiler/simt/memory/walked_pieces.h"

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::Value;

/// What earlier iterations have stored is kept for so many, each a register of all lanes.
constexpr std::int64_t kMostKeptRows = 4;
/// Bytes of a row's extent, a piece of 16 bytes among them, that rows of lines may have: such rows lie multiples of 1024 bytes apart (walked_pieces.h).
constexpr std::int64_t kMostOfLines = 512;
/// Accesses of a loop: each is compared with each.
constexpr std::size_t kMostWritten = 48;

unsigned space_of(const Instruction& access) { return llvm::getLoadStorePointerOperand(&access)->getType()->getPointerAddressSpace(); }

/// A load or store of shared memory.
struct WalkedAccess {
  Instruction* instruction = nullptr;
  RowPlace place;
  std::int64_t bytes = 0;
  bool walks = false;  ///< along a row that is its lane's own, in each iteration: moves, as a part of a piece
  bool is_store() const { return llvm::isa<llvm::StoreInst>(instruction); }
  Value* pointer() const { return llvm::getLoadStorePointerOperand(instruction); }
};

/// Accesses at constant distances from one another, a store among them.
struct WrittenRow {
  WalkedAccess* store = nullptr;
  llvm::SmallVector<WalkedAccess*, 4> loads;
  LaneStep lanes;             ///< from a lane's row to the next one's
  std::int64_t extent = 0;    ///< bytes of a piece of all of them together
};

class WrittenWalks : RegionLoops {
 public:
  using RegionLoops::RegionLoops;

  bool run() {
    llvm::SmallVector<llvm::BasicBlock*, 4> headers;
    for (llvm::Loop* loop : loops().getLoopsInPreorder())
      if (may_take(*loop)) headers.push_back(loop->getHeader());
    bool changed = false;
    for (llvm::BasicBlock* header : headers) changed |= take(*header);
    return changed;
  }

 private:
  static bool is_shared(const Instruction& access) { return space_of(access) != kPrivateSpace; }

  static bool stores(const llvm::Loop& loop) {
    return llvm::any_of(loop.blocks(), [](const llvm::BasicBlock* block) {
      return llvm::any_of(*block, [](const Instruction& instruction) {
        return llvm::isa<llvm::StoreInst>(instruction) && is_shared(instruction);
      });
    });
  }

  /// Innermost, left at its end alone, and nothing in it but loads and stores that others could see.
  bool may_take(llvm::Loop& loop) {
    if (!may_take_pieces(loop, evolution()) || !loop.getLoopPredecessor() || !stores(loop)) return false;
    return llvm::none_of(loop.blocks(), [](const llvm::BasicBlock* block) {
      return llvm::any_of(*block, [](const Instruction& instruction) {
        if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction)) return keeps_order(instruction);
        return instruction.isAtomic() || asked_volatile(instruction);
      });
    });
  }

  bool take(llvm::BasicBlock& header) {
    llvm::Loop& loop = *loops().getLoopFor(&header);
    if (analyses_.uniformity(region_).hasDivergentTerminator(*loop.getLoopLatch())) return false;
    auto accesses = accesses_of(loop);
    const auto walks = [](const WalkedAccess& access) { return access.walks; };
    if (accesses.size() > kMostWritten || llvm::none_of(accesses, walks)) return false;
    const Shapes shapes(region_, specialization_, lanes_, private_stride_);
    leave_near(accesses, shapes);
    leave_disordered(accesses);
    auto rows = rows_of(accesses, shapes, loop);
    if (llvm::none_of(accesses, walks)) return false;

    llvm::SmallVector<Walk, 8> moved;
    for (const WalkedAccess& access : accesses)
      if (access.walks) moved.push_back({access.instruction, access.place.step < 0});
    const unsigned count = iterations_of_pieces(loop, moved, evolution());
    // That rows of lines lie apart by their extent follows from what makes them lines, if it is small.
    const bool are_compact = llvm::all_of(rows, [](const WrittenRow& row) { return row.extent <= kMostOfLines; });
    const auto distances = are_compact ? lane_steps(accesses, shapes, loop) : llvm::SmallVector<LaneStep, 4>();
    if (count < 2 && (distances.empty() || !gain_as_lines(moved, specialization_))) return false;
    llvm::simplifyLoop(&loop, &dominators(), &loops(), &evolution(), nullptr, nullptr, /*PreserveLCSSA=*/false);
    llvm::IRBuilder<> builder(loop.getLoopPreheader()->getTerminator());
    Value* apart = builder.getTrue();
    for (const WrittenRow& row : rows) {
      // No less than the extent, up or down.
      Value* step = row.lanes.emit(builder);
      Value* far = builder.CreateICmpUGE(builder.CreateAdd(step, builder.getInt64(static_cast<std::uint64_t>(row.extent - 1))),
                                         builder.getInt64(static_cast<std::uint64_t>(2 * row.extent - 1)), "far");
      apart = builder.CreateAnd(apart, far, "apart");
    }
    if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(apart); known && known->isZero())
      return analyses_.invalidate(region_), true;
    if (!llvm::isa<llvm::ConstantInt>(apart)) copy_loop(loop, *apart, "in.order", analyses_);
    for (WrittenRow& row : rows) keep_stored(row, *loops().getLoopFor(&header), moved);
    analyses_.invalidate(region_);
    return moved.empty() || access_pieces(region_, header, moved, count, distances, specialization_, analyses_);
  }

  /// Of all that walk; none if one is not known, or if lanes lie side by side elsewhere: of that several warps a body make longer rows, which lines
  /// have no registers for.
  llvm::SmallVector<LaneStep, 4> lane_steps(llvm::ArrayRef<WalkedAccess> accesses, const Shapes& shapes, const llvm::Loop& loop) {
    LaneSteps steps(shapes, analyses_.uniformity(region_), loops(), loop);
    llvm::SmallVector<LaneStep, 4> found;
    for (const WalkedAccess& access : accesses) {
      auto step = access.walks ? steps.of(access.place) : std::nullopt;
      if (!step && (access.walks || analyses_.uniformity(region_).isDivergent(access.pointer()))) return {};
      if (step) found.push_back(std::move(*step));
    }
    return found;
  }

  /// Of shared memory, in the order of the loop's blocks.
  llvm::SmallVector<WalkedAccess, 16> accesses_of(llvm::Loop& loop) {
    const llvm::DataLayout& layout = region_.getParent()->getDataLayout();
    llvm::SmallVector<WalkedAccess, 16> accesses;
    for (llvm::BasicBlock* block : loop.blocks())
      for (Instruction& instruction : *block) {
        if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction) || !is_shared(instruction)) continue;
        WalkedAccess access;
        access.instruction = &instruction;
        auto place = row_place(*access.pointer(), loop, evolution());
        access.bytes = bytes_in_rows(*llvm::getLoadStoreType(&instruction), layout);
        if (place && place->is_even(loop) && access.bytes) {
          access.place = std::move(*place);
          const unsigned space = space_of(instruction);
          access.walks = (space == kGlobalSpace || space == kConstantSpace || space == kLocalSpace) &&
                         (access.bytes < kRowPiece || is_element_of_lines(*llvm::getLoadStoreType(&instruction))) && std::abs(access.place.step) == access.bytes &&
                         analyses_.uniformity(region_).isDivergent(access.pointer()) && dominators().dominates(block, loop.getLoopLatch());
        }
        accesses.push_back(std::move(access));
      }
    return accesses;
  }

  /// Lanes that lie side by side need no pieces.
  static void leave_near(llvm::MutableArrayRef<WalkedAccess> accesses, const Shapes& shapes) {
    for (WalkedAccess& access : accesses) {
      const Shape shape = shapes[*access.pointer()];
      if (shape.is_affine() && std::abs(shape.stride) <= kNearLanes * access.bytes) access.walks = false;
    }
  }

  /// Accesses that may not move over all others stay. What is left to compare are rows.
  void leave_disordered(llvm::MutableArrayRef<WalkedAccess> accesses) {
    for (bool changed = true; changed;) {
      changed = false;
      for (WalkedAccess& own : accesses) {
        if (!own.walks) continue;
        if (llvm::all_of(accesses, [&](const WalkedAccess& other) { return &own == &other || has_no_order(own, other); })) continue;
        own.walks = false;
        changed = true;
      }
    }
  }

  /// Whether `own` may move over `other`, as long as rows lie apart.
  bool has_no_order(const WalkedAccess& own, const WalkedAccess& other) {
    if (!own.is_store() && !other.is_store()) return true;
    if (!may_meet(*own.instruction, *other.instruction)) return true;
    if (!own.walks || !other.walks || (own.is_store() && other.is_store())) return false;
    if (llvm::getLoadStoreType(own.instruction) != llvm::getLoadStoreType(other.instruction)) return false;
    const auto distance = own.place.behind(other.place);
    return distance && *distance % own.bytes == 0;
  }

  /// The rows that are written. Where lanes do not lie evenly, or a lane's order cannot be kept, their accesses stay.
  llvm::SmallVector<WrittenRow, 4> rows_of(llvm::MutableArrayRef<WalkedAccess> accesses, const Shapes& shapes, const llvm::Loop& loop) {
    LaneSteps steps(shapes, analyses_.uniformity(region_), loops(), loop);
    llvm::SmallVector<WrittenRow, 4> rows;
    for (WalkedAccess& store : accesses) {
      if (!store.walks || !store.is_store()) continue;
      WrittenRow row;
      row.store = &store;
      std::int64_t first = 0, last = 0;
      for (WalkedAccess& load : accesses) {
        if (!load.walks || load.is_store()) continue;
        const auto distance = load.place.behind(store.place);
        if (!distance || space_of(*load.instruction) != space_of(*store.instruction)) continue;
        row.loads.push_back(&load);
        first = std::min(first, *distance);
        last = std::max(last, *distance);
      }
      row.extent = last - first + kRowPiece;
      auto lanes = steps.of(store.place);
      if (lanes && keeps_order_within(row)) {
        row.lanes = std::move(*lanes);
        rows.push_back(std::move(row));
        continue;
      }
      store.walks = false;
      leave_disordered(accesses);
    }
    // A store that stays may have taken the loads of others with it.
    llvm::erase_if(rows, [](const WrittenRow& row) { return !row.store->walks; });
    for (WrittenRow& row : rows) llvm::erase_if(row.loads, [](const WalkedAccess* load) { return !load->walks; });
    return rows;
  }

  /// Elements that the store is ahead of `load`: so many iterations before, it has stored what `load` loads.
  static std::int64_t iterations_behind(const WrittenRow& row, const WalkedAccess& load) {
    return -*load.place.behind(row.store->place) / load.place.step;
  }

  /// Whether what a lane loads of what it has stored itself can be kept: what one iteration needs of the few before, the first one loads.
  bool keeps_order_within(const WrittenRow& row) {
    std::uint64_t distances = 1;
    std::int64_t most = 0;
    for (const WalkedAccess* load : row.loads) {
      const std::int64_t distance = iterations_behind(row, *load);
      if (distance <= 0) continue;
      if (distance > kMostKeptRows) return false;
      distances |= std::uint64_t{1} << distance;
      most = std::max(most, distance);
    }
    return distances == (std::uint64_t{2} << most) - 1;
  }

  /// What is stored and loaded again becomes a value.
  void keep_stored(WrittenRow& row, llvm::Loop& loop, llvm::SmallVectorImpl<Walk>& moved) {
    auto& store = llvm::cast<llvm::StoreInst>(*row.store->instruction);
    Value* value = store.getValueOperand();
    const auto replace = [&](const WalkedAccess& load, Value& with) {
      load.instruction->replaceAllUsesWith(&with);
      if (value == load.instruction) value = &with;
      llvm::erase_if(moved, [&](const Walk& walk) { return walk.access == load.instruction; });
      load.instruction->eraseFromParent();
    };
    llvm::SmallVector<llvm::SmallVector<WalkedAccess*, 2>, 4> behind(kMostKeptRows + 1);
    for (WalkedAccess* load : row.loads) {
      const std::int64_t distance = iterations_behind(row, *load);
      const bool is_later = distance == 0 && dominators().dominates(&store, load->instruction);
      if (is_later || distance > 0) behind[static_cast<std::size_t>(distance)].push_back(load);
    }
    for (WalkedAccess* load : behind[0]) replace(*load, *value);
    llvm::IRBuilder<> builder(loop.getLoopPreheader()->getTerminator());
    llvm::SmallVector<llvm::PHINode*, 4> kept;
    for (const auto& loads : llvm::drop_begin(behind)) {
      if (loads.empty()) break;
      auto& load = llvm::cast<llvm::LoadInst>(*loads.front()->instruction);
      builder.SetInsertPoint(loop.getLoopPreheader()->getTerminator());
      llvm::LoadInst* first = builder.CreateAlignedLoad(load.getType(), loads.front()->place.emit_first(builder), load.getAlign(), load.isVolatile(), "first");
      first->copyMetadata(load);
      builder.SetInsertPoint(loop.getHeader(), loop.getHeader()->begin());
      llvm::PHINode* phi = builder.CreatePHI(load.getType(), 2, "kept");
      phi->addIncoming(first, loop.getLoopPreheader());
      kept.push_back(phi);
      for (WalkedAccess* access : loads) replace(*access, *phi);
    }
    for (llvm::PHINode* phi : kept) {
      phi->addIncoming(value, loop.getLoopLatch());
      value = phi;
    }
  }
};

}  // namespace

bool walk_written_rows(llvm::Function& region, const Specialization& specialization, unsigned lanes,
                       llvm::function_ref<std::uint32_t(unsigned)> private_stride, Analyses& analyses) {
  return WrittenWalks(region, specialization, lanes, private_stride, analyses).run();
}

}  // namespace weft::compiler::simt
