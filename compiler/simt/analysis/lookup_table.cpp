#include "compiler/simt/analysis/lookup_table.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>
#include <bit>

namespace weft::compiler::simt {
namespace {

using llvm::Value;

constexpr unsigned kMostEntries = 256;

/// The greatest value of `index` is below this; 0: may be any.
unsigned reach(const Value& index, const llvm::DataLayout& layout) {
  const llvm::APInt known = llvm::computeKnownBits(&index, layout).getMaxValue();
  const llvm::APInt ranged = llvm::computeConstantRange(&index, /*ForSigned=*/false).getUnsignedMax();
  const llvm::APInt most = llvm::APIntOps::umin(known, ranged);
  return most.ult(kMostEntries) ? static_cast<unsigned>(most.getZExtValue()) + 1 : 0;
}

/// Of a register of indices in so many registers: two of these are permuted by one operation, and their results selected from by a bit of the
/// index, which is tested.
unsigned permutations(unsigned registers) { return registers <= 2 ? 1 : 2 * permutations(registers / 2) + 2; }

}  // namespace

std::optional<LookupTable> find_lookup_table(Value& pointer, unsigned bits, const llvm::DataLayout& layout,
                                             llvm::function_ref<bool(const Value&)> is_uniform) {
  LookupTable table;
  llvm::APInt constant(64, 0);
  table.base = &pointer;
  while (!is_uniform(*table.base)) {
    auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(table.base);
    llvm::MapVector<Value*, llvm::APInt> variables;
    if (!gep || gep->getType()->isVectorTy() || !gep->collectOffset(layout, 64, variables, constant)) return std::nullopt;
    for (const auto& [variable, scale] : variables) {
      if (is_uniform(*variable)) {
        table.uniform.push_back({variable, scale});
        continue;
      }
      if (table.index || scale != bits / 8) return std::nullopt;
      table.index = variable;
    }
    table.base = gep->getPointerOperand();
  }
  if (!table.index) return std::nullopt;
  // The index itself is narrower than what addresses are made of.
  while (auto* cast = llvm::dyn_cast<llvm::ZExtInst>(table.index)) table.index = cast->getOperand(0);
  const unsigned reached = reach(*table.index, layout);
  if (!reached) return std::nullopt;
  table.offset = constant.getSExtValue();
  table.entries = std::max(std::bit_ceil(reached), 16 * 8 / bits);
  return table;
}

unsigned lookup_operations(unsigned entries, unsigned element_bytes, unsigned lanes) {
  const unsigned registers = std::max(1u, entries * element_bytes / kRegisterBytes);
  // Of four planes, between packing the indices to bytes and unpacking the bytes to words.
  constexpr unsigned kPackAndUnpack = 3 + 8;
  if (element_bytes == 4 && registers > kMostWordRegisters)
    return static_cast<unsigned>(llvm::divideCeil(lanes, kRegisterBytes)) * (4 * permutations(registers / 4) + kPackAndUnpack);
  return static_cast<unsigned>(llvm::divideCeil(lanes * element_bytes, kRegisterBytes)) * permutations(registers);
}

}  // namespace weft::compiler::simt
