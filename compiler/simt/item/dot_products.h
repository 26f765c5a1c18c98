// Sums of products of bytes, or of 16 bits, that lie side by side in words, and of what is made of each byte of a word.
#pragma once

#include <llvm/ADT/DenseMap.h>

#include "compiler/target/vectors.h"

namespace llvm {
class Function;
class Instruction;
}  // namespace llvm

namespace weft::compiler::simt {

class Shapes;

/// Whether `region` has a product, or a sum, that could be one of make_dot_products: a look at what is there, without an analysis.
bool multiplies_parts_of_words(llvm::Function& region);

/// In `sum += x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w`, of numbers that are extended to 32 bits, the products of all elements of two
/// words are one call of a primitive (primitive::kDot): what takes an extraction of each element, four multiplications and four sums is one
/// instruction of the processor, or a few. Addition of integers has no order, so products are found wherever in a sum they stand.
///
/// A word is loaded as such, where the elements are those of an OpenCL vector in memory; two words that all lanes share are left alone.
/// Where the processor multiplies bytes of one sign by those of the other alone (VectorTraits::byte_dots), as many are 128 more or less,
/// and what that adds is subtracted: 128 times the elements of the other word, a sum of its own, that is the same for all that the word is
/// multiplied by.
///
/// So are bytes of a word that are added up, products with 1, and what is made of each of the four by the same operations of bytes, conditions among them:
/// `count += text[k] == ' '` of four neighbours, or `sum += abs(a[k] - b[k])`. Such operations are done with an OpenCL vector, which stays packed, and a sum that a
/// loop carries in 16 bits is carried in 32.
///
/// True if `region` changed; what `shapes` knows of it is out of date then.
bool make_dot_products(llvm::Function& region, const Shapes& shapes, const VectorTraits& traits);

/// What make_dot_products would do without, and how many dot products are in the place of each: of a sum, those in it, else none.
llvm::DenseMap<const llvm::Instruction*, unsigned> find_dot_products(llvm::Function& region, const Shapes& shapes,
                                                                     const VectorTraits& traits);

}  // namespace weft::compiler::simt
