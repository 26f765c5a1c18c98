#include "compiler/simt/item/needed_elements.h"

#include "compiler/simt/item/scalar_elements.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

#include <bit>
#include <cstdint>

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::Value;

using ElementUses = std::uint64_t;  ///< a bit each
constexpr unsigned kMostNeeded = 64;

/// None of what is no short vector.
unsigned count_of(const Value& value) {
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(value.getType());
  return type && type->getNumElements() <= kMostNeeded ? type->getNumElements() : 0;
}

ElementUses all_of(const Value& vector) { return ~ElementUses{0} >> (kMostNeeded - count_of(vector)); }

/// Whether each element of the result is made of the same elements of the operands.
bool is_by_elements(const Instruction& instruction) {
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) return count_of(*cast->getOperand(0)) == count_of(*cast);
  return llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::SelectInst, llvm::FreezeInst, llvm::PHINode, llvm::MinMaxIntrinsic>(instruction);
}

/// The elements of operand `i` that `user` needs for those of its result that are needed.
ElementUses needed_of(const Instruction& user, unsigned i, ElementUses of_result) {
  const Value& operand = *user.getOperand(i);
  if (const auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(&user)) {
    const auto* index = llvm::dyn_cast<llvm::ConstantInt>(extract->getIndexOperand());
    return index && index->getValue().ult(count_of(operand)) ? ElementUses{1} << index->getZExtValue() : all_of(operand);
  }
  if (!count_of(user)) return all_of(operand);
  if (const auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(&user)) {
    const auto* index = llvm::dyn_cast<llvm::ConstantInt>(insert->getOperand(2));
    return index && index->getValue().ult(kMostNeeded) ? of_result & ~(ElementUses{1} << index->getZExtValue()) : of_result;
  }
  if (const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&user)) {
    const auto count = static_cast<int>(count_of(*shuffle->getOperand(0)));
    ElementUses needed = 0;
    for (unsigned element = 0; element < count_of(user); ++element) {
      const int from = shuffle->getMaskValue(element);
      if (of_result >> element & 1 && from >= 0 && (from >= count) == (i == 1)) needed |= ElementUses{1} << from % count;
    }
    return needed;
  }
  return is_by_elements(user) ? of_result : all_of(operand);
}

class NeededElements {
 public:
  explicit NeededElements(llvm::Function& function) : function_(function) {}

  bool run() {
    llvm::SmallVector<llvm::ExtractElementInst*, 8> extracts;
    for (Instruction& instruction : llvm::instructions(function_)) {
      if (auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(&instruction); extract && is_arithmetic(*extract->getVectorOperand()))
        extracts.push_back(extract);
    }
    if (extracts.empty()) return false;
    find_needed();
    ScalarElements scalars;
    bool changed = false;
    for (llvm::ExtractElementInst* extract : extracts) {
      Value* vector = extract->getVectorOperand();
      visited_.clear();
      if (!is_single(*vector)) continue;
      const auto index = static_cast<unsigned>(std::countr_zero(needed_.lookup(vector)));
      extract->replaceAllUsesWith(scalars.element(*vector, index));
      llvm::RecursivelyDeleteTriviallyDeadInstructions(extract);
      changed = true;
    }
    return changed;
  }

 private:
  /// Of those for which a scalar is less to compute.
  static bool is_arithmetic(const Value& vector) {
    return llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::CastInst, llvm::MinMaxIntrinsic>(vector);
  }

  void find_needed() {
    llvm::SmallVector<Instruction*, 64> changed;
    const auto need = [&](Instruction& user) {
      for (unsigned i = 0; i < user.getNumOperands(); ++i) {
        auto* operand = llvm::dyn_cast<Instruction>(user.getOperand(i));
        if (!operand || !count_of(*operand)) continue;
        const ElementUses more = needed_of(user, i, needed_.lookup(&user)) & ~needed_.lookup(operand);
        if (!more) continue;
        needed_[operand] |= more;
        changed.push_back(operand);
      }
    };
    for (Instruction& instruction : llvm::instructions(function_)) need(instruction);
    while (!changed.empty()) need(*changed.pop_back_val());
  }

  /// Whether what `vector` is made of is needed for that element alone, as far as ScalarElements goes.
  bool is_single(Value& vector) {
    auto* instruction = llvm::dyn_cast<Instruction>(&vector);
    if (!instruction || !count_of(vector) || !visited_.insert(instruction).second) return true;
    if (!is_by_elements(*instruction) && !llvm::isa<llvm::InsertElementInst, llvm::ShuffleVectorInst>(instruction)) return true;
    if (std::popcount(needed_.lookup(&vector)) > 1) return false;
    return llvm::all_of(instruction->operands(), [&](llvm::Use& operand) { return is_single(*operand); });
  }

  llvm::Function& function_;
  llvm::DenseMap<const Value*, ElementUses> needed_;
  llvm::DenseSet<const Instruction*> visited_;
};

}  // namespace

bool take_needed_elements(llvm::Function& function) { return NeededElements(function).run(); }

}  // namespace weft::compiler::simt
