// Elements of words, bytes or 16 bits, where a sum of 32 bits has them or what is made of them.
#pragma once

#include <llvm/IR/Instruction.h>
#include <llvm/IR/Value.h>

#include <array>
#include <optional>
#include <utility>

namespace weft::compiler::simt {

inline constexpr unsigned kWord = 32;

/// A word: 32 bits of an integer or of a vector.
struct Word {
  llvm::Value* of;
  unsigned number;  ///< which 32 bits of it
  bool operator==(const Word&) const = default;
};

/// An element of a word, extended to 32 bits.
struct Element {
  Word word;
  unsigned index, bits;
  bool is_signed;
};

/// `value`, of 32 bits, as an element of a word.
std::optional<Element> element_of(llvm::Value* value);
/// The two factors of an addend.
std::optional<std::pair<Element, Element>> factors_of(llvm::Value* addend);

/// Operations between an element and an addend that are looked through, of one of them.
inline constexpr unsigned kMostOfByte = 16;

/// `value` as a byte without a sign of a word.
std::optional<Element> byte_of_word(llvm::Value* value);
/// The bytes that `value` is the distance of, computed in 32 bits: `abs(a - b)`, or `a > b ? a - b : b - a`.
std::optional<std::array<llvm::Value*, 2>> distance_of(llvm::Value* value);
/// The byte or condition that `value` is, in however many bits.
llvm::Value* without_extension(llvm::Value* value);
/// What is done with bytes alone, one by one.
bool is_of_bytes(const llvm::Value& value);
/// Of an addend that is a byte with a sign; else null.
llvm::Value* signed_byte(llvm::Value* addend);
/// The first byte of a word that an addend is made of by operations of bytes.
std::optional<Element> element_of_addend(llvm::Value* addend);
/// Whether `instruction` may stand between a word and what a sum has of it.
bool leads_to_product(const llvm::Instruction& instruction);

}  // namespace weft::compiler::simt
