#include "compiler/simt/item/own_places.h"

#include <array>
#include <bitset>
#include <cstddef>
#include <optional>
#include <utility>

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "compiler/simt/ir/primitives.h"
#include "device/kernel_abi.h"

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::LoadInst;
using llvm::SCEV;
using llvm::Value;

std::optional<unsigned> dimension_of(llvm::StringRef name, llvm::StringRef id) {
  if (!name.consume_front(id) || name.size() != 1 || name[0] < 'x' || name[0] > 'z') return std::nullopt;
  return static_cast<unsigned>(name[0] - 'x');
}

/// What the address of a store in a loop is the sum of.
class Places {
 public:
  Places(const llvm::Function& item, const Specialization& specialization, llvm::ScalarEvolution& evolution, const llvm::Loop& loop)
      : item_(item), size_(specialization.local_size), evolution_(evolution), loop_(loop) {}

  /// Whether no two work-items of a launch, nor iterations of one, store a byte to the same place, `bytes` at a time, and work-items that lie beside each other
  /// do so there.
  bool are_apart(Value& pointer, std::uint64_t bytes) {
    if (!add(*evolution_.getSCEV(&pointer), 1) || !step_) return false;
    llvm::SmallVector<std::pair<std::int64_t, std::uint64_t>, 4> strides;
    for (unsigned dimension = 0; dimension < 3; ++dimension)
      if (size_[dimension] > 1) strides.push_back({lanes_[dimension], size_[dimension]});
    llvm::sort(strides);
    std::int64_t reached = static_cast<std::int64_t>(bytes);
    if (strides.empty() || strides.front().first != reached) return false;
    for (const auto& [stride, count] : strides) {
      if (stride < reached) return false;
      reached = stride * static_cast<std::int64_t>(count);
    }
    return step_ >= reached && depends_on_group();
  }

 private:
  static constexpr std::int64_t kMost = std::int64_t{1} << 31;

  bool add(const SCEV& sum, std::int64_t factor) {
    if (const auto* parts = llvm::dyn_cast<llvm::SCEVAddExpr>(&sum))
      return llvm::all_of(parts->operands(), [&](const SCEV* part) { return add(*part, factor); });
    if (const auto* recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(&sum); recurrence && recurrence->getLoop() == &loop_) {
      const auto* step = llvm::dyn_cast<llvm::SCEVConstant>(recurrence->getStepRecurrence(evolution_));
      if (!recurrence->isAffine() || !step || step_) return false;
      const auto by = scaled(*step, factor);
      if (!by) return false;
      step_ = *by;
      return add(*recurrence->getStart(), factor);
    }
    if (const auto* recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(&sum); recurrence && is_around(*recurrence))
      return add(*recurrence->getStart(), factor) && is_of_group(*recurrence->getStepRecurrence(evolution_), false);
    if (const auto* product = llvm::dyn_cast<llvm::SCEVMulExpr>(&sum); product && product->getNumOperands() == 2) {
      const auto* constant = llvm::dyn_cast<llvm::SCEVConstant>(product->getOperand(0));
      const auto by = constant ? scaled(*constant, factor) : std::nullopt;
      if (by) return add(*product->getOperand(1), *by);
    }
    // Numbers that differ before they are extended do so behind it.
    if (llvm::isa<llvm::SCEVZeroExtendExpr, llvm::SCEVSignExtendExpr>(&sum))
      return add(*llvm::cast<llvm::SCEVCastExpr>(&sum)->getOperand(), factor);
    if (const auto* unknown = llvm::dyn_cast<llvm::SCEVUnknown>(&sum)) {
      for (const llvm::StringRef id : {llvm::StringRef(primitive::kLocalId), llvm::StringRef(primitive::kGlobalId)}) {
        const auto dimension = dimension_of(called_name(*unknown->getValue()), id);
        if (!dimension) continue;
        if (lanes_[*dimension]) return false;
        lanes_[*dimension] = factor;
        if (id == primitive::kGlobalId) groups_.set(*dimension);
        return true;
      }
    }
    return is_of_group(sum, /*is_factor=*/true);
  }

  /// Of a loop around: where it begins tells groups and work-items apart.
  bool is_around(const llvm::SCEVAddRecExpr& recurrence) const {
    return recurrence.isAffine() && recurrence.getLoop() != &loop_ && recurrence.getLoop()->contains(&loop_);
  }

  static std::optional<std::int64_t> scaled(const llvm::SCEVConstant& constant, std::int64_t factor) {
    const llvm::APInt& value = constant.getAPInt();
    if (!value.isSignedIntN(32)) return std::nullopt;
    const std::int64_t product = value.getSExtValue() * factor;
    return product < kMost && product > -kMost ? std::optional(product) : std::nullopt;
  }

  /// Whether `sum` is the same for all of a group. Notes which of its numbers are a factor of it, or an addend of one.
  bool is_of_group(const SCEV& sum, bool is_factor) {
    if (llvm::isa<llvm::SCEVConstant>(&sum)) return true;
    if (const auto* unknown = llvm::dyn_cast<llvm::SCEVUnknown>(&sum)) {
      const Value* value = unknown->getValue();
      if (llvm::isa<llvm::Argument, llvm::Constant>(value)) return true;
      const auto* load = llvm::dyn_cast<LoadInst>(value);
      if (!load || !is_given(*load)) return false;
      if (const auto dimension = group_number(*load); dimension && is_factor) groups_.set(*dimension);
      return true;
    }
    if (const auto* recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(&sum))
      return is_around(*recurrence) && is_of_group(*recurrence->getStart(), is_factor) && is_of_group(*recurrence->getStepRecurrence(evolution_), false);
    const bool keeps = llvm::isa<llvm::SCEVAddExpr, llvm::SCEVMulExpr, llvm::SCEVCastExpr>(&sum);
    return llvm::all_of(sum.operands(), [&](const SCEV* part) { return is_of_group(*part, is_factor && keeps); });
  }

  /// Of an address: what a constant lies between it and.
  static std::pair<const Value*, std::uint64_t> base_of(const LoadInst& load) {
    const llvm::DataLayout& layout = load.getDataLayout();
    llvm::APInt offset(layout.getIndexTypeSizeInBits(load.getPointerOperandType()), 0);
    const Value* base = load.getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
    return {base, offset.getZExtValue()};
  }

  /// Whether it is of the launch or of the group, at a place that all work-items have in common.
  static bool is_given(const LoadInst& load) {
    if (!load.hasMetadata(llvm::LLVMContext::MD_invariant_load)) return false;
    const Value* base = base_of(load).first;
    const auto* loaded = llvm::dyn_cast<LoadInst>(base);
    return llvm::isa<llvm::Argument>(base) || (loaded && is_given(*loaded));
  }

  std::optional<unsigned> group_number(const LoadInst& load) const {
    const auto [base, offset] = base_of(load);
    if (base != item_.getArg(1)) return std::nullopt;
    const std::uint64_t part = offset - offsetof(abi::GroupInfo, group_id);
    return part < sizeof(abi::GroupInfo::group_id) ? std::optional(static_cast<unsigned>(part / sizeof(std::uint64_t))) : std::nullopt;
  }

  /// Whether groups store elsewhere for each of their numbers that the kernel asks for. Groups that know of no difference would do the same.
  bool depends_on_group() const {
    return llvm::all_of(llvm::instructions(item_), [&](const Instruction& instruction) {
      if (const auto* load = llvm::dyn_cast<LoadInst>(&instruction)) {
        const auto dimension = group_number(*load);
        return !dimension || groups_[*dimension];
      }
      const auto dimension = dimension_of(called_name(instruction), primitive::kGlobalId);
      return !dimension || groups_[*dimension];
    });
  }

  const llvm::Function& item_;
  const std::uint32_t (&size_)[3];
  llvm::ScalarEvolution& evolution_;
  const llvm::Loop& loop_;
  std::array<std::int64_t, 3> lanes_ = {};  ///< bytes from a work-item to the next, by dimension
  std::int64_t step_ = 0;                   ///< and from an iteration to the next
  std::bitset<3> groups_;                   ///< the numbers of a group that are part of it
};

}  // namespace

bool has_places_of_its_own(Value& pointer, std::uint64_t bytes, const llvm::Loop& loop, const llvm::Function& item,
                           const Specialization& specialization, llvm::ScalarEvolution& evolution) {
  return Places(item, specialization, evolution, loop).are_apart(pointer, bytes);
}

}  // namespace weft::compiler::simt
