#include "compiler/simt/memory/own_elements.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/ir/memory_order.h"
#include "compiler/simt/memory/element_access.h"

namespace weft::compiler::simt {
namespace {

/// Bytes that a loop accesses from one pointer on.
struct Element {
  std::int64_t begin = std::numeric_limits<std::int64_t>::max(), end = std::numeric_limits<std::int64_t>::min();
  bool is_stored = false;
};

}  // namespace

bool stores_own_elements(const llvm::Loop& loop, llvm::Function& region, const Specialization& specialization, unsigned lanes,
                         llvm::function_ref<std::uint32_t(unsigned)> private_stride) {
  const auto accesses = plain_accesses(loop);
  if (!accesses) return false;
  llvm::MapVector<const llvm::Value*, Element> elements;
  for (const ElementAccess& access : *accesses) {
    if (!accesses_shared(*access.instruction)) continue;
    Element& element = elements[access.base];
    element.begin = std::min(element.begin, access.offset);
    element.end = std::max(element.end, access.end());
    element.is_stored |= llvm::isa<llvm::StoreInst>(access.instruction);
  }
  if (llvm::none_of(elements, [](const auto& element) { return element.second.is_stored; })) return false;
  const Shapes shapes(region, specialization, lanes, private_stride);
  for (const auto& [base, element] : elements) {
    if (!element.is_stored) continue;
    const Shape shape = shapes[*base];
    if (!loop.isLoopInvariant(const_cast<llvm::Value*>(base)) || !shape.is_affine() || shape.checked || shape.segment != lanes ||
        std::abs(shape.stride) < element.end - element.begin)
      return false;
  }
  return llvm::all_of(*accesses, [&](const ElementAccess& store) {
    return !llvm::isa<llvm::StoreInst>(store.instruction) || !accesses_shared(*store.instruction) ||
           llvm::none_of(*accesses, [&](const ElementAccess& other) {
             return other.base != store.base && may_meet(*store.instruction, *other.instruction);
           });
  });
}

}  // namespace weft::compiler::simt
