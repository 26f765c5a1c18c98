#include "compiler/simt/barriers/coarsen.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <functional>

#include "compiler/simt/analysis/even_conditions.h"
#include "compiler/simt/analysis/short_sides.h"
#include "compiler/simt/analysis/tile_plan.h"
#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/barriers/coarsen_chains.h"
#include "compiler/simt/barriers/coarsen_searches.h"
#include "compiler/simt/barriers/coarsen_straight.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/target/costs.h"
#include "device/kernel_abi.h"

namespace weft::compiler::simt {
namespace {

using target::kLineBytes;
using target::kTemporaryRegisters;

constexpr unsigned kMostWarps = 4;
/// Where a load serves all warps of a body, more of them read less memory; otherwise only code grows.
constexpr unsigned kMostSharingWarps = 8;
/// The registers that a body may want, as a multiple of those there are, where its loops run for a part of the lanes at a time.
constexpr unsigned kSplitLanes = 2;
/// Of a kernel without loops: what is worth its compilation for several warps, and what may run for lanes that skip it.
constexpr unsigned kMostColumnInstructions = 500, kMostGuardedInstructions = 100;

bool has_divergent_branch(llvm::Function& function, Analyses& analyses) {
  llvm::UniformityInfo& uniformity = analyses.uniformity(function);
  return llvm::any_of(function, [&](const llvm::BasicBlock& block) { return uniformity.hasDivergentTerminator(block); });
}

/// Whether warps may skip something in `function`: more than a few instructions that all lanes run, under masks.
bool has_long_side(llvm::Function& function, Analyses& analyses) {
  llvm::UniformityInfo& uniformity = analyses.uniformity(function);
  return llvm::any_of(function, [&](const llvm::BasicBlock& block) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    return uniformity.hasDivergentTerminator(block) && !(branch && runs_for_all(side_of(*branch), uniformity));
  });
}

/// Instructions between `branch` and where its sides meet; nothing if they never meet, or repeat something.
std::optional<unsigned> guarded_instructions(const llvm::BasicBlock& block, const llvm::LoopInfo& loops, const llvm::PostDominatorTree& after) {
  const auto* node = after.getNode(&block);
  const llvm::BasicBlock* meet = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  if (!meet) return std::nullopt;
  unsigned count = 0;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 8> seen;
  llvm::SmallVector<const llvm::BasicBlock*, 8> left(llvm::succ_begin(&block), llvm::succ_end(&block));
  while (!left.empty()) {
    const llvm::BasicBlock* next = left.pop_back_val();
    if (next == meet || !seen.insert(next).second) continue;
    if (loops.getLoopFor(next) != loops.getLoopFor(&block)) return std::nullopt;
    count += static_cast<unsigned>(next->sizeWithoutDebug());
    left.append(llvm::succ_begin(next), llvm::succ_end(next));
  }
  return count;
}

/// Whether `branch` skips a loop alone, for lanes that would run no iteration; whose exit is asked about for itself.
bool guards_loop(const llvm::BranchInst& branch, const llvm::LoopInfo& loops) {
  return llvm::any_of(branch.successors(), [&](const llvm::BasicBlock* side) {
    const llvm::BasicBlock* next = loops.isLoopHeader(side) ? side : side->getSingleSuccessor();
    return next && loops.isLoopHeader(next) && loops.getLoopFor(next) != loops.getLoopFor(branch.getParent());
  });
}

/// Whether lanes part at `branch` in few groups: the last ones of the range, or those that have places which run nothing of what follows, as
/// the border of a grid.
bool parts_at_bounds(const llvm::BranchInst& branch, const Shapes& shapes, const llvm::PostDominatorTree& after) {
  const bool few[] = {is_bound_of_range(*branch.getCondition(), true, shapes), is_bound_of_range(*branch.getCondition(), false, shapes)};
  if (few[0] && few[1]) return true;
  const auto* node = after.getNode(branch.getParent());
  const llvm::BasicBlock* meet = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  return meet && ((few[0] && branch.getSuccessor(0) == meet) || (few[1] && branch.getSuccessor(1) == meet));
}

/// Whether `block` ends with the question which lanes have not ended (regions.h): most programs return at a bound of the range, so in the last
/// groups alone.
bool asks_who_is_alive(const llvm::BasicBlock& block) {
  const auto* branch = llvm::cast<llvm::BranchInst>(block.getTerminator());
  return block.isEntryBlock() && block.getParent()->hasFnAttribute(primitive::kEndsApartAttribute) && branch->isConditional() &&
         called_name(*branch->getCondition()).starts_with(primitive::kSlotLoad);
}

/// Whether the lanes' ids along `dimension` ('x', 'y', 'z') are the same in every warp: those of 16x16 work-items along x.
bool repeats_in_each_warp(char dimension, const Specialization& specialization) {
  unsigned period = 1;
  for (int d = 0; d <= dimension - 'x'; ++d) period *= specialization.local_size[d];
  return specialization.local_size[dimension - 'x'] == 1 || (period && abi::kWarpSize % period == 0);
}

/// Lanes after which ids repeat that every warp has alike.
unsigned lanes_alike(const Specialization& specialization) {
  unsigned period = 1, lanes = 1;
  for (char dimension = 'x'; dimension <= 'z'; ++dimension) {
    period *= specialization.local_size[dimension - 'x'];
    if (specialization.local_size[dimension - 'x'] > 1 && repeats_in_each_warp(dimension, specialization)) lanes = std::min(period, abi::kWarpSize);
  }
  return lanes;
}

/// Which values every warp of a group has alike, by what they are computed from.
class SameInWarps {
 public:
  explicit SameInWarps(const Specialization& specialization) : specialization_(specialization) {}

  bool operator()(const llvm::Value& value) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction) return true;
    // A phi met again is what the rest of its loop makes of it.
    const auto [known, is_new] = same_.try_emplace(instruction, true);
    if (!is_new) return known->second;
    const bool same = compute(*instruction);
    return same_[instruction] = same;
  }

 private:
  bool compute(const llvm::Instruction& instruction) {
    if (const llvm::StringRef name = called_name(instruction);
        !name.empty() && !llvm::isa<llvm::IntrinsicInst>(instruction) && !is_arithmetic_primitive(instruction)) {
      const bool is_id = name.starts_with(primitive::kLocalId) || name.starts_with(primitive::kGlobalId);
      return is_id && repeats_in_each_warp(name.back(), specialization_);
    }
    return llvm::all_of(instruction.operands(), [&](const llvm::Use& operand) { return (*this)(*operand); });
  }

  const Specialization& specialization_;
  llvm::DenseMap<const llvm::Instruction*, bool> same_;
};

/// Whether a load of a vector in a loop of `function` has the same addresses in every warp.
bool warps_share_loads(llvm::Function& function, const llvm::LoopInfo& loops, const Shapes& shapes, SameInWarps& same) {
  for (const llvm::BasicBlock& block : function) {
    if (!loops.getLoopFor(&block)) continue;
    for (const llvm::Instruction& instruction : block) {
      const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      if (load && !shapes.is_uniform(*load->getPointerOperand()) && same(*load->getPointerOperand())) return true;
    }
  }
  return false;
}

/// Whether wide/register_blocking.h splits `loop` where registers are few: a block that writes nothing, that all lanes leave together, and in which
/// a warp computes little for itself that each part of its lanes would repeat.
bool is_split(const llvm::Loop& loop, const Shapes& shapes) {
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(loop.getHeader()->getTerminator());
  return loop.getNumBlocks() == 1 && branch && branch->isConditional() && shapes.is_uniform(*branch->getCondition()) &&
         llvm::none_of(*loop.getHeader(), [&](const llvm::Instruction& instruction) {
           if (llvm::isa<llvm::LoadInst>(instruction)) return false;
           return instruction.mayHaveSideEffects() || (instruction.getType()->isFloatingPointTy() && shapes.is_uniform(instruction));
         });
}

/// The most vector registers that a warp's values take in a loop without another in it that is not split, as one that fills a tile; 0: there is none.
unsigned whole_pressure(const llvm::LoopInfo& loops, const Shapes& shapes, const VectorTraits& vectors) {
  llvm::SmallVector<const llvm::BasicBlock*, 16> blocks;
  for (const llvm::Loop* loop : loops.getLoopsInPreorder())
    if (loop->isInnermost() && !is_split(*loop, shapes)) llvm::append_range(blocks, loop->blocks());
  return vector_pressure(blocks, shapes, vectors);
}

/// Whether a loop of `function` reads or writes rows of a group of `items` that lie apart, one in each iteration: as a loop does that strides
/// over all groups, or down the columns of a matrix. `side_by_side`: or one behind the other, from end to end of a row of the group's own. The
/// processor follows a row as long as a group's, but not as a warp's.
bool strides_over_rows(llvm::Function& function, const llvm::LoopInfo& loops, const Shapes& shapes, std::uint32_t items, bool side_by_side,
                       Analyses& analyses) {
  auto& evolution = analyses.functions().getResult<llvm::ScalarEvolutionAnalysis>(function);
  const auto steps_far = [&](const llvm::Loop& loop, llvm::Value& pointer, std::int64_t unit) {
    return llvm::SCEVExprContains(evolution.getSCEV(&pointer), [&](const llvm::SCEV* part) {
      const auto* progression = llvm::dyn_cast<llvm::SCEVAddRecExpr>(part);
      if (!progression || progression->getLoop()->getHeader() != loop.getHeader()) return false;
      const auto* step = llvm::dyn_cast<llvm::SCEVConstant>(progression->getStepRecurrence(evolution));
      const std::int64_t bytes = progression->getType()->isPointerTy() ? 1 : unit;
      const std::int64_t row = items * unit / bytes;
      return !step || std::abs(step->getAPInt().getSExtValue()) >= (side_by_side ? row : row + 1);
    });
  };
  for (llvm::BasicBlock& block : function) {
    const llvm::Loop* loop = loops.getLoopFor(&block);
    if (!loop) continue;
    for (llvm::Instruction& instruction : block) {
      llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
      if (!pointer || pointer->getType()->getPointerAddressSpace() != kGlobalSpace) continue;
      const auto unit = static_cast<std::int64_t>(function.getParent()->getDataLayout().getTypeStoreSize(llvm::getLoadStoreType(&instruction)));
      const Shape shape = shapes[*pointer];
      if (shape.is_affine() && shape.segment == abi::kWarpSize && shape.stride == unit &&
          steps_far(*loop, *pointer, unit))
        return true;
    }
  }
  return false;
}

/// Accesses by columns, and what computes nothing but their addresses.
struct ColumnAccesses {
  llvm::SmallDenseMap<const llvm::Instruction*, TiledAccess> accesses;
  llvm::SmallPtrSet<const llvm::Value*, 32> addresses;
};

bool has_plan(const llvm::Instruction& instruction, const TiledAccess& access, const LaneBlock& block, unsigned register_bits) {
  return plan_tile(block, access, llvm::isa<llvm::StoreInst>(instruction), register_bits).has_value();
}

ColumnAccesses column_accesses(llvm::Function& function, const LaneBlock& block, const Shapes& shapes, unsigned register_bits) {
  ColumnAccesses found;
  auto& accesses = found.accesses;
  TiledAccesses tiles(block, shapes, function.getParent()->getDataLayout());
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    const auto access = tiles.access(instruction);
    // Columns that lie closer together are rows of a few segments, or whole vectors as they are.
    if (access && (!access->pitch || std::abs(*access->pitch) >= kLineBytes) && has_plan(instruction, *access, block, register_bits))
      accesses.try_emplace(&instruction, *access);
  }
  for (bool changed = !accesses.empty(); changed;) {
    changed = false;
    for (llvm::BasicBlock& body : function)
      for (const llvm::Instruction& instruction : body) {
        if (instruction.use_empty() || llvm::isa<llvm::PHINode>(instruction)) continue;
        const bool only = llvm::all_of(instruction.uses(), [&](const llvm::Use& use) {
          const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
          return found.addresses.contains(user) ||
                 (accesses.contains(user) && llvm::getLoadStorePointerOperand(user) == use.get());
        });
        if (only) changed |= found.addresses.insert(&instruction).second;
      }
  }
  return found;
}

/// J for a kernel that accesses memory by columns (tiled_access.h), so many that each column is a line; 0: it does not, or more than
/// that counts.
unsigned warps_of_columns(llvm::Function& function, const Specialization& specialization, const WarpFrame& frame,
                        const VectorTraits& vectors, Analyses& analyses) {
  const auto& size = specialization.local_size;
  const std::uint32_t items = size[0] * size[1] * size[2];
  unsigned largest = kMostSharingWarps;
  while (largest > 1 && (items % (largest * abi::kWarpSize) != 0 || !lane_block(specialization, largest * abi::kWarpSize)))
    largest /= 2;
  if (largest == 1 || has_serial_work(function)) return 0;
  if (llvm::any_of(llvm::instructions(function), llvm::IsaPred<llvm::AllocaInst>)) return 0;  // memory on the stack, times the lanes
  if (!llvm::LoopInfo(llvm::DominatorTree(function)).empty()) return 0;
  const unsigned instructions = function.getInstructionCount();
  if (instructions > kMostColumnInstructions) return 0;
  const auto block = lane_block(specialization, largest * abi::kWarpSize);
  const auto stride = [&](unsigned index) { return frame.privates[index].stride; };
  const Shapes shapes(function, specialization, largest * abi::kWarpSize, stride);
  const ColumnAccesses columns = column_accesses(function, *block, shapes, vectors.register_bits);
  if (columns.accesses.empty()) return 0;
  // Sides that a warp alone would skip run for all.
  if (instructions > kMostGuardedInstructions && has_divergent_branch(function, analyses)) return 0;
  const unsigned pressure =
      vector_pressure(function, Shapes(function, specialization, abi::kWarpSize, stride), vectors,
                      [&](const llvm::Instruction& instruction) { return columns.addresses.contains(&instruction); });
  std::int64_t unit = kLineBytes;
  for (const auto& [instruction, access] : columns.accesses) unit = std::min(unit, access.unit);
  unsigned warps = 1;
  while (warps < largest && warps * abi::kWarpSize * unit < kLineBytes * block->columns &&
         2 * warps * pressure + kTemporaryRegisters <= target::kStraightSpills * vectors.registers)
    warps *= 2;
  const auto chosen = lane_block(specialization, warps * abi::kWarpSize);
  const bool gains = chosen && llvm::any_of(columns.accesses, [&](const auto& entry) {
    return has_plan(*entry.first, entry.second, *chosen, vectors.register_bits);
  });
  return gains ? warps : 0;
}

}  // namespace

bool warps_part(llvm::Function& function, const llvm::LoopInfo& loops, const Shapes& shapes, Analyses& analyses, unsigned most_skipped,
                llvm::function_ref<bool(const llvm::BranchInst&)> is_fine) {
  llvm::UniformityInfo& uniformity = analyses.uniformity(function);
  auto& evolution = analyses.functions().getResult<llvm::ScalarEvolutionAnalysis>(function);
  const llvm::PostDominatorTree after(function);
  return llvm::any_of(function, [&](const llvm::BasicBlock& block) {
    if (!uniformity.hasDivergentTerminator(block)) return false;
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (!branch) return true;
    if (is_fine(*branch)) return false;
    const llvm::Loop* loop = loops.getLoopFor(&block);
    if (loop && loop->isLoopExiting(&block)) return !is_even_exit(*branch->getCondition(), *loop, shapes, evolution);
    if (parts_at_bounds(*branch, shapes, after) || asks_who_is_alive(block) || guards_loop(*branch, loops)) return false;
    return guarded_instructions(block, loops, after).value_or(~0u) > most_skipped;
  });
}

unsigned choose_coarsening(llvm::ArrayRef<llvm::Function*> regions, const Specialization& specialization,
                           const WarpFrame& frame, const VectorTraits& vectors, const llvm::TargetMachine& machine,
                           Analyses& analyses) {
  const auto& size = specialization.local_size;
  const std::uint32_t items = size[0] * size[1] * size[2];
  if (items < 2 * abi::kWarpSize || items % (2 * abi::kWarpSize) != 0) return 1;
  if (regions.size() == 1)
    if (const unsigned warps = warps_of_columns(*regions.front(), specialization, frame, vectors, analyses)) return warps;
  bool repeats = regions.size() > 1;
  bool shares = false, strides = false, parts = false;
  unsigned pressure = 0, own_pressure = 0, unsplit = 0;
  for (llvm::Function* region : regions) {
    const target::Costs costs(*region, machine, vectors);
    const bool may_be_chains = regions.size() == 1 && costs.waits_for_integers(), serial = has_serial_work(*region);
    if (serial && !may_be_chains) return 1;
    const llvm::DominatorTree dominators(*region);
    const llvm::LoopInfo loops(dominators);
    repeats |= !loops.empty();
    const Shapes shapes(*region, specialization, abi::kWarpSize,
                        [&](unsigned index) { return frame.privates[index].stride; });
    if (may_be_chains)
      if (const unsigned warps = warps_of_chains(*region, dominators, loops, shapes, items, vectors, costs, analyses)) return warps;
    if (serial) return 1;
    parts |= has_divergent_branch(*region, analyses);
    if (parts && repeats && regions.size() == 1)
      if (const unsigned warps = warps_of_searches(*region, loops, shapes, items, costs, analyses)) return warps;
    if (parts && !repeats) return has_long_side(*region, analyses) ? 1 : warps_of_full_registers(*region, shapes, items, vectors);
    if (parts && warps_part(*region, loops, shapes, analyses)) return 1;
    const unsigned whole = vector_pressure(*region, shapes, vectors);
    pressure = std::max(pressure, whole);
    if (!repeats)  // the only region
      return warps_of_straight_code(*region, shapes, pressure, items, vectors, costs);
    // What all warps have alike takes registers once.
    SameInWarps same(specialization);
    const bool region_shares = warps_share_loads(*region, loops, shapes, same);
    shares |= region_shares;
    unsplit = std::max(unsplit, whole_pressure(loops, shapes, vectors));
    own_pressure = std::max(own_pressure, region_shares ? vector_pressure(*region, shapes, vectors, std::ref(same)) : whole);
    // Behind barriers the warps of a group part more often than memory gains: a tree's steps are for some of them.
    strides |= strides_over_rows(*region, loops, shapes, items, regions.size() == 1, analyses);
  }
  // What some warps of a body run for others must be worth it.
  if (parts && !shares && !strides) return 1;
  const unsigned registers = shares ? kSplitLanes * vectors.registers : strides ? kStridingRegisters : vectors.registers;
  const unsigned shared = (pressure - own_pressure) * lanes_alike(specialization) / abi::kWarpSize;
  // Shared values that are too many beside a single warp, as pieces of several rows of a matrix are, lie in memory however many warps share
  // them: more warps bring them less often, and registers are for what each has of its own.
  const bool shares_memory = shares && own_pressure + shared + kTemporaryRegisters > registers;
  const unsigned largest = (shares || strides) && !shares_memory ? kMostSharingWarps : kMostWarps;
  unsigned warps = 1;
  const auto fits = [&](unsigned j) {
    if (shares_memory) return j * own_pressure + kTemporaryRegisters <= registers;
    return j * own_pressure + shared + kTemporaryRegisters <= registers && (!shares || j * unsplit + kTemporaryRegisters <= vectors.registers);
  };
  while (warps < largest && items % (2 * warps * abi::kWarpSize) == 0 && fits(2 * warps)) warps *= 2;
  return warps;
}

unsigned coarsen_stacked_rows(llvm::ArrayRef<llvm::Function*> regions, const Specialization& specialization, const WarpFrame& frame,
                              const VectorTraits& vectors) {
  const auto is_float = [](const llvm::Instruction& instruction) { return instruction.getType()->isFPOrFPVectorTy(); };
  if (regions.size() != 1 || llvm::any_of(llvm::instructions(*regions.front()), is_float)) return 1;
  const Shapes shapes(*regions.front(), specialization, abi::kWarpSize, [&](unsigned index) { return frame.privates[index].stride; });
  unsigned warps = warps_of_full_registers(*regions.front(), shapes, specialization.local_size[0], vectors);
  const unsigned pressure = warps > 1 ? vector_pressure(*regions.front(), shapes, vectors) : 0;
  while (warps > 1 && warps * pressure + kTemporaryRegisters > target::kStraightSpills * vectors.registers) warps /= 2;
  return warps;
}

}  // namespace weft::compiler::simt
