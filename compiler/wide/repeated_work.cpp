#include "compiler/wide/repeated_work.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallSet.h>
#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include "compiler/target/costs.h"
#include "compiler/target/target.h"
#include "compiler/wide/splittable_range.h"

namespace weft::compiler::wide {
namespace {

using llvm::Instruction;
using llvm::Value;

constexpr double kLoad = target::kScalarLoad * target::kVectorsEachCycle, kOther = target::kScalarOperation * target::kVectorsEachCycle;

unsigned elements_of(const Value& value) { return llvm::cast<llvm::FixedVectorType>(value.getType())->getNumElements(); }
bool is_repetition(const Value& value) { return is_broadcast(value) || repeated_row(value); }

/// A register's worth of `shuffle`: its source registers two by two.
double work_of_shuffle(const llvm::ShuffleVectorInst& shuffle) {
  const unsigned elements = std::max(1u, target::vectors().register_bits / element_bits(*shuffle.getType()));
  const auto from = origins(shuffle);
  llvm::SmallSet<std::pair<const Value*, unsigned>, 16> registers, numbers;
  for (const auto& [source, element] : llvm::ArrayRef(from).take_front(elements)) {
    if (source) registers.insert({source, element / elements});
    if (llvm::isa_and_present<llvm::InsertElementInst>(source)) numbers.insert({source, element});
  }
  if (numbers.size() > 2) return static_cast<double>(numbers.size() - 1);  // one number repeated is a part of a load
  if (is_repetition(shuffle)) return 0;
  return static_cast<double>(std::max<std::size_t>(2, registers.size()) - 1);
}

double work(const Instruction& instruction) {
  if (const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction)) return work_of_shuffle(*shuffle);
  const unsigned registers = registers_of(*instruction.getType());
  // What is put into a vector counts where that is shuffled.
  if (llvm::isa<llvm::PHINode, llvm::GetElementPtrInst, llvm::InsertElementInst>(instruction)) return 0;
  if (llvm::isa<llvm::LoadInst>(instruction) && registers > 1)
    return llvm::all_of(instruction.users(), [](const llvm::User* user) { return is_repetition(*user); }) ? 0 : registers * kLoad;
  if (registers > 1) return registers;
  if (instruction.getType()->isFPOrFPVectorTy() && !llvm::isa<llvm::LoadInst>(instruction)) return 1;
  if (!instruction.mayReadOrWriteMemory()) return instruction.getType()->isVectorTy() ? 1 : kOther;
  // Of the numbers that a broadcast repeats, a register block reads those of its own lanes.
  const auto* part = instruction.hasOneUse() ? llvm::dyn_cast<llvm::InsertElementInst>(instruction.user_back()) : nullptr;
  return part ? kLoad / elements_of(*part) : kLoad;
}

}  // namespace

llvm::SmallVector<std::pair<const Value*, unsigned>, 128> origins(const Value& value) {
  llvm::SmallVector<std::pair<const Value*, unsigned>, 128> found;
  for (unsigned i = 0; i < elements_of(value); ++i) {
    const Value* source = &value;
    auto element = static_cast<int>(i);
    while (const auto* shuffle = llvm::dyn_cast_if_present<llvm::ShuffleVectorInst>(source)) {
      element = shuffle->getMaskValue(static_cast<unsigned>(element));
      const auto count = static_cast<int>(elements_of(*shuffle->getOperand(0)));
      source = element < 0 ? nullptr : shuffle->getOperand(element < count ? 0 : 1);
      if (element >= count) element -= count;
    }
    found.emplace_back(source && llvm::isa<llvm::UndefValue>(source) ? nullptr : source, static_cast<unsigned>(std::max(element, 0)));
  }
  return found;
}

llvm::SmallVector<unsigned, 8> equal_pieces(const Value& value, unsigned elements) {
  const auto all = origins(value);
  llvm::SmallVector<llvm::ArrayRef<std::pair<const Value*, unsigned>>, 8> pieces;
  llvm::SmallVector<unsigned, 8> first;
  for (unsigned from = 0; from < all.size(); from += elements) {
    pieces.push_back(llvm::ArrayRef(all).slice(from, elements));
    first.push_back(static_cast<unsigned>(std::distance(pieces.begin(), llvm::find(pieces, pieces.back()))));
  }
  return first;
}

RepeatedWork::RepeatedWork(const llvm::BasicBlock& loop) {
  for (const Instruction& instruction : llvm::reverse(loop)) {
    const bool feeds_these = !llvm::isa<llvm::PHINode>(instruction) && !instruction.use_empty() &&
                             llvm::all_of(instruction.users(), [&](const llvm::User* user) {
                               return beside_.contains(llvm::cast<Instruction>(user));
                             });
    if (feeds_these || !SplittableRange::can_split(instruction)) beside_.insert(&instruction);
  }
}

void RepeatedWork::leave_shared_loads(const llvm::BasicBlock& loop) {
  constexpr unsigned kFewestChains = 4;
  const auto is_part = [&](const llvm::User* user) {
    const auto* instruction = llvm::cast<Instruction>(user);
    return instruction->getParent() == &loop && !llvm::isa<llvm::PHINode>(instruction) && !beside_.contains(instruction) &&
           llvm::any_of(instruction->operands(), [](const Value* operand) { return is_broadcast(*operand); });
  };
  for (const Instruction& instruction : loop)
    if (llvm::isa<llvm::LoadInst>(instruction) && !beside_.contains(&instruction) && registers_of(*instruction.getType()) > 1 &&
        instruction.hasNUsesOrMore(kFewestChains) && llvm::all_of(instruction.users(), is_part))
      beside_.insert(&instruction);
}

double RepeatedWork::to_make(llvm::ArrayRef<const Value*> values) const {
  double sum = 0;
  llvm::SmallPtrSet<const Value*, 32> seen;
  llvm::SmallVector<const Value*, 32> left(values.begin(), values.end());
  while (!left.empty()) {
    const auto* instruction = llvm::dyn_cast<Instruction>(left.pop_back_val());
    if (!instruction || !beside_.contains(instruction) || !seen.insert(instruction).second) continue;
    sum += work(*instruction);
    if (llvm::isa<llvm::ShuffleVectorInst>(instruction))
      for (const auto& [source, element] : origins(*instruction)) {
        if (source && !seen.contains(source)) left.push_back(source);
      }
    else
      left.append(instruction->op_begin(), instruction->op_end());
  }
  return sum;
}

}  // namespace weft::compiler::wide
