#include "compiler/simt/item/join_components.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/Local.h"

#include <memory>
#include <optional>
#include <utility>

#include "compiler/simt/ir/vector_form.h"

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::Value;

/// The numbers of a vector, a component after the other.
using Numbers = llvm::SmallVector<Value*, 16>;

constexpr unsigned kDeepest = 64;  ///< operations one on the other

/// The vector and the component that `number` is, if it is one.
std::optional<std::pair<Value*, unsigned>> component(Value* number) {
  auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(number);
  const auto* index = extract ? llvm::dyn_cast<llvm::ConstantInt>(extract->getIndexOperand()) : nullptr;
  if (!index || index->getValue().uge(llvm::cast<llvm::VectorType>(extract->getVectorOperandType())->getElementCount().getKnownMinValue()))
    return std::nullopt;
  return std::pair(extract->getVectorOperand(), static_cast<unsigned>(index->getZExtValue()));
}

bool are_same(Value* a, Value* b) {
  if (a == b) return true;
  const auto left = component(a), right = component(b);
  return left && left == right;
}

/// Whether one instruction does to all components of vectors what `instruction` does to numbers.
bool has_vector_form(const Instruction& instruction) {
  if (!llvm::isa<llvm::CastInst>(instruction)) return is_componentwise(instruction);
  const llvm::Type* from = instruction.getOperand(0)->getType();
  return !instruction.getType()->isPointerTy() && !from->isPointerTy() && !from->isVectorTy();
}

bool are_alike(const Instruction& a, const Instruction& b) {
  if (a.getOpcode() != b.getOpcode() || a.getType() != b.getType()) return false;
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&a))
    return call->getCalledFunction() == llvm::cast<llvm::CallBase>(b).getCalledFunction();
  return a.getNumOperands() == b.getNumOperands() && a.getOperand(0)->getType() == b.getOperand(0)->getType();
}

/// What two numbers are made of at the top.
bool look_alike(Value* a, Value* b) {
  const auto left = component(a), right = component(b);
  if (left || right) return left && right && left->first == right->first;
  const auto* x = llvm::dyn_cast<Instruction>(a);
  const auto* y = llvm::dyn_cast<Instruction>(b);
  return a == b || (x && y && are_alike(*x, *y)) || (llvm::isa<llvm::Constant>(a) && llvm::isa<llvm::Constant>(b));
}

/// A vector to be made of numbers.
struct Joined {
  Value* whole = nullptr;   ///< there is one already
  Value* shared = nullptr;  ///< all components are this number
  llvm::Constant* constant = nullptr;
  llvm::SmallVector<Instruction*, 16> operations;  ///< else: of these, by component
  llvm::SmallVector<std::unique_ptr<Joined>, 3> operands;
};

std::unique_ptr<Joined> join(llvm::ArrayRef<Value*> numbers, unsigned depth) {
  auto result = std::make_unique<Joined>();
  const auto count = static_cast<unsigned>(numbers.size());
  if (llvm::all_of(numbers, llvm::IsaPred<llvm::Constant>)) {
    llvm::SmallVector<llvm::Constant*, 16> constants;
    for (Value* number : numbers) constants.push_back(llvm::cast<llvm::Constant>(number));
    result->constant = llvm::ConstantVector::get(constants);
    return result;
  }
  if (llvm::all_of(numbers, [&](Value* number) { return are_same(number, numbers.front()); })) {
    result->shared = numbers.front();
    return result;
  }
  if (const auto first = component(numbers.front())) {
    for (const auto [i, number] : llvm::enumerate(numbers))
      if (component(number) != std::pair(first->first, static_cast<unsigned>(i))) return nullptr;
    if (llvm::cast<llvm::FixedVectorType>(first->first->getType())->getNumElements() != count) return nullptr;
    result->whole = first->first;
    return result;
  }
  const auto* first = llvm::dyn_cast<Instruction>(numbers.front());
  if (!first || depth == 0 || !has_vector_form(*first)) return nullptr;
  for (Value* number : numbers) {
    auto* operation = llvm::dyn_cast<Instruction>(number);
    if (!operation || !operation->hasOneUse() || operation->getParent() != first->getParent() || !are_alike(*operation, *first)) return nullptr;
    result->operations.push_back(operation);
  }
  const unsigned operands = llvm::isa<llvm::CallBase>(first) ? llvm::cast<llvm::CallBase>(first)->arg_size() : first->getNumOperands();
  llvm::SmallVector<Numbers, 3> by_operand(operands);
  for (Instruction* operation : result->operations) {
    const bool is_swapped = operation->isCommutative() && !look_alike(operation->getOperand(0), first->getOperand(0)) &&
                            look_alike(operation->getOperand(1), first->getOperand(0));
    for (unsigned i = 0; i < operands; ++i) by_operand[i].push_back(operation->getOperand(is_swapped && i < 2 ? 1 - i : i));
  }
  for (const Numbers& operand : by_operand) {
    auto joined = join(operand, depth - 1);
    if (!joined) return nullptr;
    result->operands.push_back(std::move(joined));
  }
  return result;
}

bool has_whole(const Joined& joined) {
  return joined.whole || llvm::any_of(joined.operands, [](const auto& operand) { return has_whole(*operand); });
}

Value* make(const Joined& joined, unsigned count, llvm::IRBuilder<>& builder) {
  if (joined.whole) return joined.whole;
  if (joined.constant) return joined.constant;
  if (joined.shared) return builder.CreateVectorSplat(count, joined.shared);
  llvm::SmallVector<Value*, 3> operands;
  for (const auto& operand : joined.operands) operands.push_back(make(*operand, count, builder));
  const Instruction& first = *joined.operations.front();
  auto* type = llvm::FixedVectorType::get(first.getType(), count);
  Value* value = same_of_vectors(builder, first, operands, *type);
  if (auto* made = llvm::dyn_cast<Instruction>(value))
    for (const Instruction* operation : llvm::drop_begin(joined.operations)) made->andIRFlags(operation);
  return value;
}

/// The numbers that the chain which ends at `last` sets; none if it does not set all.
Numbers numbers_of(llvm::InsertElementInst& last) {
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(last.getType());
  if (!type) return {};
  Numbers numbers(type->getNumElements(), nullptr);
  unsigned missing = type->getNumElements();
  for (auto* insert = &last; insert && missing; insert = llvm::dyn_cast<llvm::InsertElementInst>(insert->getOperand(0))) {
    if (insert != &last && !insert->hasOneUse()) return {};
    const auto* index = llvm::dyn_cast<llvm::ConstantInt>(insert->getOperand(2));
    if (!index || index->getValue().uge(numbers.size())) return {};
    Value*& number = numbers[index->getZExtValue()];
    if (!number) --missing;
    if (!number) number = insert->getOperand(1);
  }
  return missing ? Numbers() : numbers;
}

}  // namespace

bool join_components(llvm::Function& function) {
  llvm::SmallVector<llvm::WeakTrackingVH, 16> last;
  for (Instruction& instruction : llvm::instructions(function)) {
    auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(&instruction);
    if (insert && !(insert->hasOneUse() && llvm::isa<llvm::InsertElementInst>(insert->user_back()))) last.push_back(insert);
  }
  bool changed = false;
  for (const llvm::WeakTrackingVH& end : last) {
    auto* insert = llvm::dyn_cast_or_null<llvm::InsertElementInst>(end);
    if (!insert) continue;
    const Numbers numbers = numbers_of(*insert);
    if (numbers.size() < 2) continue;
    const auto joined = join(numbers, kDeepest);
    if (!joined || !has_whole(*joined)) continue;
    llvm::IRBuilder<> builder(insert);
    insert->replaceAllUsesWith(make(*joined, static_cast<unsigned>(numbers.size()), builder));
    llvm::RecursivelyDeleteTriviallyDeadInstructions(insert);
    changed = true;
  }
  return changed;
}

}  // namespace weft::compiler::simt
