#include "compiler/simt/memory/recurrence.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <vector>

#include "compiler/simt/ir/address_spaces.h"
#include "compiler/target/costs.h"

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::Value;

/// Values of a loop that are looked at for what its iterations wait for.
constexpr unsigned kMostCircled = 64;
/// Cycles from a load of a private variable to a store into it from which on an iteration waits for the one before. Shorter ways hide behind each other
/// where the elements differ, as they mostly do; a way with divisions and roots does not, and whoever computes one for each element stores most of them.
constexpr double kLongWay = 40;

class Recurrence {
 public:
  Recurrence(const llvm::Loop& loop, const target::Costs& costs) : loop_(loop), costs_(costs) {}

  double cycles() {
    const llvm::BasicBlock* latch = loop_.getLoopLatch();
    if (!latch) return 0;
    llvm::SmallVector<const llvm::PHINode*, 16> phis;
    for (const llvm::PHINode& phi : loop_.getHeader()->phis())
      if (phis.size() < kMostCircled) phis.push_back(&phi);
    const std::size_t count = phis.size();
    // ways[i][j]: from phi i to what phi j is in the next iteration; negative: none.
    std::vector<std::vector<double>> ways(count, std::vector<double>(count, -1));
    for (std::size_t i = 0; i < count; ++i) {
      from_.clear();
      for (const llvm::PHINode* phi : phis) from_[phi] = phi == phis[i] ? 0 : -1;
      for (std::size_t j = 0; j < count; ++j)
        if (const auto* next = llvm::dyn_cast<Instruction>(phis[j]->getIncomingValueForBlock(latch))) ways[i][j] = way_to(*next);
    }
    // R. M. Karp, A characterization of the minimum cycle mean in a digraph (1978), with the greatest: longest[k][j], of ways of k steps that end at j.
    constexpr double kNone = -1e9;
    std::vector<std::vector<double>> longest(count + 1, std::vector<double>(count, kNone));
    if (count) longest[0].assign(count, 0);
    for (std::size_t k = 0; k < count; ++k)
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < count; ++j)
          if (longest[k][i] != kNone && ways[i][j] >= 0) longest[k + 1][j] = std::max(longest[k + 1][j], longest[k][i] + ways[i][j]);
    double result = 0;
    for (std::size_t j = 0; j < count; ++j) {
      if (longest[count][j] == kNone) continue;
      double mean = -kNone;
      for (std::size_t k = 0; k < count; ++k)
        if (longest[k][j] != kNone) mean = std::min(mean, (longest[count][j] - longest[k][j]) / static_cast<double>(count - k));
      result = std::max(result, mean);
    }
    return std::max(result, through_memory());
  }

 private:
  /// The longest way from what the loop loads of a private variable to what it stores there.
  double through_memory() {
    llvm::SmallMapVector<const Value*, llvm::SmallVector<const Instruction*, 8>, 4> stored;
    for (const llvm::BasicBlock* block : loop_.blocks())
      for (const Instruction& instruction : *block)
        if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction); store && store->getPointerAddressSpace() == kPrivateSpace)
          if (const auto* value = llvm::dyn_cast<Instruction>(store->getValueOperand()))
            stored[llvm::getUnderlyingObject(store->getPointerOperand(), 0)].push_back(value);
    double result = 0;
    for (const auto& [object, values] : stored) {
      from_.clear();
      for (const llvm::PHINode& phi : loop_.getHeader()->phis()) from_[&phi] = -1;
      for (const llvm::BasicBlock* block : loop_.blocks())
        for (const Instruction& instruction : *block)
          if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && llvm::getUnderlyingObject(load->getPointerOperand(), 0) == object)
            from_[load] = target::kLoadLatency;
      for (const Instruction* value : values)
        if (const double way = way_to(*value); way >= kLongWay) result = std::max(result, way);
    }
    return result;
  }

  /// Cycles from the phi that from_ begins with to the end of `value`; negative where it does not depend on it.
  double way_to(const Instruction& value) {
    const auto [known, is_new] = from_.try_emplace(&value, -1);
    if (!is_new || !loop_.contains(&value)) return known->second;
    double longest = -1;
    for (const Value* operand : value.operands())
      if (const auto* before = llvm::dyn_cast<Instruction>(operand)) longest = std::max(longest, way_to(*before));
    if (longest >= 0) longest += costs_.latency(value, target::Costs::Form::kScalar);
    return from_[&value] = longest;
  }

  const llvm::Loop& loop_;
  const target::Costs& costs_;
  llvm::DenseMap<const Instruction*, double> from_;
};

}  // namespace

double recurrence_cycles(const llvm::Loop& loop, const target::Costs& costs) { return Recurrence(loop, costs).cycles(); }

}  // namespace weft::compiler::simt
