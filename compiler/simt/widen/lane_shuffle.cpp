// Values that other lanes hold, as shuffles of registers.
#include <algorithm>

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Module.h>

#include "compiler/simt/ir/source_lanes.h"
#include "compiler/simt/widen/primitives.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

/// A register that holds some of the wanted elements.
struct Gathered {
  Value* value;
  llvm::SmallVector<int, 16> from;  ///< for each wanted element, where in `value` it is; -1: not here
};

/// The elements of both, each where it is wanted.
Gathered merge(llvm::IRBuilder<>& builder, const Gathered& a, const Gathered& b) {
  const int count = static_cast<int>(a.from.size());
  Gathered result{nullptr, llvm::SmallVector<int, 16>(a.from.size(), -1)};
  llvm::SmallVector<int, 16> mask;
  for (int i = 0; i < count; ++i) {
    const auto at = static_cast<unsigned>(i);
    mask.push_back(a.from[at] >= 0 ? a.from[at] : b.from[at] >= 0 ? count + b.from[at] : llvm::PoisonMaskElem);
    if (mask.back() >= 0) result.from[at] = i;
  }
  result.value = builder.CreateShuffleVector(a.value, b.value, mask);
  return result;
}

/// Merges all into one register, pair by pair.
Value* assemble(llvm::IRBuilder<>& builder, llvm::SmallVector<Gathered, 8> found, llvm::FixedVectorType* type) {
  if (found.empty()) return llvm::PoisonValue::get(type);
  while (found.size() > 1) {
    llvm::SmallVector<Gathered, 8> fewer;
    for (unsigned i = 0; i + 1 < found.size(); i += 2) fewer.push_back(merge(builder, found[i], found[i + 1]));
    if (found.size() % 2 != 0) fewer.push_back(found.back());
    found = std::move(fewer);
  }
  bool in_place = true;
  for (unsigned i = 0; i < type->getNumElements(); ++i)
    in_place &= found.front().from[i] < 0 || found.front().from[i] == static_cast<int>(i);
  return in_place ? found.front().value : builder.CreateShuffleVector(found.front().value, found.front().from);
}

}  // namespace

Parts shuffle_lanes(Widening& w, llvm::CallBase& call) {
  llvm::SmallVector<Parts, 8> values;
  for (unsigned i = 1; i < call.arg_size(); ++i) values.push_back(w.values.vector(call.getArgOperand(i)));
  const auto types = w.components(call.getType());
  Parts result;
  for (unsigned component = 0; component < types.size(); ++component) {
    const unsigned each = std::min(w.lanes, w.traits.register_bits / static_cast<unsigned>(types[component]->getPrimitiveSizeInBits()));
    llvm::SmallVector<Value*, 16> registers;
    for (unsigned first = 0; first < w.lanes; first += each) {
      llvm::SmallVector<std::pair<unsigned, unsigned>, 8> keys;  // a value, and which of its registers
      llvm::SmallVector<Gathered, 8> found;
      for (unsigned i = 0; i < each; ++i) {
        const auto source = source_of_lane(call, first + i);
        if (!source) continue;
        const std::pair<unsigned, unsigned> key{source->value, source->lane / each};
        auto at = static_cast<unsigned>(llvm::find(keys, key) - keys.begin());
        if (at == keys.size()) {
          keys.push_back(key);
          llvm::SmallVector<int, 16> part;
          for (unsigned k = 0; k < each; ++k) part.push_back(static_cast<int>(key.second * each + k));
          found.push_back(
              {w.builder.CreateShuffleVector(values[key.first][component], part), llvm::SmallVector<int, 16>(each, -1)});
        }
        found[at].from[i] = static_cast<int>(source->lane % each);
      }
      registers.push_back(assemble(w.builder, std::move(found), llvm::FixedVectorType::get(types[component], each)));
    }
    result.push_back(llvm::concatenateVectors(w.builder, registers));
  }
  return result;
}

}  // namespace weft::compiler::simt
