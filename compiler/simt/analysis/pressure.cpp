#include "compiler/simt/analysis/pressure.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/iterator.h>
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

  /// Anywhere in `blocks`.
  template <typename Blocks>
  unsigned peak(const Blocks& blocks) {
    // Live-in sets by block, to a fixed point; functions are small.
    for (bool changed = true; changed;) {
      changed = false;
      for (const llvm::BasicBlock* block : llvm::post_order(&function_)) {
        Live live = live_out(*block);
        walk(*block, live);
        auto& live_in = live_in_[block];
        for (const llvm::Value* value : live.values) changed |= live_in.insert(value).second;
      }
    }
    unsigned most = 0;
    for (const llvm::BasicBlock* block : blocks) {
      Live live = live_out(*block);
      most = std::max(most, walk(*block, live));
    }
    return most;
  }

 private:
  using Values = llvm::SmallPtrSet<const llvm::Value*, 32>;

  /// Values that live at a place, and the registers that they occupy.
  struct Live {
    Values values = {};
    unsigned occupied = 0;
  };

  void begin(Live& live, const llvm::Value& value) {
    if (const unsigned own = registers(value); own && live.values.insert(&value).second) live.occupied += own;
  }
  void end(Live& live, const llvm::Value& value) {
    if (live.values.erase(&value)) live.occupied -= registers(value);
  }

  Live live_out(const llvm::BasicBlock& block) {
    Live live;
    for (const llvm::BasicBlock* successor : llvm::successors(&block)) {
      for (const llvm::Value* value : live_in_[successor]) begin(live, *value);
      for (const llvm::PHINode& phi : successor->phis()) {
        end(live, phi);
        begin(live, *phi.getIncomingValueForBlock(&block));
      }
    }
    return live;
  }

  /// Walks `block` backwards, from its live-out to its live-in set; returns the peak.
  unsigned walk(const llvm::BasicBlock& block, Live& live) {
    unsigned most = live.occupied;
    for (const llvm::Instruction& instruction : llvm::reverse(block)) {
      end(live, instruction);
      if (llvm::isa<llvm::PHINode>(instruction)) continue;
      for (const llvm::Value* operand : instruction.operands()) begin(live, *operand);
      most = std::max(most, live.occupied);
    }
    return most;
  }

  unsigned registers(const llvm::Value& value) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction) return 0;
    const auto [known, is_new] = registers_.try_emplace(instruction, 0);
    if (!is_new) return known->second;
    const unsigned own = compute_registers(*instruction);
    return registers_[instruction] = own;
  }

  /// The registers of one warp's value: none if it stays scalar or folds into its user as a memory operand.
  unsigned compute_registers(const llvm::Instruction& instruction) const {
    if (instruction.getType()->isVoidTy() || shapes_[instruction].is_affine()) return 0;
    if (is_constant_ && is_constant_(instruction)) return 0;
    if (llvm::isa<llvm::LoadInst>(instruction) && instruction.hasOneUse() &&
        llvm::cast<llvm::Instruction>(*instruction.user_begin())->getParent() == instruction.getParent())
      return 0;
    const std::uint64_t bytes = abi::kWarpSize * layout_.getTypeStoreSize(instruction.getType());
    return static_cast<unsigned>(llvm::divideCeil(bytes, register_bytes_));
  }

  const llvm::Function& function_;
  const Shapes& shapes_;
  const llvm::DataLayout& layout_;
  unsigned register_bytes_;
  llvm::function_ref<bool(const llvm::Instruction&)> is_constant_;
  llvm::DenseMap<const llvm::BasicBlock*, Values> live_in_;
  llvm::DenseMap<const llvm::Instruction*, unsigned> registers_;
};

}  // namespace

unsigned vector_pressure(llvm::Function& function, const Shapes& shapes, const VectorTraits& vectors,
                         llvm::function_ref<bool(const llvm::Instruction&)> is_constant) {
  return Pressure(function, shapes, vectors.register_bits / 8, is_constant).peak(llvm::make_pointer_range(function));
}

unsigned vector_pressure(llvm::ArrayRef<const llvm::BasicBlock*> blocks, const Shapes& shapes, const VectorTraits& vectors) {
  return blocks.empty() ? 0 : Pressure(*blocks.front()->getParent(), shapes, vectors.register_bits / 8, {}).peak(blocks);
}

bool has_serial_work(const llvm::BasicBlock& block) {
  return llvm::any_of(block, [](const llvm::Instruction& instruction) {
    if (llvm::isa<llvm::AtomicRMWInst>(instruction) || llvm::isa<llvm::AtomicCmpXchgInst>(instruction)) return true;
    const llvm::StringRef name = called_name(instruction);
    return !name.empty() && !llvm::isa<llvm::IntrinsicInst>(instruction) && !name.starts_with("weft.") && !name.starts_with(primitive::kLocalId) &&
           !name.starts_with(primitive::kGlobalId) && name != primitive::kBarrier && !is_arithmetic_primitive(instruction);
  });
}

bool has_serial_work(const llvm::Function& function) {
  return llvm::any_of(function, [](const llvm::BasicBlock& block) { return has_serial_work(block); });
}

}  // namespace weft::compiler::simt
