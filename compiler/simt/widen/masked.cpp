// Contiguous accesses of which some lanes are off.
//
// Processors mask words of 4 and 8 bytes (AVX), with AVX-512 also of 1 and 2, and before AVX nothing. LLVM makes
// branches, one a lane, of what they do not.
#include <llvm/IR/MDBuilder.h>

#include "compiler/simt/widen/widener.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

/// Memory is present or absent by pages of at least this size.
constexpr std::uint64_t kPage = 4096;

}  // namespace

/// Whether a mask for the lanes serves better than one for their components: an OpenCL vector of narrow components
/// that is a word.
llvm::Type* Widener::as_word(llvm::Type* element, unsigned count) {
  const std::uint64_t bytes = layout_.getTypeStoreSize(element) * count;
  if (count == 1 || element->isPointerTy() || layout_.getTypeStoreSize(element) >= 4 || (bytes != 4 && bytes != 8))
    return nullptr;
  return builder_.getIntNTy(static_cast<unsigned>(8 * bytes));
}

/// A branch to `whole` where `condition` holds, which is the usual case, else to `some`; both lead to `join`.
Widener::TwoWays Widener::split_ways(Value* condition) {
  TwoWays ways{llvm::BasicBlock::Create(context_, "whole", wide_), llvm::BasicBlock::Create(context_, "some", wide_),
               llvm::BasicBlock::Create(context_, "join", wide_)};
  builder_.CreateCondBr(condition, ways.whole, ways.some, llvm::MDBuilder(context_).createLikelyBranchWeights());
  llvm::IRBuilder<>(ways.whole).CreateBr(ways.join);
  llvm::IRBuilder<>(ways.some).CreateBr(ways.join);
  return ways;
}

/// Loads `type` for the elements in `live`. `has_live`: at least one of them is.
llvm::Instruction* Widener::load_some(llvm::FixedVectorType* type, Value* base, llvm::Align align, Value* live,
                                      bool has_live, bool whole_allowed) {
  const std::uint64_t element_bytes = layout_.getTypeStoreSize(type->getElementType());
  const std::uint64_t bytes = element_bytes * type->getNumElements();
  if (element_bytes >= request_.traits.masked_bytes || !whole_allowed || bytes > kPage)
    return builder_.CreateMaskedLoad(type, base, align, live);
  // All of it lies in the page of a live lane's element, so all of it can be read.
  Value* place = builder_.CreateAnd(builder_.CreatePtrToInt(base, builder_.getInt64Ty()), kPage - 1);
  Value* present = builder_.CreateICmpULE(place, builder_.getInt64(kPage - bytes));
  if (!has_live) present = builder_.CreateAnd(present, reduce(live, true));
  const TwoWays ways = split_ways(present);
  builder_.SetInsertPoint(ways.whole->getTerminator());
  Value* whole = builder_.CreateAlignedLoad(type, base, align);
  builder_.SetInsertPoint(ways.some->getTerminator());
  Value* some = builder_.CreateMaskedLoad(type, base, align, live);
  builder_.SetInsertPoint(ways.join);
  llvm::PHINode* value = builder_.CreatePHI(type, 2);
  value->addIncoming(whole, ways.whole);
  value->addIncoming(some, ways.some);
  return value;
}

void Widener::store_some(Value* value, Value* base, llvm::Align align, Value* live, const llvm::StoreInst& store) {
  const auto masked = [&] { copy_alias_metadata(*builder_.CreateMaskedStore(value, base, align, live), store); };
  if (layout_.getTypeStoreSize(value->getType()->getScalarType()) >= request_.traits.masked_bytes) return masked();
  const TwoWays ways = split_ways(reduce(live, false));
  builder_.SetInsertPoint(ways.whole->getTerminator());
  copy_alias_metadata(*builder_.CreateAlignedStore(value, base, align), store);
  builder_.SetInsertPoint(ways.some->getTerminator());
  masked();
  builder_.SetInsertPoint(ways.join);
}

}  // namespace weft::compiler::simt
