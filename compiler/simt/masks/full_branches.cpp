#include "compiler/simt/masks/full_branches.h"

#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstrTypes.h>

#include "compiler/simt/analysis/even_conditions.h"
#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/item/inside_bounds.h"
#include "compiler/simt/masks/full_copy.h"

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::BranchInst;
using llvm::Value;

/// Of all that is copied in one region.
constexpr unsigned kMostOfBranch = 300;
/// Loads of narrow numbers that a copy is worth where masks have registers. A Bayer filter of nine loads takes 0.60 ms in place of 0.82.
constexpr unsigned kFewestNarrow = 4;
/// The same of fields of structs that are too large for a row (struct_rows.h): pieces of these are loaded and stored where all lanes are.
constexpr unsigned kFewestFields = 3;
constexpr std::int64_t kMostOfRow = 32;  ///< bytes

struct Bounded {
  Guarded code;  ///< up to where both ways of the branch meet
  unsigned instructions = 0;
};

class FullBranches {
 public:
  FullBranches(llvm::Function& region, const Shapes& shapes, std::uint32_t items, bool mask_registers, Analyses& analyses)
      : region_(region),
        shapes_(shapes),
        items_(items),
        mask_registers_(mask_registers),
        uniformity_(analyses.uniformity(region)),
        dominators_(analyses.functions().getResult<llvm::DominatorTreeAnalysis>(region)),
        ends_(analyses.functions().getResult<llvm::PostDominatorTreeAnalysis>(region)) {}

  bool run() {
    llvm::SmallVector<Bounded, 4> chosen;
    unsigned instructions = 0;
    for (BasicBlock& block : region_) {
      auto bounded = bounded_by(block);
      if (!bounded || instructions + bounded->instructions > kMostOfBranch) continue;
      // Of one bound in another the outer has the code that all lanes run.
      const auto overlaps = [&](const Bounded& other) {
        return bounded->code.blocks.contains(other.code.blocks.front()) || other.code.blocks.contains(&block);
      };
      if (llvm::any_of(chosen, overlaps)) continue;
      instructions += bounded->instructions;
      chosen.push_back(std::move(*bounded));
    }
    for (const Bounded& bounded : chosen) copy_for_all_lanes(region_, bounded.code);
    return !chosen.empty();
  }

 private:
  std::optional<Bounded> bounded_by(BasicBlock& head) const {
    auto* branch = llvm::dyn_cast<BranchInst>(head.getTerminator());
    if (!branch || !branch->isConditional() || !uniformity_.hasDivergentTerminator(head)) return std::nullopt;
    const auto* node = ends_.getNode(&head);
    BasicBlock* join = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    if (!join || (branch->getSuccessor(0) == join) == (branch->getSuccessor(1) == join)) return std::nullopt;
    const bool beyond = branch->getSuccessor(0) == join;
    const Value& condition = *branch->getCondition();
    if (!is_bound_of_range(condition, beyond, shapes_) && !is_bound_of_group(condition, shapes_, items_)) return std::nullopt;
    Bounded found{.code = {.branch = branch, .join = join, .blocks = {}}};
    auto& blocks = found.code.blocks;
    blocks.insert(branch->getSuccessor(beyond ? 1 : 0));
    if (blocks.front()->getUniquePredecessor() != &head) return std::nullopt;
    bool follows = false;
    unsigned narrow = 0, fields = 0;
    for (unsigned at = 0; at < blocks.size(); ++at) {
      BasicBlock* block = blocks[at];
      if (!dominators_.dominates(blocks.front(), block)) return std::nullopt;
      for (const llvm::Instruction& instruction : block->instructionsWithoutDebug()) {
        const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if ((call && call->cannotDuplicate()) || ++found.instructions > kMostOfBranch) return std::nullopt;
        const bool one_follows = follows_lanes(instruction);
        follows |= one_follows;
        narrow += one_follows && llvm::isa<llvm::LoadInst>(instruction) && instruction.getType()->isIntOrIntVectorTy() &&
                  instruction.getType()->getScalarSizeInBits() <= 16;
        fields += one_follows && is_field(instruction);
      }
      for (BasicBlock* next : llvm::successors(block))
        if (next != join) blocks.insert(next);
    }
    return follows && (!mask_registers_ || narrow >= kFewestNarrow || fields >= kFewestFields) ? std::optional(std::move(found)) : std::nullopt;
  }

  /// Whether it reads or writes places that lie side by side as the lanes do.
  bool follows_lanes(const llvm::Instruction& instruction) const {
    const Value* address = llvm::getLoadStorePointerOperand(&instruction);
    return address && shapes_[*address].is_affine() && shapes_[*address].stride != 0;
  }

  /// Whether `access`, which follows the lanes, is of a word or more of 32 bits in something larger of each lane.
  bool is_field(const llvm::Instruction& access) const {
    const std::int64_t stride = std::abs(shapes_[*llvm::getLoadStorePointerOperand(&access)].stride);
    const llvm::Type* type = llvm::getLoadStoreType(const_cast<llvm::Instruction*>(&access));
    const std::uint64_t bits = type->getPrimitiveSizeInBits().getFixedValue();
    return stride > kMostOfRow && type->getScalarSizeInBits() >= 32 && static_cast<std::uint64_t>(8 * stride) > bits;
  }

  llvm::Function& region_;
  const Shapes& shapes_;
  const std::uint32_t items_;
  const bool mask_registers_;
  llvm::UniformityInfo& uniformity_;
  const llvm::DominatorTree& dominators_;
  const llvm::PostDominatorTree& ends_;
};

}  // namespace

bool run_full_branches_first(llvm::Function& region, const Shapes& shapes, std::uint32_t items, bool mask_registers, Analyses& analyses) {
  // Warps inside have a copy of their own already.
  if (inside_branch(region) || !FullBranches(region, shapes, items, mask_registers, analyses).run()) return false;
  analyses.invalidate(region);
  return true;
}

}  // namespace weft::compiler::simt
