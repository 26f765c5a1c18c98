#include "compiler/simt/widen/memory/streams.h"

#include <numeric>

#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/widen/memory/access.h"
#include "compiler/simt/widen/memory/two_ways.h"
#include "compiler/simt/widen/widening.h"
#include "compiler/target/costs.h"

namespace weft::compiler::simt {

using llvm::Value;
using target::kLineBytes;

bool may_stream(const Widening& w, const Access& access, std::uint64_t bytes) {
  return w.request.specialization.streams && !access.is_volatile && access.pointer->getType()->getPointerAddressSpace() == kGlobalSpace &&
         bytes % kLineBytes == 0;
}

void stream_or(Widening& w, llvm::ArrayRef<Value*> starts, llvm::function_ref<void()> streamed, llvm::function_ref<void()> plain) {
  Value* places = nullptr;
  for (Value* start : starts) {
    Value* place = start->getType()->isPointerTy() ? w.builder.CreatePtrToInt(start, w.builder.getInt64Ty()) : start;
    places = places ? w.builder.CreateOr(places, place) : place;
  }
  const TwoWays ways{.usual = "lines", .other = "not_lines", .join = "streamed"};
  const auto nothing = [](llvm::function_ref<void()> store) {
    return [store]() -> Parts {
      store();
      return {};
    };
  };
  Value* are_lines = w.builder.CreateICmpEQ(w.builder.CreateAnd(places, kLineBytes - 1), w.builder.getInt64(0));
  emit_two_ways(w, are_lines, ways, nothing(streamed), nothing(plain));
}

void store_past_caches(Widening& w, const Access& access, Value* block, Value* base) {
  const std::uint64_t bytes = w.traits.register_bits / 8;
  const auto each = static_cast<unsigned>(8 * bytes / block->getType()->getScalarSizeInBits());
  const unsigned count = llvm::cast<llvm::FixedVectorType>(block->getType())->getNumElements();
  llvm::MDNode* one = llvm::MDNode::get(w.context, llvm::ConstantAsMetadata::get(w.builder.getInt32(1)));
  for (unsigned first = 0; first < count; first += each) {
    llvm::SmallVector<int, 64> elements(each);
    std::iota(elements.begin(), elements.end(), static_cast<int>(first));
    Value* address = w.builder.CreateConstGEP1_64(block->getType()->getScalarType(), base, first);
    llvm::StoreInst* store = w.builder.CreateAlignedStore(w.builder.CreateShuffleVector(block, elements), address, llvm::Align(bytes));
    store->setMetadata(llvm::LLVMContext::MD_nontemporal, one);
    copy_alias_metadata(*store, access.instruction);
  }
}

}  // namespace weft::compiler::simt
