#include "compiler/simt/analysis/registers.h"

#include <algorithm>
#include <utility>

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
  /// An element of a vector, or another value whole, as element 0.
  using Part = std::pair<const llvm::Value*, unsigned>;

  static unsigned parts(const llvm::Value& value) {
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(value.getType());
    return vector ? vector->getNumElements() : 1;
  }

  unsigned registers(const llvm::Value& part_of) const { return registers(*part_of.getType()->getScalarType()); }

  unsigned registers(llvm::Type& type) const {
    if (type.isVoidTy() || type.isIntegerTy(1)) return 0;
    if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type))  // of an aggregate
      return vector->getNumElements() * registers(*vector->getElementType());
    if (type.isPointerTy()) return type.getPointerAddressSpace() == kLocalSpace ? 1 : 2;
    if (type.isAggregateType()) {
      unsigned sum = 0;
      for (llvm::Type* member : type.subtypes()) sum += registers(*member);
      return sum;
    }
    return type.isSized() ? static_cast<unsigned>(llvm::divideCeil(layout_.getTypeStoreSize(&type), 4)) : 0;
  }

  /// Whether a GPU's instruction takes the operand of `value` in its place: a constant offset is part of an address, variables have
  /// fixed ones, and vectors are registers side by side, which are taken apart and put together by naming them.
  static bool folds(const llvm::Value& value) {
    if (const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&value)) return gep->hasAllConstantIndices();
    if (const auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(&value)) return llvm::isa<llvm::ConstantInt>(extract->getIndexOperand());
    if (llvm::isa<llvm::InsertElementInst>(value)) return llvm::isa<llvm::ConstantInt>(llvm::cast<llvm::User>(value).getOperand(2));
    return llvm::isa<llvm::AllocaInst>(value) || llvm::isa<llvm::AddrSpaceCastInst>(value) || llvm::isa<llvm::BitCastInst>(value) ||
           llvm::isa<llvm::FreezeInst>(value) || llvm::isa<llvm::ShuffleVectorInst>(value);
  }

  /// Calls f(part) for what a use of `part` keeps alive, unless that takes no register.
  template <class F>
  void for_each_origin(Part part, F&& f) const {
    auto& [value, element] = part;
    while (llvm::isa<llvm::Instruction>(value) && folds(*value)) {
      if (llvm::isa<llvm::AllocaInst>(value)) return;
      const auto& instruction = llvm::cast<llvm::Instruction>(*value);
      const auto index = [&](unsigned operand) { return static_cast<unsigned>(llvm::cast<llvm::ConstantInt>(instruction.getOperand(operand))->getZExtValue()); };
      unsigned operand = 0;
      if (const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(value)) {
        const int from = shuffle->getMaskValue(element);
        if (from < 0) return;
        const unsigned width = parts(*shuffle->getOperand(0));
        operand = static_cast<unsigned>(from) / width;
        element = static_cast<unsigned>(from) % width;
      } else if (llvm::isa<llvm::ExtractElementInst>(value)) {
        element = index(1);
        if (element >= parts(*instruction.getOperand(0))) return;  // poison
      } else if (llvm::isa<llvm::InsertElementInst>(value) && element == index(2)) {
        operand = 1;
        element = 0;
      } else if (parts(*value) != parts(*instruction.getOperand(0))) {  // other elements of the same bits
        for (unsigned i = 0; i < parts(*instruction.getOperand(0)); ++i) for_each_origin(Part(instruction.getOperand(0), i), f);
        return;
      }
      value = instruction.getOperand(operand);
    }
    if (llvm::isa<llvm::Instruction>(value) && registers(*value)) f(part);
  }

  template <class F>
  void for_each_origin(const llvm::Value& value, F&& f) const {
    for (unsigned i = 0; i < parts(value); ++i) for_each_origin(Part(&value, i), f);
  }

  /// Marks the blocks at whose end the operands of `user` live on. False: there are too many.
  bool find_blocks(const llvm::Instruction& user) {
    if (folds(user)) return true;
    for (const llvm::Use& use : user.operands()) {
      for_each_origin(*use.get(), [&](const Part& part) { find_blocks(user, use, part); });
      if (crossings_ > kMostCrossings) return false;
    }
    return true;
  }

  void find_blocks(const llvm::Instruction& user, const llvm::Use& use, const Part& part) {
    const llvm::BasicBlock* defined = llvm::cast<llvm::Instruction>(part.first)->getParent();
    llvm::SmallVector<const llvm::BasicBlock*, 16> open;
    const auto leave = [&](const llvm::BasicBlock& block) {
      if (live_out_[&block].insert(part).second) {
        ++crossings_;
        if (&block != defined) open.push_back(&block);
      }
    };
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&user))
      leave(*phi->getIncomingBlock(use));
    else if (user.getParent() != defined)
      open.push_back(user.getParent());
    while (!open.empty() && crossings_ <= kMostCrossings) {
      const llvm::BasicBlock* block = open.pop_back_val();
      for (const llvm::BasicBlock* before : llvm::predecessors(block)) leave(*before);
    }
  }

  /// Walks the block backwards.
  unsigned peak(const llvm::BasicBlock& block) {
    llvm::DenseSet<Part> live;
    unsigned now = 0;
    const auto begin = [&](const Part& part) {
      if (live.insert(part).second) now += registers(*part.first);
    };
    for (const Part& part : live_out_[&block]) begin(part);
    unsigned most = now;
    for (const llvm::Instruction& instruction : llvm::reverse(block)) {
      if (folds(instruction)) continue;
      for (unsigned i = 0; i < parts(instruction); ++i)
        if (live.erase(Part(&instruction, i))) now -= registers(instruction);
      if (llvm::isa<llvm::PHINode>(instruction)) continue;
      for (const llvm::Value* operand : instruction.operands()) for_each_origin(*operand, begin);
      most = std::max(most, now);
    }
    return most;
  }

  const llvm::Function& kernel_;
  const llvm::DataLayout& layout_;
  llvm::DenseMap<const llvm::BasicBlock*, llvm::DenseSet<Part>> live_out_;
  std::size_t crossings_ = 0;
};

}  // namespace

unsigned estimate_registers(const llvm::Function& kernel) {
  return std::min(Liveness(kernel).peak() + kAlways, kMostRegisters);
}

}  // namespace weft::compiler::simt
