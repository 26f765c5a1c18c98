// Strategy "gather-parts".
// Matches: loads of bytes and 16-bit elements anywhere. Of the aligned 32-bit word around each, which lies in the same page
// whatever the buffer's end, the part that the address names is taken. What else the word holds is not looked at, so it may
// change meanwhile.
// Costs: an access for each lane, and shifts. Random loads by AVX-512: uchar 2.5 ms in place of 5.1, ushort 2.8 in place of 5.3.
#include "compiler/simt/widen/memory/gather.h"
#include "compiler/simt/widen/memory/strategies.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

Value* gather_parts(Widening& w, const Access& access) {
  auto& builder = w.builder;
  auto* address_type = w.wide(builder.getInt64Ty());
  auto* word_type = w.wide(builder.getInt32Ty());
  Value* addresses = builder.CreatePtrToInt(w.values.vector1(access.pointer), address_type);
  Value* words_at = builder.CreateIntToPtr(builder.CreateAnd(addresses, llvm::ConstantInt::get(address_type, ~std::uint64_t{3})),
                                           w.wide(builder.getPtrTy()));
  Value* words = builder.CreateMaskedGather(word_type, words_at, llvm::Align(4), w.mask.lanes());
  Value* bytes = builder.CreateAnd(builder.CreateTrunc(addresses, word_type), llvm::ConstantInt::get(word_type, 3));
  Value* part = builder.CreateTrunc(builder.CreateLShr(words, builder.CreateShl(bytes, llvm::ConstantInt::get(word_type, 3))),
                                    w.wide(builder.getIntNTy(access.bits)));
  return builder.CreateBitCast(part, access.type->isVectorTy() ? w.packed_type(access.type) : w.wide(access.type));
}

}  // namespace

std::optional<AccessPlan> plan_gather_parts(Widening& w, const Access& access) {
  if (!access.is_load() || (access.bits != 8 && access.bits != 16) || access.align.value() * 8 < access.bits) return std::nullopt;
  if (!gathers(w, access)) return std::nullopt;
  AccessPlan plan{.cost = w.lanes, .emit = {}, .fall_back = "gather of the words around"};
  plan.emit = [&w, &access] { return Parts{gather_parts(w, access)}; };
  return plan;
}

}  // namespace weft::compiler::simt
