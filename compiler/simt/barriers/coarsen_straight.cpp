#include "compiler/simt/barriers/coarsen_straight.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>

#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/analysis/uniformity.h"
#include "device/kernel_abi.h"

namespace weft::compiler::simt {
namespace {

constexpr unsigned kMostWarps = 4;
/// How often over the values live at once may outgrow the registers: each spilled one is written and read once.
constexpr unsigned kStraightSpills = 4;
constexpr unsigned kManyRegisters = 32;
/// Operations on a register that a processor has in view, about, and how many it does in a cycle.
constexpr unsigned kInView = 256, kEachCycle = 2;
/// Of all warps of a body: what is worth its compilation.
constexpr unsigned kMostOperations = 2000;

/// Cycles from an operation's operands to its result, as on most processors; without those of memory.
unsigned latency(const llvm::Instruction& instruction) {
  switch (instruction.getOpcode()) {
    case llvm::Instruction::FDiv: return 14;
    case llvm::Instruction::Mul: return 10;
    case llvm::Instruction::FAdd:
    case llvm::Instruction::FSub:
    case llvm::Instruction::FMul:
    case llvm::Instruction::FCmp: return 4;
    case llvm::Instruction::Call:
      if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
          intrinsic && intrinsic->getIntrinsicID() == llvm::Intrinsic::sqrt)
        return 18;
      if (is_arithmetic_primitive(instruction)) return 8;
      return instruction.getType()->isFPOrFPVectorTy() ? 4 : 1;
    case llvm::Instruction::PHI:
    case llvm::Instruction::Load:
    case llvm::Instruction::BitCast: return 0;
    default: return 1;
  }
}

}  // namespace

unsigned warps_of_straight_code(llvm::Function& function, const Shapes& shapes, unsigned pressure, std::uint32_t items,
                              const VectorTraits& vectors) {
  if (vectors.registers < kManyRegisters) return 1;
  unsigned operations = 0, cycles = 0;  // on registers; along the longest chain
  llvm::DenseMap<const llvm::Value*, unsigned> ready;
  const llvm::DataLayout& layout = function.getParent()->getDataLayout();
  for (const llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function))
    for (const llvm::Instruction& instruction : *block) {
      if (llvm::isa<llvm::AllocaInst>(instruction)) return 1;  // memory on the stack, times the lanes
      if (instruction.getType()->isVoidTy() || shapes[instruction].is_affine()) continue;
      unsigned start = 0;
      for (const llvm::Value* operand : instruction.operands()) start = std::max(start, ready.lookup(operand));
      const unsigned takes = latency(instruction);
      ready[&instruction] = start + takes;
      cycles = std::max(cycles, start + takes);
      if (!takes) continue;
      const std::uint64_t bits = abi::kWarpSize * layout.getTypeSizeInBits(instruction.getType()).getFixedValue();
      operations += static_cast<unsigned>(llvm::divideCeil(bits, vectors.register_bits));
    }
  unsigned warps = 1;
  // What is in view, several short bodies or a long one, shall last twice as long as a chain.
  while (warps < kMostWarps && std::max(warps * operations, kInView) < 2 * kEachCycle * cycles &&
         items % (2 * warps * abi::kWarpSize) == 0 && 2 * warps * operations <= kMostOperations &&
         2 * warps * pressure + kTemporaryRegisters <= kStraightSpills * vectors.registers)
    warps *= 2;
  return warps;
}

}  // namespace weft::compiler::simt
