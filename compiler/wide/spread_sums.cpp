#include "compiler/wide/spread_sums.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <algorithm>

#include "compiler/simt/ir/hidden_values.h"
#include "compiler/wide/splittable_range.h"

namespace weft::compiler::wide {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

/// Cycles until a product and a sum in one is there, which a sum alone may become.
constexpr unsigned kFusedLatency = 4;
/// Fewer sums, in registers, are not worth a register that holds ones.
constexpr unsigned kFewSums = 16;

bool is_sum(const Instruction& instruction) {
  return instruction.getOpcode() == Instruction::FAdd || instruction.getOpcode() == Instruction::FSub;
}

/// Of a vector of floats or doubles.
bool is_vector(const Instruction& instruction) {
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(instruction.getType());
  return type && (type->getElementType()->isFloatTy() || type->getElementType()->isDoubleTy());
}

/// Whether nobody asks for some lanes of this, so that code generation computes fewer.
bool has_idle_lanes(const Instruction& sum) {
  return llvm::any_of(sum.operands(), [](const llvm::Use& use) {
    const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(use.get());
    return shuffle && llvm::is_contained(shuffle->getShuffleMask(), llvm::PoisonMaskElem);
  });
}

/// Whether code generation will make one instruction of this sum and a product that it is of.
bool will_be_fused(const Instruction& sum) {
  return sum.hasAllowContract() && llvm::any_of(sum.operands(), [](const llvm::Use& use) {
           const auto* product = llvm::dyn_cast<Instruction>(use.get());
           return product && product->getOpcode() == Instruction::FMul && product->hasAllowContract() && product->hasOneUse();
         });
}

class Sums {
 public:
  Sums(llvm::Function& function, const VectorTraits& vectors) : function_(function), vectors_(vectors), builder_(function.getContext()) {}

  void run() {
    for (BasicBlock& block : function_) run(block);
  }

 private:
  /// Registers that go from or to memory.
  static unsigned moved(const Instruction& access) {
    const bool has_result = !access.getType()->isVoidTy();
    return registers_of(has_result || access.getNumOperands() == 0 ? *access.getType() : *access.getOperand(0)->getType());
  }

  bool fills_registers(const llvm::Type& type) const { return type.getPrimitiveSizeInBits().getFixedValue() % vectors_.register_bits == 0; }

  void run(BasicBlock& block) {
    llvm::SmallVector<Instruction*, 64> sums;
    llvm::DenseMap<const Value*, unsigned> behind;  // operations of floats that one waits for, and itself
    unsigned apart = 0, others = 0, accesses = 0, longest = 0;  // but the last in registers
    for (Instruction& instruction : block) {
      if (instruction.mayReadOrWriteMemory()) accesses += moved(instruction);
      if (!is_vector(instruction) || llvm::isa<llvm::PHINode>(instruction)) continue;
      unsigned before = 0;
      for (const Value* operand : instruction.operand_values()) before = std::max(before, behind.lookup(operand));
      const bool computes = llvm::isa<llvm::BinaryOperator, llvm::IntrinsicInst>(instruction);
      behind[&instruction] = before + computes;
      longest = std::max(longest, before + computes);
      if (is_sum(instruction) && fills_registers(*instruction.getType()) && !has_idle_lanes(instruction) && !will_be_fused(instruction)) {
        sums.push_back(&instruction);
        apart += registers_of(*instruction.getType());
      } else if (computes && !instruction.mayReadOrWriteMemory()) {
        others += registers_of(*instruction.getType());
      }
    }
    if (apart < std::max(others, accesses) + kFewSums || apart < longest * kFusedLatency * vectors_.apart_sums) return;
    spread(sums, apart, (apart - others) / 2);
  }

  /// So many of `all` registers of `sums` become products, one here, one there.
  void spread(llvm::ArrayRef<Instruction*> sums, unsigned all, unsigned products) {
    unsigned passed = 0, taken = 0;
    for (Instruction* sum : sums) {
      passed += registers_of(*sum->getType());
      if (taken * all >= passed * products) continue;
      taken += registers_of(*sum->getType());
      replace(*sum);
    }
  }

  void replace(Instruction& sum) {
    builder_.SetInsertPoint(&sum);
    const bool is_difference = sum.getOpcode() == Instruction::FSub;
    Value *x = sum.getOperand(0), *y = sum.getOperand(1);
    Value* factor = is_difference ? builder_.CreateFNeg(y) : x;
    Value* fused = builder_.CreateIntrinsic(llvm::Intrinsic::fma, {sum.getType()}, {factor, ones(*sum.getType()), is_difference ? x : y});
    fused->takeName(&sum);
    sum.replaceAllUsesWith(fused);
    sum.eraseFromParent();
  }

  /// A vector of ones that LLVM does not know as such: a register of them, as often as `type` has.
  Value* ones(llvm::Type& type) {
    const auto& vector = llvm::cast<llvm::FixedVectorType>(type);
    llvm::Type* element = vector.getElementType();
    const unsigned count = vectors_.register_bits / element->getScalarSizeInBits();
    Value*& one = ones_[element];
    if (!one) {
      auto* of_register = llvm::FixedVectorType::get(element, count);
      llvm::IRBuilder<> entry(&*function_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
      one = simt::hidden(entry, *llvm::ConstantFP::get(of_register, 1.0));
      one->setName("ones");
    }
    if (count == vector.getNumElements()) return one;
    llvm::SmallVector<int, 64> lanes;
    for (unsigned i = 0; i < vector.getNumElements(); ++i) lanes.push_back(static_cast<int>(i % count));
    return builder_.CreateShuffleVector(one, lanes);
  }

  llvm::Function& function_;
  const VectorTraits& vectors_;
  llvm::IRBuilder<> builder_;
  llvm::DenseMap<llvm::Type*, Value*> ones_;
};

}  // namespace

void spread_sums(llvm::Function& function, const VectorTraits& vectors) {
  if (vectors.apart_sums) Sums(function, vectors).run();
}

}  // namespace weft::compiler::wide
