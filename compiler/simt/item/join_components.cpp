#include "compiler/simt/item/join_components.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/Local.h"

#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "compiler/simt/ir/vector_form.h"

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::Value;

/// The numbers of a vector, a component after the other.
using Numbers = llvm::SmallVector<Value*, 16>;

constexpr unsigned kDeepestJoin = 64;  ///< operations one on the other

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

/// Of a square of vectors with as many components each, those of one place: a row of the turned square.
struct TurnedRow {
  llvm::SmallVector<Value*, 8> vectors;
  unsigned place = 0;
};

constexpr unsigned kLargestSquare = 8;

/// None unless `numbers` are such a row.
std::optional<TurnedRow> turned_row(llvm::ArrayRef<Value*> numbers) {
  if (numbers.size() > kLargestSquare || !llvm::isPowerOf2_64(numbers.size())) return std::nullopt;
  TurnedRow row;
  for (const auto [i, number] : llvm::enumerate(numbers)) {
    const auto of = component(number);
    if (!of || llvm::cast<llvm::FixedVectorType>(of->first->getType())->getNumElements() != numbers.size()) return std::nullopt;
    if (i == 0) row.place = of->second;
    if (of->second != row.place || llvm::is_contained(row.vectors, of->first)) return std::nullopt;
    row.vectors.push_back(of->first);
  }
  return row;
}

/// Squares of vectors that a program turns, and what is made of them: registers interleave two vectors at a time, and all rows share the steps.
class TurnedSquares {
 public:
  void add(const TurnedRow& row) { places_[row.vectors] |= 1u << row.place; }
  /// Of a single row the components are as well taken out.
  bool is_whole(const TurnedRow& row) const {
    const auto found = places_.find(row.vectors);
    return found != places_.end() && found->second == (1u << row.vectors.size()) - 1;
  }
  Value* make(const TurnedRow& row, llvm::IRBuilder<>& builder) { return interleaved(row.vectors, row.place, builder); }

 private:
  /// Of `vectors`, 2^n of them, the 1/2^n of all places that has number `part`: for each place their components, one after the other.
  Value* interleaved(llvm::ArrayRef<Value*> vectors, unsigned part, llvm::IRBuilder<>& builder) {
    if (vectors.size() == 1) return vectors.front();
    const auto unit = static_cast<unsigned>(vectors.size() / 2);
    Value* low = interleaved(vectors.take_front(unit), part / 2, builder);
    Value* high = interleaved(vectors.drop_front(unit), part / 2, builder);
    Instruction*& made = made_[{low, high, part % 2, builder.GetInsertBlock()}];
    if (made) return made;
    const auto count = llvm::cast<llvm::FixedVectorType>(low->getType())->getNumElements();
    llvm::SmallVector<int, kLargestSquare> mask;
    for (unsigned i = 0; i < count; ++i)
      mask.push_back(static_cast<int>(part % 2 * (count / 2) + i / (2 * unit) * unit + i % unit + (i / unit % 2 ? count : 0)));
    Value* value = builder.CreateShuffleVector(low, high, mask);
    made = llvm::dyn_cast<Instruction>(value);
    return value;
  }

  std::map<llvm::SmallVector<Value*, 8>, unsigned> places_;  ///< bits of places that rows are made of
  std::map<std::tuple<Value*, Value*, unsigned, llvm::BasicBlock*>, Instruction*> made_;
};

/// A vector to be made of numbers.
struct Joined {
  Value* whole = nullptr;   ///< there is one already
  std::optional<TurnedRow> row;
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
    if ((result->row = turned_row(numbers))) return result;
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
  return joined.whole || joined.row || llvm::any_of(joined.operands, [](const auto& operand) { return has_whole(*operand); });
}

/// Calls `visit` with each row of a turned square that `joined` is made of.
void visit_rows(const Joined& joined, llvm::function_ref<void(const TurnedRow&)> visit) {
  if (joined.row) visit(*joined.row);
  for (const auto& operand : joined.operands) visit_rows(*operand, visit);
}

Value* make(const Joined& joined, unsigned count, llvm::IRBuilder<>& builder, TurnedSquares& squares) {
  if (joined.whole) return joined.whole;
  if (joined.row) return squares.make(*joined.row, builder);
  if (joined.constant) return joined.constant;
  if (joined.shared) return builder.CreateVectorSplat(count, joined.shared);
  llvm::SmallVector<Value*, 3> operands;
  for (const auto& operand : joined.operands) operands.push_back(make(*operand, count, builder, squares));
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
  const auto joined_at = [](llvm::InsertElementInst& insert) -> std::unique_ptr<Joined> {
    const Numbers numbers = numbers_of(insert);
    return numbers.size() < 2 ? nullptr : join(numbers, kDeepestJoin);
  };
  TurnedSquares squares;
  for (const llvm::WeakTrackingVH& end : last)
    if (const auto joined = joined_at(llvm::cast<llvm::InsertElementInst>(*end)))
      visit_rows(*joined, [&](const TurnedRow& row) { squares.add(row); });
  bool changed = false;
  for (const llvm::WeakTrackingVH& end : last) {
    auto* insert = llvm::dyn_cast_or_null<llvm::InsertElementInst>(end);
    if (!insert) continue;
    const auto joined = joined_at(*insert);
    if (!joined || !has_whole(*joined)) continue;
    bool is_whole = true;
    visit_rows(*joined, [&](const TurnedRow& row) { is_whole &= squares.is_whole(row); });
    if (!is_whole) continue;
    llvm::IRBuilder<> builder(insert);
    insert->replaceAllUsesWith(make(*joined, llvm::cast<llvm::FixedVectorType>(insert->getType())->getNumElements(), builder, squares));
    llvm::RecursivelyDeleteTriviallyDeadInstructions(insert);
    changed = true;
  }
  return changed;
}

}  // namespace weft::compiler::simt
