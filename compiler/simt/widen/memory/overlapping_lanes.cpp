// Strategy "overlapping-lanes".
// Matches: loads of OpenCL vectors by lanes that lie evenly, but closer together than what each loads, or a little further apart: `vload8(0, row + x)`,
// the pixels around each work-item's own. All from the first lane's first element to the last lane's last one is loaded once, and each component's lanes
// are shuffled out of it; where lanes are an element apart a component is a load of its own. Of lanes that are off nothing in front of the first live one
// or behind the last one is loaded.
// Costs: the registers of all elements, and the shuffles.
#include "compiler/simt/widen/memory/overlapping_lanes.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "compiler/simt/memory/walked_pieces.h"
#include "compiler/simt/widen/memory/masked.h"
#include "compiler/simt/widen/memory/picked_elements.h"
#include "compiler/simt/widen/memory/strategies.h"
#include "compiler/simt/widen/memory/two_ways.h"
#include "compiler/simt/widen/packed.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

/// A lane's 16 bytes, beside an element of a gather: its load, and its part of what transposes them (tables: 40 cycles for 32 lanes, of 64 unpackings and 32
/// loads).
constexpr double kLaneOfPieces = 1.25;
/// Operations of a shuffle of bytes or shorts whose places are constants, of two registers, where no instruction does it: LLVM moves the bytes of each within
/// its halves, and exchanges these.
constexpr unsigned kNarrowShuffle = 5;
/// How many times their length lanes may lie apart.
constexpr unsigned kFarthest = 2;

unsigned cost_of(const OverlappingRow& row, unsigned lanes, const VectorTraits& traits) {
  const unsigned segments = lanes / row.segment;
  if (row.is_by_component()) return segments * row.count * (row.segment / row.together);
  const bool is_one = row.bytes >= 4 || traits.byte_permutes || (row.bytes == 2 && traits.mask_registers);
  unsigned shuffles = 0;
  for (unsigned component = 0; component < row.count; ++component)
    for (unsigned lane = 0; lane < row.segment; lane += row.together) {
      const unsigned first = row.element(lane, component) / row.chunk, last = row.element(lane + row.together - 1, component) / row.chunk;
      shuffles += static_cast<unsigned>(llvm::divideCeil((last > first ? last - first : first - last) + 1, 2u)) * 2 - 1;
    }
  return segments * (row.chunks() + (is_one ? 1 : kNarrowShuffle) * shuffles);
}

class OverlappingLoad {
 public:
  OverlappingLoad(Widening& w, const Access& access, const OverlappingRow& row) : w_(w), b_(w.builder), access_(access), row_(row) {}

  Parts load() {
    if (!w_.mask || masks_elements()) return load_all(w_.mask ? w_.mask.lanes() : nullptr);
    // All of a segment lies in the page of a live lane's elements.
    Value* present = nullptr;
    for (unsigned lane = 0; lane < w_.lanes; lane += row_.segment) {
      Value* in_page = lies_in_page(w_, place_in_page(w_, base(lane)), std::uint64_t{row_.elements} * row_.bytes);
      Value* here = b_.CreateAnd(in_page, w_.reduce(w_.mask.segment(lane, row_.segment, 1), true));
      present = present ? b_.CreateAnd(present, here) : here;
    }
    constexpr TwoWays kWays{.usual = "overlapping", .other = "apart", .join = "taken"};
    return emit_two_ways(
        w_, present, kWays, [&] { return load_all(nullptr); },
        [&] {
          Parts parts = emit_otherwise(w_, access_);
          return parts.size() == 1 ? deinterleave(w_, parts.front(), row_.count) : parts;
        });
  }

 private:
  bool masks_elements() const { return w_.traits.mask_registers && row_.bytes >= w_.traits.masked_bytes; }
  /// The last chunk ends with the last element where nothing is masked.
  unsigned begin_of(unsigned chunk, bool masked) const { return masked ? chunk * row_.chunk : std::min(chunk * row_.chunk, row_.elements - row_.chunk); }

  /// Where the elements of the segment from `lane` on begin.
  Value* base(unsigned lane) {
    Value* first = w_.values.scalar_at(access_.pointer, lane);
    if (!row_.is_back) return first;
    return b_.CreateConstGEP1_64(b_.getInt8Ty(), first, static_cast<std::uint64_t>(access_.shape.stride * (row_.segment - 1)));
  }

  Value* load_elements(Value* base, unsigned first, unsigned count, Value* live) {
    Value* place = b_.CreateConstGEP1_64(b_.getInt8Ty(), base, std::uint64_t{first} * row_.bytes);
    auto* type = llvm::FixedVectorType::get(access_.element, count);
    if (live) return load_some(w_, access_, type, place, live, false);
    return b_.CreateAlignedLoad(type, place, access_.element_align, access_.instruction.getName());
  }

  Parts load_all(Value* live) {
    llvm::SmallVector<llvm::SmallVector<Value*, 4>, 16> components(row_.count);
    for (unsigned lane = 0; lane < w_.lanes; lane += row_.segment) {
      Value* from = base(lane);
      Value* of_segment = live ? w_.mask.segment(lane, row_.segment, 1) : nullptr;
      if (row_.is_by_component()) {
        for (unsigned component = 0; component < row_.count; ++component)
          components[component].push_back(load_elements(from, component, row_.segment, of_segment));
        continue;
      }
      const llvm::SmallVector<Value*, 8> loaded = load_chunks(from, of_segment);
      for (unsigned component = 0; component < row_.count; ++component)
        for (unsigned first = 0; first < row_.segment; first += row_.together) components[component].push_back(pick(loaded, first, component, live));
    }
    Parts parts;
    for (const auto& pieces : components) parts.push_back(pieces.size() == 1 ? pieces.front() : llvm::concatenateVectors(b_, pieces));
    return parts;
  }

  llvm::SmallVector<Value*, 8> load_chunks(Value* from, Value* live) {
    llvm::SmallVector<Value*, 8> loaded;
    Value *begin = nullptr, *end = nullptr;
    if (live) {
      // From the first live lane's elements to the last one's; none if there is no such.
      llvm::Type* integer = b_.getInt32Ty();
      Value* bits = b_.CreateBitCast(live, b_.getIntNTy(row_.segment));
      const auto number = [&](llvm::Intrinsic::ID of) { return b_.CreateZExtOrTrunc(b_.CreateBinaryIntrinsic(of, bits, b_.getFalse()), integer); };
      Value *before = number(llvm::Intrinsic::cttz), *behind = number(llvm::Intrinsic::ctlz);
      if (row_.is_back) std::swap(before, behind);
      Value* step = b_.getInt32(row_.step);
      begin = b_.CreateMul(before, step);
      end = b_.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, b_.getInt32(row_.elements), b_.CreateMul(behind, step));
    }
    for (unsigned chunk = 0; chunk < row_.chunks(); ++chunk)
      loaded.push_back(load_elements(from, begin_of(chunk, live), row_.chunk, live ? elements_between(begin, end, chunk * row_.chunk) : nullptr));
    return loaded;
  }

  /// Of a chunk from element `first` on, those in [begin, end).
  Value* elements_between(Value* begin, Value* end, unsigned first) {
    llvm::Type* integer = b_.getIntNTy(8 * row_.bytes);
    llvm::SmallVector<llvm::Constant*, 64> numbers;
    for (unsigned i = 0; i < row_.chunk; ++i) numbers.push_back(llvm::ConstantInt::get(integer, i));
    const auto all = [&](Value* place) {
      Value* behind = b_.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, place, b_.getInt32(first));
      Value* within = b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, behind, b_.getInt32(row_.chunk));
      return b_.CreateVectorSplat(row_.chunk, b_.CreateZExtOrTrunc(within, integer));
    };
    Value* number = llvm::ConstantVector::get(numbers);
    return b_.CreateAnd(b_.CreateICmpUGE(number, all(begin)), b_.CreateICmpULT(number, all(end)));
  }

  /// Lanes [first, first + row_.together) of a segment.
  Value* pick(llvm::ArrayRef<Value*> loaded, unsigned first, unsigned component, bool masked) {
    llvm::SmallVector<PickedElement, 64> picked;
    for (unsigned lane = first; lane < first + row_.together; ++lane) {
      const unsigned place = row_.element(lane, component), chunk = place / row_.chunk;
      picked.push_back({.vector = chunk, .element = place - begin_of(chunk, masked)});
    }
    return pick_elements(b_, loaded, picked);
  }

  Widening& w_;
  llvm::IRBuilder<>& b_;
  const Access& access_;
  const OverlappingRow row_;
};

}  // namespace

std::optional<OverlappingRow> find_overlapping_row(llvm::Type& type, const Shape& shape, unsigned lanes, const VectorTraits& traits,
                                                   const llvm::DataLayout& layout) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type);
  if (!vector || !shape.is_affine() || shape.checked || shape.stride == 0) return std::nullopt;
  llvm::Type* element = vector->getElementType();
  const std::uint64_t bits = layout.getTypeSizeInBits(element);
  const bool is_number = (element->isIntegerTy() || element->isFloatingPointTy()) && (bits == 8 || bits == 16 || bits == 32 || bits == 64);
  OverlappingRow row{.segment = shape.segment, .count = vector->getNumElements(), .bytes = static_cast<unsigned>(bits / 8), .is_back = shape.stride < 0};
  const auto stride = static_cast<std::uint64_t>(std::abs(shape.stride));
  if (!is_number || row.count < 2 || stride % row.bytes != 0 || stride > std::uint64_t{kFarthest} * row.count * row.bytes) return std::nullopt;
  row.step = static_cast<unsigned>(stride / row.bytes);
  if (row.step == row.count) return std::nullopt;
  row.elements = (row.segment - 1) * row.step + row.count;
  const unsigned in_register = traits.register_bits / (8 * row.bytes);
  row.chunk = std::min(in_register, std::bit_floor(row.elements));
  row.together = std::min(row.segment, in_register);
  row.cost = cost_of(row, lanes, traits);
  const std::uint64_t of_lane = std::uint64_t{row.bytes} * row.count;
  const double each = of_lane < std::uint64_t{kRowPiece} ? 1 : kLaneOfPieces * static_cast<double>(of_lane) / kRowPiece;
  return row.cost <= each * lanes ? std::optional(row) : std::nullopt;
}

std::optional<AccessPlan> plan_overlapping_lanes(Widening& w, const Access& access) {
  if (!access.is_load() || access.is_volatile || access.is_seldom) return std::nullopt;
  const std::optional<OverlappingRow> row = find_overlapping_row(*access.type, access.shape, w.lanes, w.traits, w.layout);
  if (!row || (w.mask && row->elements * row->bytes > kPage)) return std::nullopt;
  AccessPlan plan{.cost = row->cost, .emit = {}, .fall_back = {}};
  plan.emit = [&w, &access, row = *row] { return OverlappingLoad(w, access, row).load(); };
  return plan;
}

}  // namespace weft::compiler::simt
