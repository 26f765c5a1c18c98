#include "compiler/simt/analysis/registers.h"

#include <algorithm>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/MathExtras.h>

#include "compiler/simt/ir/address_spaces.h"

namespace weft::compiler::simt {
namespace {

/// What a kernel has beside its values: a stack pointer, temporaries of address arithmetic and of comparisons. With it the kernels of
/// conformance/silicon have 5 to 14; nvcc 13 gives them 16, its least for 9.0, or up to 32 where it moves loads of an unrolled
/// loop together.
constexpr unsigned kAlways = 5;
/// Values that outlive their block, summed over blocks. A kernel with more has far more than kMostRegisters.
constexpr std::size_t kMostCrossings = std::size_t{1} << 22;

class Liveness {
 public:
  explicit Liveness(const llvm::Function& kernel) : kernel_(kernel), layout_(kernel.getDataLayout()) {}

  unsigned peak() {
    for (const llvm::BasicBlock& block : kernel_)
      for (const llvm::Instruction& instruction : block)
        if (!find_blocks(instruction)) return kMostRegisters;
    unsigned most = 0;
    for (const llvm::BasicBlock& block : kernel_) most = std::max(most, peak(block));
    return most;
  }

 private:
  unsigned registers(const llvm::Value& value) const {
    if (!llvm::isa<llvm::Instruction>(value) || folds(value)) return 0;
    return registers(*value.getType());
  }

  unsigned registers(llvm::Type& type) const {
    if (type.isVoidTy() || type.isIntegerTy(1)) return 0;
    if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type))
      return vector->getNumElements() * registers(*vector->getElementType());
    if (type.isPointerTy()) return type.getPointerAddressSpace() == kLocalSpace ? 1 : 2;
    if (type.isAggregateType()) {
      unsigned sum = 0;
      for (llvm::Type* member : type.subtypes()) sum += registers(*member);
      return sum;
    }
    return type.isSized() ? static_cast<unsigned>(llvm::divideCeil(layout_.getTypeStoreSize(&type), 4)) : 0;
  }

  /// Whether a GPU's instruction takes the operand of `value` in its place: a constant offset is part of an address, and variables
  /// have fixed ones.
  static bool folds(const llvm::Value& value) {
    if (const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&value)) return gep->hasAllConstantIndices();
    return llvm::isa<llvm::AllocaInst>(value) || llvm::isa<llvm::AddrSpaceCastInst>(value) || llvm::isa<llvm::BitCastInst>(value) ||
           llvm::isa<llvm::FreezeInst>(value);
  }

  /// The value that a use of `value` keeps alive; null if that takes no register.
  const llvm::Value* origin(const llvm::Value* value) const {
    while (llvm::isa<llvm::Instruction>(value) && folds(*value) && !llvm::isa<llvm::AllocaInst>(value))
      value = llvm::cast<llvm::Instruction>(value)->getOperand(0);
    return registers(*value) ? value : nullptr;
  }

  /// Marks the blocks at whose end the operands of `user` live on. False: there are too many.
  bool find_blocks(const llvm::Instruction& user) {
    if (folds(user)) return true;
    for (const llvm::Use& use : user.operands()) {
      const llvm::Value* value = origin(use.get());
      if (!value) continue;
      const llvm::BasicBlock* defined = llvm::cast<llvm::Instruction>(value)->getParent();
      llvm::SmallVector<const llvm::BasicBlock*, 16> open;
      const auto leave = [&](const llvm::BasicBlock& block) {
        if (live_out_[&block].insert(value).second) {
          ++crossings_;
          if (&block != defined) open.push_back(&block);
        }
      };
      if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&user))
        leave(*phi->getIncomingBlock(use));
      else if (user.getParent() != defined)
        open.push_back(user.getParent());
      while (!open.empty()) {
        const llvm::BasicBlock* block = open.pop_back_val();
        for (const llvm::BasicBlock* before : llvm::predecessors(block)) leave(*before);
        if (crossings_ > kMostCrossings) return false;
      }
    }
    return true;
  }

  /// Walks the block backwards.
  unsigned peak(const llvm::BasicBlock& block) {
    llvm::DenseSet<const llvm::Value*> live;
    unsigned now = 0;
    const auto begin = [&](const llvm::Value* value) {
      if (value && live.insert(value).second) now += registers(*value);
    };
    for (const llvm::Value* value : live_out_[&block]) begin(value);
    unsigned most = now;
    for (const llvm::Instruction& instruction : llvm::reverse(block)) {
      if (live.erase(&instruction)) now -= registers(instruction);
      if (llvm::isa<llvm::PHINode>(instruction) || folds(instruction)) continue;
      for (const llvm::Value* operand : instruction.operands()) begin(origin(operand));
      most = std::max(most, now);
    }
    return most;
  }

  const llvm::Function& kernel_;
  const llvm::DataLayout& layout_;
  llvm::DenseMap<const llvm::BasicBlock*, llvm::DenseSet<const llvm::Value*>> live_out_;
  std::size_t crossings_ = 0;
};

}  // namespace

unsigned estimate_registers(const llvm::Function& kernel) {
  return std::min(Liveness(kernel).peak() + kAlways, kMostRegisters);
}

}  // namespace weft::compiler::simt
