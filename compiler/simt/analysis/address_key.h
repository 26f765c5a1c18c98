// When two addresses are the same number, however a program has computed them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace llvm {
class Value;
}

namespace weft::compiler::simt {

/// Numbers as sums of products, modulo a power of two, in which (y + 1) * pitch + x and y * pitch + x + pitch are one. What is not a sum,
/// a difference, a product or a shift of others is an atom: so is an extension, of the sum inside it.
class AddressKeys {
 public:
  /// Equal for values of one type that are equal whatever their atoms are.
  using Key = std::string;
  Key key(const llvm::Value& value);

 private:
  /// Atoms, sorted: a product.
  using Product = std::vector<unsigned>;
  struct Sum {
    unsigned bits = 0;
    std::map<Product, std::uint64_t> terms;  ///< coefficients, modulo 2^bits
    bool is_too_long = false;
  };

  const Sum& sum(const llvm::Value& value, unsigned depth);
  Sum compute(const llvm::Value& value, unsigned depth);
  Sum of_atom(unsigned bits, const Key& name);
  Sum of_value(unsigned bits, const llvm::Value& value);
  Sum of_extension(unsigned bits, const Sum& inner, bool is_signed);
  Sum of_constant(unsigned bits, std::uint64_t value);
  static void add(Sum& to, const Sum& from, std::uint64_t factor);
  static Sum multiply(const Sum& a, const Sum& b);
  /// The same of fewer bits.
  Sum truncated(const Sum& sum, unsigned bits);
  static Key name(const Sum& sum);

  std::map<const llvm::Value*, Sum> sums_;
  std::map<Key, unsigned> atoms_;
  std::map<unsigned, Sum> inside_;  ///< of atoms that are extensions
};

}  // namespace weft::compiler::simt
