// Strategy "gather-parts".
// Matches: loads of bytes, of 16-bit elements and of three bytes, as `vload3` reads a pixel, anywhere. Of the aligned 32-bit word around
// each, which lies in the same page whatever the buffer's end, the part that the address names is taken. Three bytes are taken of the word
// that begins with the aligned pair of their first byte: each of its pairs has one of the three, and lies in a page of it. What else the
// word holds is not looked at, so it may change meanwhile. Of an array that lanes share words are named by numbers of 32 bits, of which a
// gather takes twice as many at once as of addresses (conformance/bench/anywhere.py). Costs: an access for each lane, and shifts. Random
// loads by AVX-512: uchar 2.5 ms in place of 5.1, ushort 2.8 in place of 5.3; three bytes are packed by a permutation.
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
constexpr unsigned kThreeBytes = 3 * 8;  // bits

/// Bytes that the places of words around what `access` reads are multiples of.
unsigned unit_of(const Access& access) { return access.bits == kThreeBytes ? kWordBytes / 2 : kWordBytes; }

/// Bytes that an index counts.
unsigned step_of(const Access& access) { return access.bits == kThreeBytes ? 1 : access.bits / 8; }

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
  if (!base.index || !w.is_uniform(const_cast<Value*>(base.pointer)) || base.scale != step_of(access)) return std::nullopt;
  const unsigned bits = base.index->getType()->getIntegerBitWidth();
  // Half of the last unsigned index and 1 is no positive number.
  if (bits > 32 || bits < 8 || (!base.is_signed && unit_of(access) == 2 * step_of(access))) return std::nullopt;
  return element;
}

/// The words around what lanes read, at multiples of unit_of(), and which byte of each it begins at.
struct Words {
  Value* pointers = nullptr;
  Value* first_bytes = nullptr;
};

/// By numbers of 32 bits, of which a gather takes twice as many at once as of addresses. An index is split first, so that nothing wraps.
Words words_of(Widening& w, const Access& access, const Element& element) {
  auto& builder = w.builder;
  auto* type = w.wide(builder.getInt32Ty());
  const auto number = [&](std::uint64_t value) { return llvm::ConstantInt::get(type, value); };
  const unsigned unit = unit_of(access), bytes = step_of(access), each = unit / bytes;
  Value* base = builder.CreateGEP(builder.getInt8Ty(), w.values.scalar_at(const_cast<Value*>(element.base.pointer), 0),
                                  builder.getInt64(static_cast<std::uint64_t>(element.offset)));
  Value* begin = builder.CreateAnd(builder.CreatePtrToInt(base, builder.getInt64Ty()), unit - 1);
  base = builder.CreateGEP(builder.getInt8Ty(), base, builder.CreateNeg(begin));
  const bool is_signed = element.base.is_signed;
  Value* index = builder.CreateIntCast(w.values.vector1(const_cast<Value*>(element.base.index)), type, is_signed);
  Value* whole =
      is_signed ? builder.CreateAShr(index, number(llvm::Log2_32(each))) : builder.CreateLShr(index, number(llvm::Log2_32(each)));
  Value* rest = builder.CreateAdd(builder.CreateMul(builder.CreateAnd(index, number(each - 1)), number(bytes)),
                                  builder.CreateVectorSplat(w.lanes, builder.CreateTrunc(begin, builder.getInt32Ty())));
  whole = builder.CreateAdd(whole, builder.CreateLShr(rest, number(llvm::Log2_32(unit))));
  return {builder.CreateGEP(builder.getIntNTy(8 * unit), base, builder.CreateSExt(whole, w.wide(builder.getInt64Ty()))),
          builder.CreateAnd(rest, number(unit - 1))};
}

/// By offsets from a place where a word begins. Lanes' copies of a private array lie side by side, so that a lane's byte of its word is a
/// constant.
Words words_of(Widening& w, const ShortOffsets& offsets, unsigned unit) {
  auto& builder = w.builder;
  auto* type = w.wide(builder.getInt32Ty());
  const auto whole_of = [&](Value* number) { return builder.CreateAnd(number, llvm::ConstantInt::get(type, ~(unit - 1))); };
  const bool are_whole = !offsets.variables || offsets.multiple >= unit;
  Value* sum = are_whole ? nullptr : offsets.sum(w);
  Value* whole = are_whole
                     ? ShortOffsets{.base = offsets.base, .constants = whole_of(offsets.constants), .variables = offsets.variables}.sum(w)
                     : whole_of(sum);
  return {builder.CreateGEP(builder.getInt8Ty(), offsets.base, builder.CreateSExt(whole, w.wide(builder.getInt64Ty()))),
          builder.CreateAnd(are_whole ? offsets.constants : sum, llvm::ConstantInt::get(type, unit - 1))};
}

Words words_of(Widening& w, const Access& access) {
  auto& builder = w.builder;
  const unsigned unit = unit_of(access);
  if (const auto offsets = short_offsets(w, access.pointer); offsets && llvm::getKnownAlignment(offsets->base, w.layout).value() >= unit)
    return words_of(w, *offsets, unit);
  auto* type = w.wide(builder.getInt64Ty());
  Value* addresses = builder.CreatePtrToInt(w.values.vector1(access.pointer), type);
  Value* aligned = builder.CreateAnd(addresses, llvm::ConstantInt::get(type, ~std::uint64_t{unit - 1}));
  Value* low = builder.CreateTrunc(addresses, w.wide(builder.getInt32Ty()));
  return {builder.CreateIntToPtr(aligned, w.wide(builder.getPtrTy())),
          builder.CreateAnd(low, llvm::ConstantInt::get(low->getType(), unit - 1))};
}

Value* gather_parts(Widening& w, const Access& access) {
  auto& builder = w.builder;
  const auto element = element_of(w, access);
  const Words words = element ? words_of(w, access, *element) : words_of(w, access);
  auto* word_type = w.wide(builder.getInt32Ty());
  Value* gathered = builder.CreateMaskedGather(word_type, words.pointers, llvm::Align(unit_of(access)), w.mask.lanes());
  Value* shifted = builder.CreateLShr(gathered, builder.CreateShl(words.first_bytes, llvm::ConstantInt::get(word_type, 3)));
  if (access.bits == kThreeBytes) {
    llvm::SmallVector<int, 256> bytes;
    for (unsigned lane = 0; lane < w.lanes; ++lane)
      for (unsigned i = 0; i < access.count; ++i) bytes.push_back(static_cast<int>(kWordBytes * lane + i));
    Value* all = builder.CreateBitCast(shifted, llvm::FixedVectorType::get(builder.getInt8Ty(), kWordBytes * w.lanes));
    return builder.CreateShuffleVector(all, bytes);
  }
  Value* part = builder.CreateTrunc(shifted, w.wide(builder.getIntNTy(access.bits)));
  return builder.CreateBitCast(part, access.type->isVectorTy() ? w.packed_type(access.type) : w.wide(access.type));
}

}  // namespace

std::optional<AccessPlan> plan_gather_parts(Widening& w, const Access& access) {
  const bool is_three_bytes = access.bits == kThreeBytes && access.count == 3;
  const bool is_part = (access.bits == 8 || access.bits == 16) && access.align.value() * 8 >= access.bits;
  if (!access.is_load() || (!is_three_bytes && !is_part)) return std::nullopt;
  if (!gathers(w, access)) return std::nullopt;
  AccessPlan plan{.cost = w.lanes, .emit = {}, .fall_back = "gather of the words around"};
  plan.emit = [&w, &access] { return Parts{gather_parts(w, access)}; };
  return plan;
}

}  // namespace weft::compiler::simt
