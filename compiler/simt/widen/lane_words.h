// Lanes' numbers of a few bits, out of words of several: out of its vector each would take the vector units as long as a word does.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace weft::compiler::simt {

inline constexpr unsigned kWordBits = 64;

/// The bits of `vector`, a whole number of words.
inline llvm::Value* in_words(llvm::IRBuilder<>& builder, llvm::Value* vector) {
  const auto bits = static_cast<unsigned>(vector->getType()->getPrimitiveSizeInBits().getFixedValue());
  return builder.CreateBitCast(vector, llvm::FixedVectorType::get(builder.getInt64Ty(), bits / kWordBits));
}

/// Number `place` of those of `bits` bits in `word`.
inline llvm::Value* part_of_word(llvm::IRBuilder<>& builder, llvm::Value* word, unsigned bits, unsigned place) {
  return builder.CreateTrunc(builder.CreateLShr(word, std::uint64_t{place} * bits), builder.getIntNTy(bits));
}

/// The number of `lane`, one of `bits` bits, out of the words of all.
inline llvm::Value* lane_of_words(llvm::IRBuilder<>& builder, llvm::Value* words, unsigned bits, unsigned lane) {
  const unsigned each = kWordBits / bits;
  return part_of_word(builder, builder.CreateExtractElement(words, lane / each), bits, lane % each);
}

}  // namespace weft::compiler::simt
