// Processors mask words of 4 and 8 bytes (AVX), with AVX-512 also of 1 and 2, and before AVX nothing. LLVM makes
// branches, one a lane, of what they do not.
#include "compiler/simt/widen/memory/masked.h"

#include "compiler/simt/widen/memory/access.h"
#include "compiler/simt/widen/memory/two_ways.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

/// Memory is present or absent by pages of at least this size, in bytes.
constexpr std::uint64_t kPage = 4096;

constexpr TwoWays kWays{.usual = "whole", .other = "some", .join = "join"};

}  // namespace

llvm::Type* as_word(Widening& w, llvm::Type* element, unsigned count) {
  const std::uint64_t bytes = w.layout.getTypeStoreSize(element) * count;
  if (count == 1 || element->isPointerTy() || w.layout.getTypeStoreSize(element) >= 4 || (bytes != 4 && bytes != 8))
    return nullptr;
  return w.builder.getIntNTy(static_cast<unsigned>(8 * bytes));
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
  // All of it lies in the page of a live lane's element, so all of it can be read.
  Value* place = w.builder.CreateAnd(w.builder.CreatePtrToInt(base, w.builder.getInt64Ty()), kPage - 1);
  Value* present = w.builder.CreateICmpULE(place, w.builder.getInt64(kPage - bytes));
  if (!has_live) present = w.builder.CreateAnd(present, w.reduce(live, true));
  return emit_two_ways(
             w, present, kWays, [&] { return Parts{w.builder.CreateAlignedLoad(type, base, align)}; },
             [&] { return Parts{w.builder.CreateMaskedLoad(type, base, align, live)}; })
      .front();
}

void store_some(Widening& w, const Access& access, Value* value, Value* base, Value* live) {
  const llvm::Align align = access.element_align;
  const auto masked = [&] {
    copy_alias_metadata(*w.builder.CreateMaskedStore(value, base, align, live), access.instruction);
    return Parts{};
  };
  if (w.layout.getTypeStoreSize(value->getType()->getScalarType()) >= w.traits.masked_bytes) {
    masked();
    return;
  }
  emit_two_ways(
      w, w.reduce(live, false), kWays,
      [&] {
        copy_alias_metadata(*w.builder.CreateAlignedStore(value, base, align), access.instruction);
        return Parts{};
      },
      masked);
}

}  // namespace weft::compiler::simt
