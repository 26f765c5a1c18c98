#include "compiler/simt/memory/recurrence.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <vector>

#include "compiler/target/costs.h"

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::Value;

/// Values of a loop that are looked at for what its iterations wait for.
constexpr unsigned kMostCircled = 64;

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
    return result;
  }

 private:
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
