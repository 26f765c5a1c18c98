// What a range of wide instructions loads and stores.
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <utility>

#include "compiler/simt/ir/memory_order.h"
#include "compiler/wide/splittable_range.h"

namespace weft::compiler::wide {

using llvm::Instruction;
using llvm::Value;

namespace {

constexpr std::int64_t kLine = 64;

/// The bytes of a load or store of a vector.
struct Extent {
  explicit Extent(const Instruction& access) {
    const llvm::DataLayout& layout = access.getDataLayout();
    llvm::Type* type = llvm::getLoadStoreType(const_cast<Instruction*>(&access));
    llvm::APInt offset(64, 0);
    base = llvm::getLoadStorePointerOperand(&access)->stripAndAccumulateConstantOffsets(layout, offset, true);
    first = offset.getSExtValue();
    end = first + static_cast<std::int64_t>(layout.getTypeStoreSize(type).getFixedValue());
    elements = llvm::cast<llvm::FixedVectorType>(type)->getNumElements();
  }
  /// Each element lies where the other's lies.
  bool operator==(const Extent& other) const = default;
  bool is_apart_from(const Extent& other) const { return base == other.base && (end <= other.first || other.end <= first); }

  const Value* base;
  std::int64_t first, end;
  unsigned elements;
};

}  // namespace

bool is_put_together(const Value& value) {
  if (const auto* cast = llvm::dyn_cast<llvm::BitCastInst>(&value))
    return element_bits(*cast->getSrcTy()) == element_bits(*cast->getDestTy()) && is_put_together(*cast->getOperand(0));
  const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&value);
  return shuffle && shuffle->isConcat() && registers_of(*shuffle->getType()) > 1;
}

bool SplittableRange::can_store(const llvm::StoreInst& store) const {
  const Value& value = *store.getValueOperand();
  if (loop_ || !store.isSimple() || !contains(&value) || is_mask(value)) return false;
  const Extent extent(store);
  return llvm::all_of(instructions_, [&](const Instruction* other) {
    if (!other->mayReadOrWriteMemory() || !simt::may_meet(*other, store)) return true;
    const Extent others(*other);
    return extent.is_apart_from(others) || (llvm::isa<llvm::LoadInst>(other) && extent == others);
  });
}

llvm::SmallVector<const Instruction*, 2> SplittableRange::stores_over(const Instruction& load) const {
  llvm::SmallVector<const Instruction*, 2> stores;
  for (const Instruction* instruction : instructions_)
    if (llvm::isa<llvm::StoreInst>(instruction) && Extent(*instruction) == Extent(load)) stores.push_back(instruction);
  return stores;
}

bool SplittableRange::reads_lines() const {
  constexpr unsigned kMostInside = 4096;
  if (loop_) return false;
  llvm::SmallVector<const Value*, 64> inside;
  llvm::SmallPtrSet<const Value*, 32> seen;
  for (const Instruction* instruction : instructions_)
    for (const Value* operand : instruction->operands())
      if (!contains(operand) && is_put_together(*operand) && seen.insert(operand).second) inside.push_back(operand);
  llvm::DenseMap<std::pair<const Value*, std::int64_t>, unsigned> lines;  // by their places, the bytes of them that are loaded
  while (!inside.empty() && seen.size() < kMostInside) {
    const auto* value = llvm::cast<Instruction>(inside.pop_back_val());
    if (llvm::isa<llvm::LoadInst>(value)) {
      const Extent extent(*value);
      lines[{extent.base, extent.first & -kLine}] += static_cast<unsigned>(extent.end - extent.first);
      continue;
    }
    if (!llvm::isa<llvm::ShuffleVectorInst, llvm::BitCastInst>(value)) return false;
    for (const Value* operand : value->operands())
      if (llvm::isa<Instruction>(operand) && vector_of(*operand) && seen.insert(operand).second) inside.push_back(operand);
  }
  return inside.empty() && lines.size() >= register_count() && llvm::all_of(lines, [](const auto& line) { return line.second == kLine; });
}

}  // namespace weft::compiler::wide
