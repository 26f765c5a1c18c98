#include "compiler/simt/widen/memory/picked_elements.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/IRBuilder.h>

namespace weft::compiler::simt {

using llvm::Value;

Value* pick_elements(llvm::IRBuilderBase& builder, llvm::ArrayRef<Value*> vectors, llvm::ArrayRef<PickedElement> picked, unsigned units) {
  const auto numbers = [&](unsigned element, llvm::SmallVectorImpl<int>& mask) {
    for (unsigned unit = 0; unit < units; ++unit) mask.push_back(static_cast<int>(element * units + unit));
  };
  const unsigned each = llvm::cast<llvm::FixedVectorType>(vectors.front()->getType())->getNumElements() / units;
  const auto count = static_cast<unsigned>(picked.size());
  Value* all = nullptr;
  for (unsigned first = 0; first < vectors.size(); first += 2) {
    const auto is_here = [&](const PickedElement& one) { return one.vector / 2 == first / 2; };
    if (llvm::none_of(picked, is_here)) continue;
    llvm::SmallVector<int, 64> of_two, joined;
    for (unsigned i = 0; i < count; ++i) {
      if (is_here(picked[i]))
        numbers(picked[i].element + (picked[i].vector - first) * each, of_two);
      else
        of_two.append(units, llvm::PoisonMaskElem);
      numbers(is_here(picked[i]) ? count + i : i, joined);
    }
    Value* second = first + 1 < vectors.size() ? vectors[first + 1] : llvm::PoisonValue::get(vectors[first]->getType());
    Value* two = builder.CreateShuffleVector(vectors[first], second, of_two);
    all = all ? builder.CreateShuffleVector(all, two, joined) : two;
  }
  return all;
}

}  // namespace weft::compiler::simt
