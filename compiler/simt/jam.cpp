#include "compiler/simt/jam.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>

#include "compiler/simt/shape.h"
#include "device/kernel_abi.h"

namespace weft::compiler::simt {
namespace {

constexpr unsigned kLargestJam = 4;

bool has_divergent_branch(llvm::Function& function, Analyses& analyses) {
  llvm::UniformityInfo& uniformity = analyses.uniformity(function);
  return llvm::any_of(function, [&](const llvm::BasicBlock& block) { return uniformity.hasDivergentTerminator(block); });
}

}  // namespace

unsigned choose_jam(llvm::ArrayRef<llvm::Function*> regions, const Specialization& specialization,
                    const WarpFrame& frame, const VectorRegisters& registers, Analyses& analyses) {
  const auto& size = specialization.local_size;
  const std::uint32_t items = size[0] * size[1] * size[2];
  if (items < 2 * abi::kWarpSize || items % (2 * abi::kWarpSize) != 0) return 1;
  bool repeats = regions.size() > 1;
  unsigned pressure = 0;
  for (llvm::Function* region : regions) {
    if (has_divergent_branch(*region, analyses) || has_lane_loop(*region)) return 1;
    const llvm::DominatorTree dominators(*region);
    repeats |= !llvm::LoopInfo(dominators).empty();
    const Shapes shapes(*region, specialization, abi::kWarpSize,
                        [&](unsigned index) { return frame.privates[index].stride; });
    pressure = std::max(pressure, vector_pressure(*region, shapes, registers));
  }
  if (!repeats) return 1;
  unsigned jam = 1;
  while (jam < kLargestJam && items % (2 * jam * abi::kWarpSize) == 0 &&
         2 * jam * pressure + kTemporaryRegisters <= registers.count)
    jam *= 2;
  return jam;
}

}  // namespace weft::compiler::simt
