// Strategy "gather-parts".
// Matches: loads of bytes and 16-bit elements anywhere. Of the aligned 32-bit word around each, which lies in the same page
// whatever the buffer's end, the part that the address names is taken. What else the word holds is not looked at, so it may
// change meanwhile. Of an array that lanes share words are named by numbers of 32 bits, of which a gather takes twice as many at once as of
// addresses (conformance/bench/anywhere.py).
// Costs: an access for each lane, and shifts. Random loads by AVX-512: uchar 2.5 ms in place of 5.1, ushort 2.8 in place of 5.3.
#include "compiler/simt/widen/memory/gather.h"

#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/simt/analysis/struct_access.h"
#include "compiler/simt/widen/memory/strategies.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

constexpr unsigned kWordBytes = 4;

/// An element of an array that all lanes share: base.pointer + offset + base.index, of at most 32 bits, times the bytes of an element.
struct Element {
  FieldBase base;
  std::int64_t offset = 0;
};

/// What `access` reads, if its address has this form.
std::optional<Element> element_of(Widening& w, const Access& access) {
  Element element;
  element.base = base_of(*access.pointer, w.layout, element.offset);
  const FieldBase& base = element.base;
  if (!base.index || !w.is_uniform(const_cast<Value*>(base.pointer)) || base.scale != access.bits / 8) return std::nullopt;
  const unsigned bits = base.index->getType()->getIntegerBitWidth();
  // Half of the last unsigned index and 1 is no positive number.
  if (bits > 32 || bits < 8 || (!base.is_signed && access.bits == 16)) return std::nullopt;
  return element;
}

/// The aligned words around what lanes read, and which byte of each it begins at.
struct Words {
  Value* pointers = nullptr;
  Value* first_bytes = nullptr;
};

/// By numbers of 32 bits, of which a gather takes twice as many at once as of addresses. An index is split first, so that nothing wraps.
Words words_of(Widening& w, const Access& access, const Element& element) {
  auto& builder = w.builder;
  auto* type = w.wide(builder.getInt32Ty());
  const auto number = [&](std::uint64_t value) { return llvm::ConstantInt::get(type, value); };
  const unsigned bytes = access.bits / 8, each = kWordBytes / bytes;
  Value* base = builder.CreateGEP(builder.getInt8Ty(), w.values.scalar_at(const_cast<Value*>(element.base.pointer), 0),
                                  builder.getInt64(static_cast<std::uint64_t>(element.offset)));
  Value* begin = builder.CreateAnd(builder.CreatePtrToInt(base, builder.getInt64Ty()), kWordBytes - 1);
  base = builder.CreateGEP(builder.getInt8Ty(), base, builder.CreateNeg(begin));
  const bool is_signed = element.base.is_signed;
  Value* index = builder.CreateIntCast(w.values.vector1(const_cast<Value*>(element.base.index)), type, is_signed);
  Value* whole = is_signed ? builder.CreateAShr(index, number(llvm::Log2_32(each))) : builder.CreateLShr(index, number(llvm::Log2_32(each)));
  Value* rest = builder.CreateAdd(builder.CreateMul(builder.CreateAnd(index, number(each - 1)), number(bytes)),
                                  builder.CreateVectorSplat(w.lanes, builder.CreateTrunc(begin, builder.getInt32Ty())));
  whole = builder.CreateAdd(whole, builder.CreateLShr(rest, number(llvm::Log2_32(kWordBytes))));
  return {builder.CreateGEP(builder.getInt32Ty(), base, builder.CreateSExt(whole, w.wide(builder.getInt64Ty()))),
          builder.CreateAnd(rest, number(kWordBytes - 1))};
}

/// By offsets from a place where a word begins. Lanes' copies of a private array lie side by side, so that a lane's byte of its word is a constant.
Words words_of(Widening& w, const ShortOffsets& offsets) {
  auto& builder = w.builder;
  auto* type = w.wide(builder.getInt32Ty());
  const auto whole_of = [&](Value* number) { return builder.CreateAnd(number, llvm::ConstantInt::get(type, ~std::uint32_t{kWordBytes - 1})); };
  const bool are_whole = !offsets.variables || offsets.multiple >= kWordBytes;
  Value* sum = are_whole ? nullptr : offsets.sum(w);
  Value* whole = are_whole ? ShortOffsets{.base = offsets.base, .constants = whole_of(offsets.constants), .variables = offsets.variables}.sum(w)
                           : whole_of(sum);
  return {builder.CreateGEP(builder.getInt8Ty(), offsets.base, builder.CreateSExt(whole, w.wide(builder.getInt64Ty()))),
          builder.CreateAnd(are_whole ? offsets.constants : sum, llvm::ConstantInt::get(type, kWordBytes - 1))};
}

Words words_of(Widening& w, const Access& access) {
  auto& builder = w.builder;
  if (const auto offsets = short_offsets(w, access.pointer); offsets && llvm::getKnownAlignment(offsets->base, w.layout).value() >= kWordBytes)
    return words_of(w, *offsets);
  auto* type = w.wide(builder.getInt64Ty());
  Value* addresses = builder.CreatePtrToInt(w.values.vector1(access.pointer), type);
  Value* aligned = builder.CreateAnd(addresses, llvm::ConstantInt::get(type, ~std::uint64_t{kWordBytes - 1}));
  Value* low = builder.CreateTrunc(addresses, w.wide(builder.getInt32Ty()));
  return {builder.CreateIntToPtr(aligned, w.wide(builder.getPtrTy())), builder.CreateAnd(low, llvm::ConstantInt::get(low->getType(), kWordBytes - 1))};
}

Value* gather_parts(Widening& w, const Access& access) {
  auto& builder = w.builder;
  const auto element = element_of(w, access);
  const Words words = element ? words_of(w, access, *element) : words_of(w, access);
  auto* word_type = w.wide(builder.getInt32Ty());
  Value* gathered = builder.CreateMaskedGather(word_type, words.pointers, llvm::Align(kWordBytes), w.mask.lanes());
  Value* part = builder.CreateTrunc(builder.CreateLShr(gathered, builder.CreateShl(words.first_bytes, llvm::ConstantInt::get(word_type, 3))),
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
