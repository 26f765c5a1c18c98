// Strategy "field-rows".
// Matches: whole structs, a lane's behind the other, of which the program accesses some fields: the rows that struct-rows makes.
// No other strategy knows of fields.
// Costs: the registers of the row.
#include <llvm/Analysis/VectorUtils.h>

#include "compiler/simt/analysis/struct_access.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/widen/lane_loop.h"
#include "compiler/simt/widen/memory/masked.h"
#include "compiler/simt/widen/memory/strategies.h"
#include "compiler/simt/widen/memory/streams.h"
#include "compiler/simt/widen/memory/two_ways.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

std::uint64_t fields_of(const Access& access) {
  const llvm::MDNode* node = access.instruction.getMetadata(primitive::kFieldsMetadata);
  return llvm::mdconst::extract<llvm::ConstantInt>(node->getOperand(0))->getZExtValue();
}

bool has_gaps(const Access& access) { return fields_of(access) + 1 != std::uint64_t{1} << access.count; }

/// `live`, the mask of a row's elements, less those that the program does not access. Whatever lies between elements that the
/// program reads can be read: of a load by all lanes only the end of the last lane's struct has to be left out.
Value* less_other_fields(Widening& w, const Access& access, Value* live) {
  if (!has_gaps(access)) return live;
  const std::uint64_t fields = fields_of(access);
  const bool ends_only = access.is_load() && !live;
  llvm::SmallVector<llvm::Constant*, 256> accessed;
  for (unsigned lane = 0; lane < w.lanes; ++lane)
    for (unsigned i = 0; i < access.count; ++i)
      accessed.push_back(w.builder.getInt1((ends_only && lane + 1 < w.lanes) || (fields >> i & 1) != 0));
  llvm::Constant* mask = llvm::ConstantVector::get(accessed);
  return live ? w.builder.CreateAnd(live, mask) : mask;
}

Value* load_row(Widening& w, const Access& access) {
  auto* type = llvm::FixedVectorType::get(access.element, w.lanes * access.count);
  Value* base = w.values.scalar_at(access.pointer, 0);
  Value* live = less_other_fields(w, access, w.mask.segment(0, w.lanes, access.count));
  if (live) return load_some(w, access, type, base, live, true);
  llvm::LoadInst* load = w.builder.CreateAlignedLoad(type, base, access.element_align, access.instruction.getName());
  copy_alias_metadata(*load, access.instruction);
  return load;
}

/// A register at a time: of one store of all structs LLVM would take values from local memory again by shifting integers of
/// thousands of bits.
void store_registers(Widening& w, const Access& access, Value* row, Value* base, Value* live) {
  auto* type = llvm::cast<llvm::FixedVectorType>(row->getType());
  const unsigned each = w.traits.register_bits / type->getScalarSizeInBits();
  for (unsigned first = 0; first < type->getNumElements(); first += each) {
    llvm::SmallVector<int, 16> elements;
    for (unsigned i = 0; i < std::min(each, type->getNumElements() - first); ++i) elements.push_back(static_cast<int>(first + i));
    Value* part = w.builder.CreateShuffleVector(row, elements);
    Value* address = w.builder.CreateConstGEP1_64(type->getElementType(), base, first);
    Value* mask = live ? w.builder.CreateShuffleVector(live, elements) : nullptr;
    if (const auto* known = llvm::dyn_cast_or_null<llvm::Constant>(mask); known && known->isAllOnesValue()) mask = nullptr;
    if (mask)
      store_some(w, access, part, address, mask);
    else
      w.builder.CreateAlignedStore(part, address, access.element_align);
  }
}

/// Without mask registers: each lane's fields by themselves, in pieces of a register. Where some lanes are off, the others' structs go through
/// memory.
void store_pieces(Widening& w, const Access& access, Value* row, Value* base) {
  const auto pieces = field_pieces(fields_of(access), w.traits.register_bits / 8 / static_cast<unsigned>(access.element_bytes));
  const auto store = [&](Value* value, Value* first) {
    Value* address = w.builder.CreateGEP(access.element, base, first);
    copy_alias_metadata(*w.builder.CreateAlignedStore(value, address, access.element_align), access.instruction);
  };
  const auto all = [&] {
    for (unsigned lane = 0; lane < w.lanes; ++lane)
      for (const FieldPiece& piece : pieces) {
        const unsigned first = lane * access.count + piece.first;
        store(w.builder.CreateShuffleVector(row, llvm::createSequentialMask(first, piece.count, 0)), w.builder.getInt64(first));
      }
    return Parts{};
  };
  const auto some = [&] {
    Value* array = w.scratch.lane_array(access.element, access.count);
    w.builder.CreateAlignedStore(row, array, kScratchAlign);
    for_each_live_lane(w, [&](Value* lane) {
      for (const FieldPiece& piece : pieces) {
        Value* first = w.builder.CreateAdd(w.builder.CreateMul(lane, w.builder.getInt64(access.count)), w.builder.getInt64(piece.first));
        Value* from = w.builder.CreateInBoundsGEP(access.element, array, first);
        store(w.builder.CreateAlignedLoad(llvm::FixedVectorType::get(access.element, piece.count), from, access.element_align), first);
      }
    });
    return Parts{};
  };
  constexpr TwoWays kWays{.usual = "fields", .other = "some_fields", .join = "stored"};
  if (w.mask)
    emit_two_ways(w, w.reduce(w.mask.lanes(), false), kWays, all, some);
  else
    all();
}

void store_row(Widening& w, const Access& access) {
  Value* row = w.values.as_in_memory(access.value);
  Value* base = w.values.scalar_at(access.pointer, 0);
  if (!w.traits.mask_registers && has_gaps(access)) return store_pieces(w, access, row, base);
  Value* live = less_other_fields(w, access, w.mask.segment(0, w.lanes, access.count));
  if (live || !may_stream(w, access, w.lanes * access.count * access.element_bytes)) return store_registers(w, access, row, base, live);
  stream_or(
      w, base, [&] { store_past_caches(w, access, row, base); }, [&] { store_registers(w, access, row, base, nullptr); });
}

}  // namespace

std::optional<AccessPlan> plan_field_row(Widening& w, const Access& access) {
  const Shape& shape = access.shape;
  if (!shape.is_affine() || shape.checked || shape.segment != w.lanes || !access.is_contiguous() || !access.bits)
    return std::nullopt;
  AccessPlan plan{.cost = registers_of(w, access), .emit = {}, .fall_back = {}};
  plan.emit = [&w, &access]() -> Parts {
    if (access.is_load()) return {load_row(w, access)};
    store_row(w, access);
    return {};
  };
  return plan;
}

}  // namespace weft::compiler::simt
