#include "compiler/simt/widen/dot_product.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicsX86.h>

#include "compiler/simt/ir/primitives.h"

namespace weft::compiler::simt {
namespace {

using llvm::Value;

constexpr unsigned kLeastRegister = 128;
constexpr unsigned kWord = 32, kHalf = 16, kByte = 8;

struct DotKind {
  bool is_signed[2];
  unsigned bits;
};

DotKind kind_of(llvm::StringRef name) {
  name.consume_front(primitive::kDot);
  return {.is_signed = {name[0] == 's', name[1] == 's'}, .bits = name.ends_with("16") ? kHalf : kByte};
}

/// Calls an instruction of the processor for each register of the vectors `arguments`, all of the same size.
Value* by_registers(llvm::IRBuilderBase& builder, llvm::Intrinsic::ID id, llvm::ArrayRef<Value*> arguments, unsigned register_bits) {
  auto* type = llvm::cast<llvm::FixedVectorType>(arguments.front()->getType());
  const unsigned registers = static_cast<unsigned>(type->getPrimitiveSizeInBits().getFixedValue()) / register_bits;
  llvm::SmallVector<Value*, 16> results;
  for (unsigned i = 0; i < registers; ++i) {
    llvm::SmallVector<Value*, 3> parts;
    for (Value* argument : arguments) {
      const unsigned each = llvm::cast<llvm::FixedVectorType>(argument->getType())->getNumElements() / registers;
      parts.push_back(builder.CreateShuffleVector(
          argument, llvm::to_vector<64>(llvm::seq<int>(static_cast<int>(i * each), static_cast<int>((i + 1) * each)))));
    }
    results.push_back(builder.CreateIntrinsic(id, {}, parts));
  }
  return results.size() == 1 ? results.front() : llvm::concatenateVectors(builder, results);
}

/// Products of neighbours of 16 bits, added.
Value* add_pairs(llvm::IRBuilderBase& builder, Value* a, Value* b, unsigned register_bits) {
  const auto id = register_bits == 512   ? llvm::Intrinsic::x86_avx512_pmaddw_d_512
                  : register_bits == 256 ? llvm::Intrinsic::x86_avx2_pmadd_wd
                                         : llvm::Intrinsic::x86_sse2_pmadd_wd;
  return by_registers(builder, id, {a, b}, register_bits);
}

Value* plain(llvm::IRBuilderBase& builder, const DotKind& kind, Value* a, Value* b, Value* sum) {
  for (unsigned offset = 0; offset < kWord; offset += kind.bits) {
    Value* factors[2];
    for (const auto& [factor, word, is_signed] : llvm::zip(factors, std::initializer_list<Value*>{a, b}, kind.is_signed)) {
      const unsigned above = kWord - kind.bits;
      Value* high = builder.CreateShl(word, above - offset);
      factor = is_signed ? builder.CreateAShr(high, above) : builder.CreateLShr(high, above);
    }
    sum = builder.CreateAdd(sum, builder.CreateMul(factors[0], factors[1]));
  }
  return sum;
}

}  // namespace

Value* dot_product(llvm::IRBuilderBase& builder, llvm::StringRef name, Value* a, Value* b, Value* sum, const VectorTraits& traits) {
  const DotKind kind = kind_of(name);
  auto* words = llvm::dyn_cast<llvm::FixedVectorType>(sum->getType());
  if (!words) return plain(builder, kind, a, b, sum);
  // Groups smaller than a register have vectors that fill a part of it.
  const auto all = static_cast<unsigned>(words->getPrimitiveSizeInBits().getFixedValue());
  unsigned bits = traits.register_bits;
  while (bits > kLeastRegister && all % bits) bits /= 2;
  if (all % bits) return plain(builder, kind, a, b, sum);
  if (traits.byte_dots && kind.bits == kByte && !kind.is_signed[0] && kind.is_signed[1]) {
    const auto id = bits == 512   ? llvm::Intrinsic::x86_avx512_vpdpbusd_512
                    : bits == 256 ? llvm::Intrinsic::x86_avx512_vpdpbusd_256
                                  : llvm::Intrinsic::x86_avx512_vpdpbusd_128;
    return by_registers(builder, id, {sum, a, b}, bits);
  }
  auto* halves = llvm::FixedVectorType::get(builder.getInt16Ty(), 2 * words->getNumElements());
  Value* pairs[] = {builder.CreateBitCast(a, halves), builder.CreateBitCast(b, halves)};
  if (kind.bits == kHalf) return builder.CreateAdd(sum, add_pairs(builder, pairs[0], pairs[1], bits));
  Value *even[2], *odd[2];
  for (unsigned i = 0; i < 2; ++i) {
    odd[i] = kind.is_signed[i] ? builder.CreateAShr(pairs[i], kByte) : builder.CreateLShr(pairs[i], kByte);
    even[i] = kind.is_signed[i] ? builder.CreateAShr(builder.CreateShl(pairs[i], kByte), kByte)
                                : builder.CreateAnd(pairs[i], llvm::ConstantInt::get(halves, (1u << kByte) - 1));
  }
  sum = builder.CreateAdd(sum, add_pairs(builder, even[0], even[1], bits));
  return builder.CreateAdd(sum, add_pairs(builder, odd[0], odd[1], bits));
}

}  // namespace weft::compiler::simt
