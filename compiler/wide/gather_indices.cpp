#include "compiler/wide/gather_indices.h"

#include <llvm/ADT/SmallBitVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace weft::compiler::wide {
namespace {

using llvm::Value;
using Lanes = llvm::SmallBitVector;

constexpr unsigned kMaxDepth = 12;
constexpr unsigned kMaxValues = 2000;  ///< looked at for one gather

unsigned lanes_of(const Value& value) { return llvm::cast<llvm::FixedVectorType>(value.getType())->getNumElements(); }

/// The lanes in which a value is poison or undef whatever happens at run time, as far as a short look finds.
class PoisonLanes {
 public:
  Lanes of(const Value& value, unsigned depth = 0) {
    Lanes result(lanes_of(value));
    if (depth > kMaxDepth || ++seen_ > kMaxValues) return result;
    if (const auto* constant = llvm::dyn_cast<llvm::Constant>(&value)) {
      for (unsigned lane = 0; lane < result.size(); ++lane)
        if (llvm::isa_and_nonnull<llvm::UndefValue>(constant->getAggregateElement(lane))) result.set(lane);
      return result;
    }
    if (const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&value)) return of_shuffle(*shuffle, depth + 1);
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&value)) return of_phi(*phi, depth + 1);
    if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(&value)) {
      result = of(*select->getTrueValue(), depth + 1);
      return result &= of(*select->getFalseValue(), depth + 1);
    }
    if (const auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(&value)) {
      const auto* lane = llvm::dyn_cast<llvm::ConstantInt>(insert->getOperand(2));
      if (!lane || lane->getZExtValue() >= result.size()) return result;
      result = of(*insert->getOperand(0), depth + 1);
      if (llvm::isa<llvm::UndefValue>(insert->getOperand(1)))
        result.set(lane->getZExtValue());
      else
        result.reset(lane->getZExtValue());
      return result;
    }
    if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&value); cast && cast->getSrcTy()->isVectorTy())
      return lanes_of(*cast->getOperand(0)) == result.size() ? of(*cast->getOperand(0), depth + 1) : result;
    if (llvm::isa<llvm::BinaryOperator, llvm::GetElementPtrInst>(value)) {
      for (const llvm::Use& operand : llvm::cast<llvm::User>(value).operands())
        if (operand->getType()->isVectorTy()) result |= of(*operand, depth + 1);
    }
    return result;
  }

 private:
  Lanes of_shuffle(const llvm::ShuffleVectorInst& shuffle, unsigned depth) {
    const unsigned from = lanes_of(*shuffle.getOperand(0));
    const Lanes first = of(*shuffle.getOperand(0), depth), second = of(*shuffle.getOperand(1), depth);
    Lanes result(lanes_of(shuffle));
    for (unsigned lane = 0; lane < result.size(); ++lane) {
      const int source = shuffle.getMaskValue(lane);
      if (source < 0 || (static_cast<unsigned>(source) < from ? first.test(source) : second.test(source - from))) result.set(lane);
    }
    return result;
  }

  /// What comes around a loop is taken for poison: it is, unless something else that comes in is not.
  Lanes of_phi(const llvm::PHINode& phi, unsigned depth) {
    Lanes result(lanes_of(phi), true);
    if (llvm::is_contained(around_, &phi)) return result;
    around_.push_back(&phi);
    for (const Value* incoming : phi.incoming_values()) {
      if (result.none()) break;
      result &= of(*incoming, depth);
    }
    around_.pop_back();
    return result;
  }

  llvm::SmallVector<const llvm::PHINode*, 8> around_;  ///< those that the look is at, each through the one before
  unsigned seen_ = 0;
};

void define_index(llvm::IntrinsicInst& gather) {
  Value* pointers = gather.getArgOperand(0);
  const Lanes poison = PoisonLanes().of(*pointers);
  if (poison.none()) return;
  const int live = poison.find_first_unset();
  if (live < 0) {
    // No lane has an address, so none may be live.
    gather.replaceAllUsesWith(gather.getArgOperand(3));
    gather.eraseFromParent();
    return;
  }
  llvm::SmallVector<int, 64> lanes;
  for (unsigned lane = 0; lane < poison.size(); ++lane) lanes.push_back(poison.test(lane) ? live : static_cast<int>(lane));
  llvm::IRBuilder<> builder(&gather);
  gather.setArgOperand(0, builder.CreateShuffleVector(pointers, lanes));
}

}  // namespace

void define_gather_indices(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
    if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        call && call->getIntrinsicID() == llvm::Intrinsic::masked_gather)
      define_index(*call);
}

}  // namespace weft::compiler::wide
