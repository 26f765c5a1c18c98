// What a range of wide instructions loads and stores.
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <utility>

#include "compiler/simt/ir/memory_order.h"
#include "compiler/target/costs.h"
#include "compiler/wide/memory_place.h"
#include "compiler/wide/splittable_range.h"

namespace weft::compiler::wide {

using llvm::Instruction;
using llvm::Value;

namespace {

unsigned elements_of(const Instruction& access) {
  return llvm::cast<llvm::FixedVectorType>(llvm::getLoadStoreType(const_cast<Instruction*>(&access)))->getNumElements();
}

/// Whether each element that `one` accesses lies where an element of `other` lies.
bool are_alike(const Instruction& one, const Instruction& other) { return place_of(one) == place_of(other) && elements_of(one) == elements_of(other); }

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
  return llvm::all_of(instructions_, [&](const Instruction* other) {
    if (!other->mayReadOrWriteMemory() || !simt::may_meet(*other, store)) return true;
    return place_of(store).is_apart_from(place_of(*other)) || (llvm::isa<llvm::LoadInst>(other) && are_alike(*other, store));
  });
}

llvm::SmallVector<const Instruction*, 2> SplittableRange::stores_over(const Instruction& load) const {
  llvm::SmallVector<const Instruction*, 2> stores;
  for (const Instruction* instruction : instructions_)
    if (llvm::isa<llvm::StoreInst>(instruction) && are_alike(*instruction, load)) stores.push_back(instruction);
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
  llvm::DenseMap<std::pair<const Value*, std::int64_t>, std::int64_t> lines;  // by their places, the bytes of them that are loaded
  while (!inside.empty() && seen.size() < kMostInside) {
    const auto* value = llvm::cast<Instruction>(inside.pop_back_val());
    if (llvm::isa<llvm::LoadInst>(value)) {
      const MemoryPlace place = place_of(*value);
      lines[{place.base, place.offset & -target::kLineBytes}] += place.bytes;
      continue;
    }
    if (!llvm::isa<llvm::ShuffleVectorInst, llvm::BitCastInst>(value)) return false;
    for (const Value* operand : value->operands())
      if (llvm::isa<Instruction>(operand) && vector_of(*operand) && seen.insert(operand).second) inside.push_back(operand);
  }
  return inside.empty() && lines.size() >= register_count() && llvm::all_of(lines, [](const auto& line) { return line.second == target::kLineBytes; });
}

}  // namespace weft::compiler::wide
