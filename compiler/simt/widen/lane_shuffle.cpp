// Values that other lanes hold, as shuffles of registers.
#include <algorithm>
#include <optional>

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

#include "compiler/simt/ir/source_lanes.h"
#include "compiler/simt/ir/transpose.h"
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

/// The bits of a source lane's number by the bits of the lane's that wants it, if that is how all lanes find theirs in one value.
std::optional<LanePlaces> order_of_bits(const llvm::CallBase& call, unsigned lanes) {
  if (!llvm::isPowerOf2_32(lanes)) return std::nullopt;
  LanePlaces order;
  unsigned seen = 0;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const auto source = source_of_lane(call, lane);
    if (!source || source->value != 0) return std::nullopt;
    if (lane != 0 && llvm::isPowerOf2_32(lane)) {
      if (!llvm::isPowerOf2_32(source->lane) || (seen & source->lane)) return std::nullopt;
      order.push_back(llvm::Log2_32(source->lane));
      seen |= source->lane;
    }
    unsigned expected = 0;
    for (unsigned bit = 0; bit < order.size(); ++bit) expected |= (lane >> bit & 1) << order[bit];
    if (source->lane != expected) return std::nullopt;
  }
  return order;
}

/// What lanes hold of a value, `unit` elements each, for the lanes of a shuffle.
class ShuffledUnits {
 public:
  ShuffledUnits(Widening& w, const llvm::CallBase& call, llvm::ArrayRef<Value*> values, unsigned unit)
      : w_(w), call_(call), values_(values), unit_(unit), element_(values.front()->getType()->getScalarType()) {
    const auto bits = static_cast<unsigned>(element_->getPrimitiveSizeInBits());
    each_ = std::min(w.lanes, std::max(1u, w.traits.register_bits / (bits * unit)));
    unit_bytes_ = bits * unit / 8;
  }

  Value* make() const {
    if (Value* turned = turn()) return turned;
    llvm::SmallVector<Value*, 16> registers;
    for (unsigned first = 0; first < w_.lanes; first += each_) registers.push_back(gather(first));
    return registers.size() == 1 ? registers.front() : llvm::concatenateVectors(w_.builder, registers);
  }

 private:
  /// A register's units of `value`.
  Value* part(Value* value, unsigned number) const {
    return w_.builder.CreateShuffleVector(value, llvm::createSequentialMask(number * each_ * unit_, each_ * unit_, 0));
  }

  /// The register of the lanes from `first` on.
  Value* gather(unsigned first) const {
    llvm::SmallVector<std::pair<unsigned, unsigned>, 8> keys;  // a value, and which of its registers
    llvm::SmallVector<Gathered, 8> found;
    for (unsigned i = 0; i < each_; ++i) {
      const auto source = source_of_lane(call_, first + i);
      if (!source) continue;
      const std::pair<unsigned, unsigned> key{source->value, source->lane / each_};
      auto at = static_cast<unsigned>(llvm::find(keys, key) - keys.begin());
      if (at == keys.size()) {
        keys.push_back(key);
        found.push_back({part(values_[key.first], key.second), llvm::SmallVector<int, 16>(each_ * unit_, -1)});
      }
      for (unsigned k = 0; k < unit_; ++k) found[at].from[i * unit_ + k] = static_cast<int>(source->lane % each_ * unit_ + k);
    }
    return assemble(w_.builder, std::move(found), llvm::FixedVectorType::get(element_, each_ * unit_));
  }

  /// Of a block of lanes that is turned round, by steps that registers share; null if this is none, or they cannot do it.
  Value* turn() const {
    if (each_ == 1 || each_ == w_.lanes || !llvm::isPowerOf2_32(unit_bytes_)) return nullptr;
    const std::optional<LanePlaces> order = order_of_bits(call_, w_.lanes);
    if (!order) return nullptr;
    const unsigned inner = llvm::Log2_32(each_);
    LanePlaces places;
    for (unsigned bit = 0; bit < order->size(); ++bit) places.push_back(bit);
    const llvm::ArrayRef<unsigned> wanted = llvm::ArrayRef(*order).take_front(inner);
    if (!LaneRegisters::can_arrange(unit_bytes_, inner, places, wanted)) return nullptr;
    LaneRegisters::Registers registers;
    for (unsigned number = 0; number < w_.lanes / each_; ++number) registers.push_back(part(values_.front(), number));
    LaneRegisters lanes(w_.builder, std::move(registers), unit_bytes_, unit_, inner, places);
    lanes.arrange(wanted);
    LaneRegisters::Registers ordered(w_.lanes / each_);
    for (unsigned number = 0; number < ordered.size(); ++number) {
      const unsigned source = lanes.lane(number, 0);
      unsigned lane = 0;
      for (unsigned bit = 0; bit < order->size(); ++bit) lane |= (source >> (*order)[bit] & 1) << bit;
      ordered[lane / each_] = lanes.registers()[number];
    }
    return llvm::concatenateVectors(w_.builder, ordered);
  }

  Widening& w_;
  const llvm::CallBase& call_;
  llvm::ArrayRef<Value*> values_;
  unsigned unit_;  ///< elements of a lane
  llvm::Type* element_;
  unsigned each_;  ///< lanes of a register
  unsigned unit_bytes_;
};

}  // namespace

Parts shuffle_lanes(Widening& w, llvm::CallBase& call) {
  llvm::SmallVector<Parts, 8> values;
  for (unsigned i = 1; i < call.arg_size(); ++i) values.push_back(w.values.vector(call.getArgOperand(i)));
  Parts result;
  for (unsigned component = 0; component < values.front().size(); ++component) {
    llvm::SmallVector<Value*, 8> of_component;
    for (const Parts& value : values) of_component.push_back(value[component]);
    result.push_back(ShuffledUnits(w, call, of_component, 1).make());
  }
  return result;
}

Value* shuffle_packed_lanes(Widening& w, const llvm::CallBase& call) {
  llvm::SmallVector<Value*, 8> values;
  for (unsigned i = 1; i < call.arg_size(); ++i) values.push_back(w.values.as_in_memory(call.getArgOperand(i)));
  return ShuffledUnits(w, call, values, llvm::cast<llvm::FixedVectorType>(call.getType())->getNumElements()).make();
}

}  // namespace weft::compiler::simt
