#include "compiler/simt/analysis/pressure.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>

#include "compiler/simt/analysis/shape.h"
#include "device/kernel_abi.h"

namespace weft::compiler::simt {
namespace {

/// The most vector registers that one warp's values occupy at once, anywhere in the function.
class Pressure {
 public:
  Pressure(const llvm::Function& function, const Shapes& shapes, unsigned register_bytes,
           llvm::function_ref<bool(const llvm::Instruction&)> is_constant)
      : function_(function), shapes_(shapes), layout_(function.getParent()->getDataLayout()), register_bytes_(register_bytes),
        is_constant_(is_constant) {}

  /// Of `only`, if that is not null.
  unsigned peak(const llvm::BasicBlock* only = nullptr) {
    // Live-in sets by block, to a fixed point; functions are small.
    for (bool changed = true; changed;) {
      changed = false;
      for (const llvm::BasicBlock* block : llvm::post_order(&function_)) {
        Live live = live_out(*block);
        walk(*block, live);
        for (const llvm::Value* value : live) changed |= live_in_[block].insert(value).second;
      }
    }
    unsigned most = 0;
    for (const llvm::BasicBlock& block : function_) {
      if (only && &block != only) continue;
      Live live = live_out(block);
      most = std::max(most, walk(block, live));
    }
    return most;
  }

 private:
  using Live = llvm::SmallPtrSet<const llvm::Value*, 32>;

  Live live_out(const llvm::BasicBlock& block) {
    Live live;
    for (const llvm::BasicBlock* successor : llvm::successors(&block)) {
      for (const llvm::Value* value : live_in_[successor]) live.insert(value);
      for (const llvm::PHINode& phi : successor->phis()) {
        live.erase(&phi);
        if (const llvm::Value* value = phi.getIncomingValueForBlock(&block); registers(*value)) live.insert(value);
      }
    }
    return live;
  }

  /// Walks `block` backwards, from its live-out to its live-in set; returns the peak.
  unsigned walk(const llvm::BasicBlock& block, Live& live) {
    unsigned most = occupied(live);
    for (const llvm::Instruction& instruction : llvm::reverse(block)) {
      live.erase(&instruction);
      if (llvm::isa<llvm::PHINode>(instruction)) continue;
      for (const llvm::Value* operand : instruction.operands())
        if (registers(*operand)) live.insert(operand);
      most = std::max(most, occupied(live));
    }
    return most;
  }

  unsigned occupied(const Live& live) const {
    unsigned sum = 0;
    for (const llvm::Value* value : live) sum += registers(*value);
    return sum;
  }

  /// The registers of one warp's `value`: none if it stays scalar or folds into its user as a memory operand.
  unsigned registers(const llvm::Value& value) const {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction || instruction->getType()->isVoidTy() || shapes_[value].is_affine()) return 0;
    if (is_constant_ && is_constant_(*instruction)) return 0;
    if (llvm::isa<llvm::LoadInst>(instruction) && instruction->hasOneUse() &&
        llvm::cast<llvm::Instruction>(*instruction->user_begin())->getParent() == instruction->getParent())
      return 0;
    const std::uint64_t bytes = abi::kWarpSize * layout_.getTypeStoreSize(value.getType());
    return static_cast<unsigned>(llvm::divideCeil(bytes, register_bytes_));
  }

  const llvm::Function& function_;
  const Shapes& shapes_;
  const llvm::DataLayout& layout_;
  unsigned register_bytes_;
  llvm::function_ref<bool(const llvm::Instruction&)> is_constant_;
  llvm::DenseMap<const llvm::BasicBlock*, Live> live_in_;
};

}  // namespace

unsigned vector_pressure(llvm::Function& function, const Shapes& shapes, const VectorTraits& vectors,
                         llvm::function_ref<bool(const llvm::Instruction&)> is_constant) {
  return Pressure(function, shapes, vectors.register_bits / 8, is_constant).peak();
}

unsigned vector_pressure(const llvm::BasicBlock& block, const Shapes& shapes, const VectorTraits& vectors) {
  return Pressure(*block.getParent(), shapes, vectors.register_bits / 8, {}).peak(&block);
}

bool has_serial_work(const llvm::Function& function) {
  for (const llvm::BasicBlock& block : function)
    for (const llvm::Instruction& instruction : block) {
      if (llvm::isa<llvm::AtomicRMWInst>(instruction) || llvm::isa<llvm::AtomicCmpXchgInst>(instruction)) return true;
      const llvm::StringRef name = called_name(instruction);
      if (!name.empty() && !llvm::isa<llvm::IntrinsicInst>(instruction) && !name.starts_with("weft.") &&
          !name.starts_with(primitive::kLocalId) && !name.starts_with(primitive::kGlobalId) &&
          name != primitive::kBarrier && !is_arithmetic_primitive(instruction))
        return true;
    }
  return false;
}

}  // namespace weft::compiler::simt
