#include "compiler/wide/group_prefetch.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>

#include "compiler/simt/barriers/group_fields.h"
#include "compiler/simt/ir/asked_lines.h"
#include "compiler/target/costs.h"
#include "compiler/wide/asked_accesses.h"
#include "device/kernel_abi.h"

namespace weft::compiler::wide {
namespace {

using llvm::Instruction;
using llvm::Value;
using target::kLineBytes;

/// Steps of more bytes leave the page, where hardware prefetchers stop, after a group or two.
constexpr std::uint64_t kFarStep = 2048;
/// Lines that are asked for at once, at least, and of a group, at most: those of more would drive each other out.
constexpr std::uint64_t kFewestLines = 16, kMostLines = 128;
/// A shorter load is one lane's, or few lanes'.
constexpr std::uint64_t kFewestBytes = 32;
/// Operations that an address is made of.
constexpr unsigned kMostParts = 32;

/// What a value goes on by from a group to the next: a number, and another times a value that groups share if there is one. As addresses, they wrap around.
struct Step {
  std::uint64_t number = 0;
  std::uint64_t factor = 0;
  Value* times = nullptr;
  bool operator==(const Step&) const = default;
};

std::optional<Step> sum(const std::optional<Step>& one, const std::optional<Step>& other) {
  if (!one || !other || (one->times && other->times && one->times != other->times)) return std::nullopt;
  return Step{one->number + other->number, one->factor + other->factor, one->times ? one->times : other->times};
}

std::optional<Step> product(const std::optional<Step>& step, std::uint64_t factor) {
  if (!step) return std::nullopt;
  return Step{step->number * factor, step->factor * factor, step->times};
}

class Steps {
 public:
  Steps(const llvm::Function& group, unsigned dimension)
      : group_(*group.getArg(1)), layout_(group.getDataLayout()), offset_(offsetof(abi::GroupInfo, group_id) + dimension * sizeof(std::uint64_t)) {}

  /// Nothing: not as a Step says.
  std::optional<Step> of(Value& value, unsigned depth = 0) {
    auto* instruction = llvm::dyn_cast<Instruction>(&value);
    if (!instruction) return Step{};
    if (const auto found = known_.find(&value); found != known_.end()) return found->second;
    if (depth > kMostParts) return std::nullopt;
    known_[&value] = Step{};  // a loop's counter, unless its start says otherwise
    const std::optional<Step> result = find(*instruction, depth + 1);
    return known_[&value] = result;
  }

 private:
  std::optional<Step> find(Instruction& instruction, unsigned depth) {
    const auto operand = [&](unsigned i) { return of(*instruction.getOperand(i), depth); };
    const auto constant = [&](unsigned i) { return llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(i)); };
    switch (instruction.getOpcode()) {
      case Instruction::Load:
        if (simt::field_offset(llvm::cast<llvm::LoadInst>(instruction), group_) == offset_) return Step{.number = 1};
        break;
      case Instruction::SExt:
      case Instruction::ZExt:
      case Instruction::Trunc: return operand(0);
      case Instruction::Or:
        if (!llvm::cast<llvm::PossiblyDisjointInst>(instruction).isDisjoint()) break;
        [[fallthrough]];
      case Instruction::Add: return sum(operand(0), operand(1));
      case Instruction::Sub: return sum(operand(0), product(operand(1), ~std::uint64_t{0}));
      case Instruction::Shl:
        if (const auto* bits = constant(1); bits && bits->getValue().ult(32)) return product(operand(0), std::uint64_t{1} << bits->getZExtValue());
        break;
      case Instruction::Mul:
        if (const auto* factor = constant(1); factor && factor->getValue().isSignedIntN(32))
          return product(operand(0), static_cast<std::uint64_t>(factor->getSExtValue()));
        for (const unsigned i : {0u, 1u}) {
          const std::optional<Step> one = operand(i), other = operand(1 - i);
          if (one && one->number != 0 && !one->times && other == Step{}) return Step{0, one->number, instruction.getOperand(1 - i)};
        }
        break;
      case Instruction::URem:
      case Instruction::SRem:
      case Instruction::And:  // but for the group at the end, of groups in another order, as along diagonals
        if (of(*instruction.getOperand(1), depth) == Step{}) return operand(0);
        break;
      case Instruction::GetElementPtr: return find(llvm::cast<llvm::GetElementPtrInst>(instruction), depth);
      default: break;
    }
    const bool is_shared = llvm::all_of(instruction.operands(), [&](const llvm::Use& use) { return of(*use.get(), depth) == Step{}; });
    return is_shared ? std::optional(Step{}) : std::nullopt;
  }

  std::optional<Step> find(llvm::GetElementPtrInst& address, unsigned depth) {
    llvm::MapVector<Value*, llvm::APInt> variables;
    llvm::APInt constant(64, 0);
    if (address.getType()->isVectorTy() || !address.collectOffset(layout_, 64, variables, constant)) return std::nullopt;
    std::optional<Step> result = of(*address.getPointerOperand(), depth);
    for (const auto& [variable, bytes] : variables) result = sum(result, product(of(*variable, depth), bytes.getZExtValue()));
    return result;
  }

  const Value& group_;
  const llvm::DataLayout& layout_;
  const std::uint64_t offset_;
  llvm::DenseMap<const Value*, std::optional<Step>> known_;
};

/// A load at a place of the group's own.
struct GroupLoad {
  Instruction* load;
  Value* pointer;
  std::uint64_t bytes;
  Step step;
};

using Loads = llvm::SmallVector<GroupLoad, 32>;

/// Of `loads` those that no row leads to: where what a group loads, from one array or several, reaches to the next group's place, prefetchers follow, as
/// it mostly does where warps load by turns.
Loads off_rows(const Loads& loads, const llvm::LoopInfo& loops) {
  Loads result;
  llvm::copy_if(loads, std::back_inserter(result), [&](const GroupLoad& load) {
    if (load.step.times) return true;
    if (loops.getLoopFor(load.load->getParent())) return false;
    std::uint64_t together = 0;
    for (const GroupLoad& other : loads)
      if (other.step == load.step) together += other.bytes;
    return std::min(load.step.number, -load.step.number) > std::max(together, kFarStep);
  });
  return result;
}

Loads far_loads(llvm::Function& group, unsigned dimension, bool goes_once) {
  Steps steps(group, dimension);
  Loads result;
  const llvm::DominatorTree dominators(group);
  const llvm::LoopInfo loops(dominators);
  const llvm::DataLayout& layout = group.getDataLayout();
  for (Instruction& instruction : llvm::instructions(group)) {
    Value* pointer = accessed_pointer(instruction);
    if (!pointer || !instruction.getType()->isVectorTy() || (!goes_once && loops.getLoopFor(instruction.getParent()))) continue;
    const std::uint64_t bytes = layout.getTypeStoreSize(instruction.getType()).getFixedValue();
    if (bytes < kFewestBytes || is_of_worker(*pointer, group)) continue;
    const std::optional<Step> step = steps.of(*pointer);
    if (step && *step != Step{}) result.push_back({&instruction, pointer, bytes, *step});
  }
  return off_rows(result, loops);
}

}  // namespace

void prefetch_next_group(llvm::Function& group, unsigned dimension, bool goes_once) {
  const Loads loads = far_loads(group, dimension, goes_once);
  std::uint64_t lines = 0;
  for (const GroupLoad& load : loads) lines += llvm::divideCeil(load.bytes, kLineBytes);
  if (lines == 0 || lines > kMostLines) return;
  const std::uint64_t ahead = llvm::divideCeil(kFewestLines, lines);
  const GroupLoad* before = nullptr;
  Value* distance = nullptr;
  for (const GroupLoad& load : loads) {
    llvm::IRBuilder<> builder(load.load);
    if (!before || before->step != load.step || before->load->getParent() != load.load->getParent()) {
      distance = builder.getInt64(load.step.number * ahead);
      if (load.step.times) {
        Value* times = builder.CreateSExtOrTrunc(load.step.times, builder.getInt64Ty());
        Value* far = builder.CreateMul(builder.getInt64(load.step.factor * ahead), times);
        distance = load.step.number ? builder.CreateAdd(far, distance) : far;
      }
    }
    before = &load;
    Value* line = builder.CreateGEP(builder.getInt8Ty(), load.pointer, distance);
    for (std::uint64_t offset = 0; offset < load.bytes; offset += kLineBytes) {
      if (offset) line = builder.CreateConstGEP1_64(builder.getInt8Ty(), line, kLineBytes);
      // Rows a power of two apart share a set of the nearest cache, which has fewer ways than a tile has rows.
      simt::ask_for_line(builder, line, /*stores=*/false, simt::AskedCache::kSecond);
    }
  }
}

}  // namespace weft::compiler::wide
