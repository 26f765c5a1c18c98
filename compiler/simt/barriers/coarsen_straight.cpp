#include "compiler/simt/barriers/coarsen_straight.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>

#include "compiler/simt/analysis/shape.h"
#include "device/kernel_abi.h"

namespace weft::compiler::simt {
namespace {

constexpr unsigned kMostStraightWarps = 4;
/// With 16 registers nothing is gained on the whole: nine kernels lay between 0.87 and 1.05 of the time of one warp a body.
constexpr unsigned kManyRegisters = 32;
/// Of all warps of a body: what is worth its compilation.
constexpr unsigned kMostStraight = 2000;
/// Of the registers that loads fill in all warps of a body, as a multiple of those there are: rows of taps that several warps read are loaded
/// once, and what is not used up at once is spilled. One warp of a 5x5 filter takes half the time of four in a body.
constexpr unsigned kLoadedSpills = 2;

}  // namespace

unsigned warps_of_straight_code(llvm::Function& function, const Shapes& shapes, unsigned pressure, std::uint32_t items,
                                const VectorTraits& vectors, const target::Costs& costs) {
  if (vectors.registers < kManyRegisters) return 1;
  double operations = 0, loaded = 0, cycles = 0;  // on registers; registers; along the longest chain
  llvm::DenseMap<const llvm::Value*, double> ready;
  for (const llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function))
    for (const llvm::Instruction& instruction : *block) {
      if (llvm::isa<llvm::AllocaInst>(instruction)) return 1;  // memory on the stack, times the lanes
      if (instruction.getType()->isVoidTy() || shapes[instruction].is_affine()) continue;
      double start = 0;
      for (const llvm::Value* operand : instruction.operands()) start = std::max(start, ready.lookup(operand));
      // Memory is not waited for: most addresses are known early.
      const double takes = llvm::isa<llvm::LoadInst>(instruction) ? 0 : costs.latency(instruction, target::Costs::Form::kVector);
      ready[&instruction] = start + takes;
      cycles = std::max(cycles, start + takes);
      const double registers = costs.registers(*instruction.getType(), abi::kWarpSize);
      if (llvm::isa<llvm::LoadInst>(instruction)) loaded += registers;
      else if (takes) operations += registers;
    }
  unsigned warps = 1;
  const unsigned full = warps_of_full_registers(function, shapes, items, vectors);
  // What is in view, several short bodies or a long one, shall last twice as long as a chain.
  const auto is_short = [&] {
    return std::max(warps * operations, 1.0 * target::kInView) < 2 * target::kVectorsEachCycle * cycles;
  };
  while (warps < kMostStraightWarps && (warps < full || is_short()) && items % (2 * warps * abi::kWarpSize) == 0 &&
         2 * warps * operations <= kMostStraight && 2 * warps * loaded <= kLoadedSpills * vectors.registers &&
         2 * warps * pressure + target::kTemporaryRegisters <= target::kStraightSpills * vectors.registers)
    warps *= 2;
  return warps;
}

unsigned warps_of_full_registers(const llvm::Function& region, const Shapes& shapes, std::uint32_t items, const VectorTraits& vectors) {
  const llvm::DataLayout& layout = region.getParent()->getDataLayout();
  std::uint64_t widest = 0;
  for (const llvm::BasicBlock& block : region)
    for (const llvm::Instruction& instruction : block) {
      const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
      if (!pointer) {
        if (instruction.mayReadOrWriteMemory() || llvm::isa<llvm::AllocaInst>(instruction)) return 1;
        continue;
      }
      const Shape shape = shapes[*pointer];
      if (shape.is_uniform(shapes.lanes())) continue;
      llvm::Type* type = llvm::getLoadStoreType(const_cast<llvm::Instruction*>(&instruction));
      const std::uint64_t size = layout.getTypeStoreSize(type).getFixedValue();
      if (!shape.is_affine() || shape.segment != shapes.lanes() || shape.stride != static_cast<std::int64_t>(size)) return 1;
      widest = std::max(widest, size);
    }
  unsigned warps = 1;
  while (widest && warps < kMostStraightWarps && items % (2 * warps * abi::kWarpSize) == 0 &&
         2 * warps * abi::kWarpSize * 8 * widest <= vectors.register_bits)
    warps *= 2;
  return warps;
}

}  // namespace weft::compiler::simt
