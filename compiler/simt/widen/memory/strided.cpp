// Strategy "strided".
// Matches: every second, third or fourth element of 4 or 8 bytes, by lanes of which the compiler knows how many run. Whole
// vectors are accessed, and shuffled.
// Costs: the registers of all elements from the first lane's to the last one's.
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Module.h>

#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/widen/memory/strategies.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

/// Elements from a lane's to the next one's up to which whole vectors are cheaper than a gather. At a step of two, a scan of
/// blocks of 512 elements in local memory took 2.1 ms in place of 4.3 (4 Mi elements).
constexpr std::int64_t kLargestStep = 4;
/// Fewer lanes than this are loaded and stored one by one, or gathered.
constexpr unsigned kFewestStrided = 8;
/// Bytes of a store of every n-th element: the widest register's.
constexpr unsigned kStoredBytes = 64;

struct Stride {
  unsigned step;  ///< elements from a lane's to the next one's
  unsigned live;  ///< lanes of a segment that run
};

std::optional<Stride> match(const Widening& w, const Access& access) {
  const Shape& shape = access.shape;
  const auto bytes = static_cast<std::int64_t>(access.element_bytes);
  const bool is_number = access.type->isIntegerTy() || access.type->isFloatingPointTy() || access.type->isPointerTy();
  if (!shape.is_affine() || shape.checked || !access.bits || !is_number || (bytes != 4 && bytes != 8)) return std::nullopt;
  if (access.is_volatile) return std::nullopt;
  if (shape.stride % bytes != 0 || shape.stride < 2 * bytes || shape.stride > kLargestStep * bytes) return std::nullopt;
  const std::optional<unsigned> prefix = w.mask.known_prefix();
  if (!prefix || *prefix < kFewestStrided || (*prefix != w.lanes && shape.segment != w.lanes)) return std::nullopt;
  const Stride stride{.step = static_cast<unsigned>(shape.stride / bytes), .live = std::min(*prefix, shape.segment)};
  if (access.is_load()) return stride.live % 2 == 0 ? std::optional(stride) : std::nullopt;
  // Masked stores are cheap where scatters are. Elsewhere what lies between is stored as it was: only in local memory, which is
  // the group's own and has some room behind it.
  if (!w.traits.native_scatter && access.pointer->getType()->getPointerAddressSpace() != kLocalSpace) return std::nullopt;
  return stride;
}

/// A segment by two windows, the first from the segment's first element on, the second up to its last one, so that nothing
/// outside is read. What lies between the lanes' elements is read in vain.
Value* load_windows(Widening& w, const Access& access, const Stride& stride, unsigned lane) {
  const unsigned step = stride.step, half = stride.live / 2;
  auto* window = llvm::FixedVectorType::get(access.type, half * step);
  const llvm::Align align = std::min(access.align, w.layout.getABITypeAlign(access.type));
  llvm::SmallVector<int, 64> elements;
  for (unsigned i = 0; i < access.shape.segment; ++i)
    elements.push_back(i >= stride.live ? llvm::PoisonMaskElem
                       : i < half       ? static_cast<int>(i * step)
                                        : static_cast<int>(half * step + (i - half) * step + step - 1));
  Value* first = w.values.scalar_at(access.pointer, lane);
  Value* second = w.builder.CreateConstGEP1_64(w.builder.getInt8Ty(), first, ((half - 1) * step + 1) * access.element_bytes);
  Value* low = w.builder.CreateAlignedLoad(window, first, align, access.instruction.getName());
  Value* high = w.builder.CreateAlignedLoad(window, second, align, access.instruction.getName());
  return w.builder.CreateShuffleVector(low, high, elements);
}

/// A segment of `value`, by whole registers. Elements between the lanes' own are not written, or written back as they were.
void store_registers(Widening& w, const Access& access, const Stride& stride, unsigned lane, Value* value) {
  const llvm::Align align = std::min(access.align, w.layout.getABITypeAlign(access.type));
  const unsigned each = static_cast<unsigned>(kStoredBytes / access.element_bytes);
  Value* base = w.values.scalar_at(access.pointer, lane);
  for (unsigned first = 0; first < stride.live * stride.step; first += each) {
    llvm::SmallVector<int, 16> from;
    llvm::SmallVector<llvm::Constant*, 16> written;
    for (unsigned element = first; element < first + each; ++element) {
      const bool one = element % stride.step == 0 && element / stride.step < stride.live;
      from.push_back(one ? static_cast<int>(lane + element / stride.step) : llvm::PoisonMaskElem);
      written.push_back(w.builder.getInt1(one));
    }
    Value* address = w.builder.CreateConstGEP1_64(access.type, base, first);
    Value* spread = w.builder.CreateShuffleVector(value, from);
    llvm::Constant* mask = llvm::ConstantVector::get(written);
    if (w.traits.native_scatter) {
      w.builder.CreateMaskedStore(spread, address, align, mask);
      continue;
    }
    Value* between = w.builder.CreateAlignedLoad(spread->getType(), address, align);
    w.builder.CreateAlignedStore(w.builder.CreateSelect(mask, spread, between), address, align);
  }
}

}  // namespace

std::optional<AccessPlan> plan_strided(Widening& w, const Access& access) {
  const std::optional<Stride> stride = match(w, access);
  if (!stride) return std::nullopt;
  AccessPlan plan{.cost = registers_of(w, access) * stride->step, .emit = {}, .fall_back = {}};
  plan.emit = [&w, &access, stride = *stride]() -> Parts {
    Value* value = access.is_load() ? nullptr : w.values.vector1(access.value);
    llvm::SmallVector<Value*, 4> segments;
    for (unsigned lane = 0; lane < w.lanes; lane += access.shape.segment) {
      if (access.is_load())
        segments.push_back(load_windows(w, access, stride, lane));
      else
        store_registers(w, access, stride, lane, value);
    }
    if (!access.is_load()) return {};
    return {segments.size() == 1 ? segments.front() : llvm::concatenateVectors(w.builder, segments)};
  };
  return plan;
}

}  // namespace weft::compiler::simt
