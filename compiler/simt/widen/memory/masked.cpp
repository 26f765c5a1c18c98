// Processors mask words of 4 and 8 bytes (AVX), with AVX-512 also of 1 and 2, and before AVX nothing. LLVM makes
// branches, one a lane, of what they do not. A load does without: pages are there as a whole or not at all. A store has them in
// those registers alone of which some lanes are off: AVX without mask registers takes 10 ns for a masked store of 32 bytes (Zen 4), and
// most warps under a mask are at an edge.
#include "compiler/simt/widen/memory/masked.h"

#include <algorithm>

#include <llvm/Analysis/VectorUtils.h>

#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/widen/lane_loop.h"
#include "compiler/simt/widen/memory/access.h"
#include "compiler/simt/widen/memory/two_ways.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

/// What every processor stores at once, in bytes.
constexpr std::uint64_t kSmallRegister = 16;

constexpr TwoWays kWays{.usual = "whole", .other = "some", .join = "join"};
constexpr TwoWays kRegisterWays{.usual = "register", .other = "rest", .join = "next", .weighted = false};
constexpr TwoWays kPageWays{.usual = "in_page", .other = "absent", .join = "behind_page", .weighted = false};

/// Loads what lies in front of a page's end, `front` bytes from `base` on, and what lies behind it, each where a live lane's element lies in
/// it. Both go through memory that has room in front and behind.
Value* load_by_pages(Widening& w, const Access& access, llvm::FixedVectorType* type, Value* base, Value* live, Value* front) {
  const unsigned count = type->getNumElements();
  const std::uint64_t element_bytes = w.layout.getTypeStoreSize(type->getElementType()), bytes = element_bytes * count;
  llvm::Type* byte = w.builder.getInt8Ty();
  llvm::AllocaInst* both = w.new_variable(llvm::ArrayType::get(byte, 3 * bytes), llvm::Align(64), "pages");
  // Where each element begins and ends.
  llvm::SmallVector<llvm::Constant*, 64> begins, ends;
  for (unsigned i = 0; i < count; ++i) {
    begins.push_back(w.builder.getInt16(static_cast<std::uint16_t>(i * element_bytes)));
    ends.push_back(w.builder.getInt16(static_cast<std::uint16_t>((i + 1) * element_bytes)));
  }
  Value* border = w.builder.CreateVectorSplat(count, w.builder.CreateTrunc(front, w.builder.getInt16Ty()));
  Value* is_before = w.builder.CreateICmpULT(llvm::ConstantVector::get(begins), border);
  Value* is_behind = w.builder.CreateICmpUGT(llvm::ConstantVector::get(ends), border);
  const auto at = [&](Value* pointer, Value* offset) { return w.builder.CreateGEP(byte, pointer, offset); };
  const auto copy = [&](Value* has, Value* from, Value* to) {
    emit_two_ways(
        w, w.reduce(w.builder.CreateAnd(live, has), true), kPageWays,
        [&] {
          llvm::LoadInst* part = w.builder.CreateAlignedLoad(type, at(base, from), llvm::Align(1));
          copy_alias_metadata(*part, access.instruction);
          w.builder.CreateAlignedStore(part, at(both, to), llvm::Align(1));
          return Parts{};
        },
        [] { return Parts{}; });
  };
  Value* size = w.builder.getInt64(bytes);
  copy(is_before, w.builder.CreateSub(front, size), front);
  copy(is_behind, front, w.builder.CreateAdd(front, size));
  return w.builder.CreateAlignedLoad(type, at(both, size), llvm::Align(1));
}

/// Stores the elements of `value` that are in `live`, `register_bytes` at a time: as a whole, not at all, or masked.
void store_by_registers(Widening& w, const Access& access, Value* value, Value* base, Value* live, std::uint64_t register_bytes) {
  const auto* type = llvm::cast<llvm::FixedVectorType>(value->getType());
  const std::uint64_t element_bytes = w.layout.getTypeStoreSize(type->getElementType());
  const auto count = static_cast<unsigned>(std::min<std::uint64_t>(type->getNumElements(), std::max<std::uint64_t>(1, register_bytes / element_bytes)));
  Value* bits = w.builder.CreateBitCast(live, w.builder.getIntNTy(type->getNumElements()));
  llvm::Type* bits_type = w.builder.getIntNTy(count);
  for (unsigned first = 0; first < type->getNumElements(); first += count) {
    Value* of_these = w.builder.CreateTrunc(w.builder.CreateLShr(bits, first), bits_type);
    const llvm::SmallVector<int, 16> these = llvm::createSequentialMask(first, count, 0);
    Value* part = w.builder.CreateShuffleVector(value, these);
    Value* place = w.builder.CreateConstGEP1_64(w.builder.getInt8Ty(), base, first * element_bytes);
    const auto whole = [&] {
      copy_alias_metadata(*w.builder.CreateAlignedStore(part, place, access.element_align), access.instruction);
      return Parts{};
    };
    const auto some = [&] {
      Value* mask = w.builder.CreateShuffleVector(live, these);
      copy_alias_metadata(*w.builder.CreateMaskedStore(part, place, access.element_align, mask), access.instruction);
      return Parts{};
    };
    const auto not_whole = [&] {
      return emit_two_ways(w, w.builder.CreateIsNotNull(of_these), kRegisterWays, some, [] { return Parts{}; });
    };
    Value* all = w.builder.CreateICmpEQ(of_these, llvm::Constant::getAllOnesValue(bits_type));
    emit_two_ways(w, all, kRegisterWays, whole, not_whole);
  }
}

/// Stores the elements of `value` that are in `live` to local memory, a register at a time, together with what lies between them. The memory
/// is its thread's alone, and of a register that has an element in it all of it is there (abi::kLocalMemoryPadding). Any other is stored to
/// a place of no meaning.
void store_among_own(Widening& w, const Access& access, Value* value, Value* base, Value* live) {
  const auto* type = llvm::cast<llvm::FixedVectorType>(value->getType());
  const std::uint64_t element_bytes = w.layout.getTypeStoreSize(type->getElementType());
  const auto count = static_cast<unsigned>(std::min<std::uint64_t>(type->getNumElements(), w.traits.register_bits / 8 / element_bytes));
  auto* part_type = llvm::FixedVectorType::get(type->getElementType(), count);
  Value* nowhere = w.new_variable(part_type, llvm::Align(w.traits.register_bits / 8), "nowhere");
  for (unsigned first = 0; first < type->getNumElements(); first += count) {
    const llvm::SmallVector<int, 16> these = llvm::createSequentialMask(first, count, 0);
    Value* mask = w.builder.CreateShuffleVector(live, these);
    Value* place = w.builder.CreateConstGEP1_64(w.builder.getInt8Ty(), base, first * element_bytes);
    place = w.builder.CreateSelect(w.reduce(mask, true), w.builder.CreateAddrSpaceCast(place, nowhere->getType()), nowhere);
    Value* old = w.builder.CreateFreeze(w.builder.CreateAlignedLoad(part_type, place, access.element_align));
    w.builder.CreateAlignedStore(w.builder.CreateSelect(mask, w.builder.CreateShuffleVector(value, these), old), place, access.element_align);
  }
}

/// Whether `access` stores what store_among_own can: where masks are not free, to words that no component goes across.
bool is_among_own(const Widening& w, const Access& access, const llvm::FixedVectorType& type) {
  const std::uint64_t element_bits = 8 * w.layout.getTypeStoreSize(type.getElementType());
  const unsigned bits = w.traits.register_bits;
  return !w.traits.mask_registers && access.pointer->getType()->getPointerAddressSpace() == kLocalSpace && !access.is_volatile &&
         type.getElementType()->getPrimitiveSizeInBits() == element_bits && element_bits <= bits && bits % element_bits == 0 &&
         (element_bits * type.getNumElements()) % bits == 0;
}

}  // namespace

llvm::Type* as_word(Widening& w, llvm::Type* element, unsigned count) {
  const std::uint64_t bytes = w.layout.getTypeStoreSize(element) * count;
  if (count == 1 || element->isPointerTy() || w.layout.getTypeStoreSize(element) >= 4 || (bytes != 4 && bytes != 8))
    return nullptr;
  return w.builder.getIntNTy(static_cast<unsigned>(8 * bytes));
}

Value* place_in_page(Emitter& emitter, Value* address) {
  return emitter.builder.CreateAnd(emitter.builder.CreatePtrToInt(address, emitter.builder.getInt64Ty()), kPage - 1);
}

Value* lies_in_page(Emitter& emitter, Value* place, std::uint64_t bytes) {
  return emitter.builder.CreateICmpULE(place, emitter.builder.getInt64(kPage - bytes));
}

void keep_apart(Emitter& emitter) {
  emitter.builder.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent, llvm::SyncScope::SingleThread);
}

Value* load_some(Widening& w, const Access& access, llvm::FixedVectorType* type, Value* base, Value* live, bool has_live) {
  const llvm::Align align = access.element_align;
  const std::uint64_t element_bytes = w.layout.getTypeStoreSize(type->getElementType());
  const std::uint64_t bytes = element_bytes * type->getNumElements();
  if (element_bytes >= w.traits.masked_bytes || access.is_volatile || bytes > kPage) {
    llvm::CallInst* load = w.builder.CreateMaskedLoad(type, base, align, live);
    copy_alias_metadata(*load, access.instruction);
    return load;
  }
  Value* place = place_in_page(w, base);
  Value* present = lies_in_page(w, place, bytes);
  if (!has_live) present = w.builder.CreateAnd(present, w.reduce(live, true));
  return emit_two_ways(
             w, present, kWays, [&] { return Parts{w.builder.CreateAlignedLoad(type, base, align)}; },
             [&] {
               Value* front = w.builder.CreateSub(w.builder.getInt64(kPage), place);
               return Parts{load_by_pages(w, access, type, base, live, front)};
             })
      .front();
}

void store_live_lanes(Widening& w, const Access& access, Value* value, Value* base, llvm::ArrayRef<FieldPiece> pieces) {
  Value* array = w.scratch.lane_array(access.element, access.count);
  w.builder.CreateAlignedStore(value, array, kScratchAlign);
  for_each_live_lane(w, [&](Value* lane) {
    for (const FieldPiece& piece : pieces) {
      Value* first = w.builder.CreateAdd(w.builder.CreateMul(lane, w.builder.getInt64(access.count)), w.builder.getInt64(piece.first));
      Value* from = w.builder.CreateInBoundsGEP(access.element, array, first);
      Value* part = w.builder.CreateAlignedLoad(llvm::FixedVectorType::get(access.element, piece.count), from, access.element_align);
      Value* to = w.builder.CreateGEP(access.element, base, first);
      copy_alias_metadata(*w.builder.CreateAlignedStore(part, to, access.element_align), access.instruction);
    }
  });
}

void store_some(Widening& w, const Access& access, Value* value, Value* base, Value* live) {
  const llvm::Align align = access.element_align;
  if (is_among_own(w, access, *llvm::cast<llvm::FixedVectorType>(value->getType()))) return store_among_own(w, access, value, base, live);
  const auto masked = [&] {
    copy_alias_metadata(*w.builder.CreateMaskedStore(value, base, align, live), access.instruction);
    return Parts{};
  };
  std::uint64_t register_bytes = kSmallRegister;
  if (w.layout.getTypeStoreSize(value->getType()->getScalarType()) >= w.traits.masked_bytes) {
    if (w.traits.mask_registers) {
      masked();
      return;
    }
    register_bytes = w.traits.register_bits / 8;
  }
  const auto by_register = [&] {
    store_by_registers(w, access, value, base, live, register_bytes);
    return Parts{};
  };
  emit_two_ways(
      w, w.reduce(live, false), kWays,
      [&] {
        copy_alias_metadata(*w.builder.CreateAlignedStore(value, base, align), access.instruction);
        return Parts{};
      },
      by_register);
}

}  // namespace weft::compiler::simt
