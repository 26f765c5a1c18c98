// When two addresses are the same number, however a program has computed them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
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
  /// Atoms, sorted: a product.
  using Product = std::vector<unsigned>;
  struct Sum {
    unsigned bits = 0;
    std::map<Product, std::uint64_t> terms;  ///< coefficients, modulo 2^bits
    bool is_too_long = false;
  };
  /// Either a value of the program or an extension. In a sum of fewer bits it stands for its lowest bits.
  struct Atom {
    const llvm::Value* value = nullptr;  ///< null: an extension
    const Sum* inner = nullptr;          ///< what is extended
    bool is_signed = false;
  };

  /// Values of which `is_atom` is true are atoms, whatever they are made of.
  explicit AddressKeys(std::function<bool(const llvm::Value&)> is_atom = {}) : is_atom_(std::move(is_atom)) {}

  Key key(const llvm::Value& value);
  static Key name(const Sum& sum);
  /// The constant that is part of `sum`, which is taken out of it.
  static std::int64_t take_constant(Sum& sum);
  const Sum& sum(const llvm::Value& value) { return sum(value, 0); }
  Atom atom(unsigned number) const;

 private:
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

  std::map<const llvm::Value*, Sum> sums_;
  std::map<Key, unsigned> atoms_;
  std::map<unsigned, std::pair<Sum, bool>> extensions_;  ///< atoms that are such: what is extended, and whether with its sign
  std::map<unsigned, const llvm::Value*> values_;        ///< the other atoms
  std::function<bool(const llvm::Value&)> is_atom_;
};

}  // namespace weft::compiler::simt
