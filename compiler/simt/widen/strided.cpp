// Loads and stores of every second, third or fourth element: whole vectors and shuffles.
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Module.h>

#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/widen/widener.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

/// Elements from a lane's to the next one's up to which whole vectors are cheaper than a gather.
constexpr std::int64_t kLargestStep = 4;
/// Fewer lanes than this are loaded and stored one by one, or gathered.
constexpr unsigned kFewestLanes = 8;
/// Bytes of a store of every n-th element: the widest register's.
constexpr unsigned kStoredBytes = 64;

}  // namespace

/// How many lanes run, where those are known now and no lane before them is off.
std::optional<unsigned> Widener::known_prefix() const {
  if (!mask_) return lanes_;
  const auto* mask = llvm::dyn_cast<llvm::Constant>(mask_);
  if (!mask) return {};
  unsigned count = 0;
  bool ended = false;
  for (unsigned lane = 0; lane < lanes_; ++lane) {
    const auto* bit = llvm::dyn_cast_or_null<llvm::ConstantInt>(mask->getAggregateElement(lane));
    if (!bit || (ended && bit->isOne())) return {};
    ended |= bit->isZero();
    count += bit->isOne();
  }
  return count;
}

/// The step, in elements of `type`, at which the lanes of a segment access memory as whole vectors; 0: not so. `live` is
/// how many lanes of a segment run.
unsigned Widener::strided_step(const llvm::Instruction& access, llvm::Type* type, const Shape& pointer,
                               unsigned& live) const {
  const bool integer_or_float = type->isIntegerTy() || type->isFloatingPointTy() || type->isPointerTy();
  const std::int64_t bytes = static_cast<std::int64_t>(layout_.getTypeStoreSize(type).getFixedValue());
  if (!integer_or_float || (bytes != 4 && bytes != 8)) return 0;
  if (access.isVolatile() && !access.hasMetadata(primitive::kNonVolatileMetadata)) return 0;
  if (pointer.stride % bytes != 0 || pointer.stride < 2 * bytes || pointer.stride > kLargestStep * bytes) return 0;
  const std::optional<unsigned> prefix = known_prefix();
  if (!prefix || *prefix < kFewestLanes || (*prefix != lanes_ && pointer.segment != lanes_)) return 0;
  live = std::min(*prefix, pointer.segment);
  return static_cast<unsigned>(pointer.stride / bytes);
}

Value* Widener::load_strided(llvm::LoadInst& load, const Shape& pointer) {
  auto* type = lowered(load.getType());
  unsigned live = 0;
  const unsigned step = strided_step(load, type, pointer, live);
  if (!step) return nullptr;
  if (live % 2 != 0) return nullptr;
  llvm::SmallVector<Value*, 4> segments;
  for (unsigned lane = 0; lane < lanes_; lane += pointer.segment)
    segments.push_back(load_windows(load, pointer, lane, step, live));
  return segments.size() == 1 ? segments.front() : llvm::concatenateVectors(builder_, segments);
}

/// Two windows, the first from the segment's first element on, the second up to its last one, so that nothing outside is
/// read. What lies between the lanes' elements is read in vain.
Value* Widener::load_windows(llvm::LoadInst& load, const Shape& pointer, unsigned lane, unsigned step, unsigned live) {
  auto* type = lowered(load.getType());
  const unsigned half = live / 2;
  auto* window = llvm::FixedVectorType::get(type, half * step);
  const std::uint64_t bytes = layout_.getTypeStoreSize(type);
  const llvm::Align align = std::min(load.getAlign(), layout_.getABITypeAlign(type));
  llvm::SmallVector<int, 64> elements;
  for (unsigned i = 0; i < pointer.segment; ++i)
    elements.push_back(i >= live  ? llvm::PoisonMaskElem
                       : i < half ? static_cast<int>(i * step)
                                  : static_cast<int>(half * step + (i - half) * step + step - 1));
  Value* first = scalar_at(load.getPointerOperand(), lane);
  Value* second = builder_.CreateConstGEP1_64(builder_.getInt8Ty(), first, ((half - 1) * step + 1) * bytes);
  Value* low = builder_.CreateAlignedLoad(window, first, align, load.getName());
  Value* high = builder_.CreateAlignedLoad(window, second, align, load.getName());
  return builder_.CreateShuffleVector(low, high, elements);
}

/// Whole registers, of which the elements between the lanes' own are not written, or written back as they were: local memory
/// is the group's own, and there is some behind it.
bool Widener::store_strided(llvm::StoreInst& store, const Shape& pointer) {
  const bool masked = request_.traits.native_scatter;  // and so cheap masked stores
  if (!masked && store.getPointerAddressSpace() != kLocalSpace) return false;
  auto* type = lowered(store.getValueOperand()->getType());
  unsigned live = 0;
  const unsigned step = strided_step(store, type, pointer, live);
  if (!step) return false;
  Value* value = vector1(store.getValueOperand());
  const llvm::Align align = std::min(store.getAlign(), layout_.getABITypeAlign(type));
  const unsigned each = static_cast<unsigned>(kStoredBytes / layout_.getTypeStoreSize(type));
  for (unsigned lane = 0; lane < lanes_; lane += pointer.segment) {
    Value* base = scalar_at(store.getPointerOperand(), lane);
    for (unsigned first = 0; first < live * step; first += each) {
      llvm::SmallVector<int, 16> from;
      llvm::SmallVector<llvm::Constant*, 16> written;
      for (unsigned element = first; element < first + each; ++element) {
        const bool one = element % step == 0 && element / step < live;
        from.push_back(one ? static_cast<int>(lane + element / step) : llvm::PoisonMaskElem);
        written.push_back(builder_.getInt1(one));
      }
      Value* address = builder_.CreateConstGEP1_64(type, base, first);
      Value* spread = builder_.CreateShuffleVector(value, from);
      llvm::Constant* mask = llvm::ConstantVector::get(written);
      if (masked) {
        builder_.CreateMaskedStore(spread, address, align, mask);
        continue;
      }
      Value* between = builder_.CreateAlignedLoad(spread->getType(), address, align);
      builder_.CreateAlignedStore(builder_.CreateSelect(mask, spread, between), address, align);
    }
  }
  return true;
}

}  // namespace weft::compiler::simt
