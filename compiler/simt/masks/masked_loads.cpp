#include "compiler/simt/masks/masked_loads.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/analysis/short_sides.h"
#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/memory_order.h"

namespace weft::compiler::simt {

void mark_masked_loads(llvm::Function& region, const Specialization& specialization, unsigned lanes,
                       llvm::function_ref<std::uint32_t(unsigned)> private_stride, const VectorTraits& vectors, Analyses& analyses) {
  const llvm::DataLayout& layout = region.getParent()->getDataLayout();
  const auto size_of = [&](const llvm::LoadInst& load) { return layout.getTypeStoreSize(load.getType()).getFixedValue(); };
  const auto may_mask = [&](const llvm::LoadInst& load) {
    // Of local memory, which may become registers (promote_local.h), a branch tells more.
    const unsigned space = load.getPointerAddressSpace();
    if (!is_plain_access(load) || (space != kGlobalSpace && space != kConstantSpace)) return false;
    return load.getType()->isSingleValueType() && !load.getType()->isVectorTy() && size_of(load) >= vectors.masked_bytes;
  };
  llvm::SmallVector<llvm::LoadInst*, 8> found;
  llvm::UniformityInfo& uniformity = analyses.uniformity(region);
  for (llvm::BasicBlock& block : region) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (!branch || !branch->isConditional() || !uniformity.hasDivergentTerminator(block)) continue;
    const Side side = side_of(*branch);
    if (!is_short(side, uniformity, may_mask)) continue;
    for (const llvm::BasicBlock* inside : side)
      for (llvm::Instruction& instruction : *const_cast<llvm::BasicBlock*>(inside))
        if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) found.push_back(load);
  }
  if (found.empty()) return;
  const Shapes shapes(region, specialization, lanes, private_stride);
  for (llvm::LoadInst* load : found) {
    const Shape shape = shapes[*load->getPointerOperand()];
    if (shape.is_affine() && shape.segment == lanes && shape.stride == static_cast<std::int64_t>(size_of(*load)))
      load->setMetadata(kMaskedMetadata, llvm::MDNode::get(region.getContext(), {}));
  }
}

}  // namespace weft::compiler::simt
