// When two addresses are the same number, however a program has computed them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace llvm {
class Instruction;
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
  /// A value of the program, an extension or a quotient. In a sum of fewer bits it stands for its lowest bits.
  struct Atom {
    const llvm::Value* value = nullptr;  ///< null: one of the others
    const Sum* inner = nullptr;          ///< what is extended; null: a quotient
    bool is_signed = false;
  };
  enum class Divisions : bool {
    kAtoms,  ///< are atoms
    /// A remainder is a sum, n - d * (n / d), and what divides a remainder or a quotient is a difference of quotients of the first number, or one of them
    kSums
  };

  /// Values of which `is_atom` is true are atoms, whatever they are made of.
  explicit AddressKeys(std::function<bool(const llvm::Value&)> is_atom = {}, Divisions divisions = Divisions::kAtoms)
      : is_atom_(std::move(is_atom)), divisions_(divisions) {}

  Key key(const llvm::Value& value);
  static Key name(const Sum& sum);
  /// The constant that is part of `sum`, which is taken out of it.
  static std::int64_t take_constant(Sum& sum);
  const Sum& sum(const llvm::Value& value) { return sum(value, 0); }
  Atom atom(unsigned number) const;

 private:
  /// How a sum has the numbers of a division: as they are, or extended to `bits`.
  struct Form {
    unsigned bits;
    bool is_extended, is_signed;
    unsigned depth;
  };
  static constexpr unsigned kMostDivisions = 24;  ///< the depth at which one is an atom
  /// A constant times values, whose product is known not to wrap around.
  struct Divisor {
    std::uint64_t constant = 1;
    std::vector<const llvm::Value*> values;  ///< sorted; narrower ones are extended by their sign
  };

  const Sum& sum(const llvm::Value& value, unsigned depth);
  Sum compute(const llvm::Value& value, unsigned depth);
  Sum of_atom(unsigned bits, const Key& name);
  Sum of_value(unsigned bits, const llvm::Value& value);
  Sum of_extension(unsigned bits, const Sum& inner, bool is_signed);
  Sum of_constant(unsigned bits, std::uint64_t value);
  static void add(Sum& to, const Sum& from, std::uint64_t factor);
  static Sum multiply(const Sum& a, const Sum& b);
  /// Of a division, extended to `form`; none if it is not taken apart.
  std::optional<Sum> of_division(const llvm::Value& value, const Form& form);
  Sum of_quotient(const llvm::Value& number, const Divisor& divisor, bool is_signed, const Form& form);
  Sum of_remainder(const llvm::Value& number, const Divisor& divisor, bool is_signed, const Form& form);
  Sum of_factors(const Divisor& divisor, const Form& form);
  Sum in_form(const llvm::Value& value, const Form& form);
  static Divisor divisor_of(const llvm::Value& value, bool is_signed);
  static std::optional<Divisor> product_of(const Divisor& a, const Divisor& b, unsigned bits, bool is_signed);
  /// What is left of `all` without the factors of `part`, if it has them.
  static std::optional<Divisor> rest_of(const Divisor& all, const Divisor& part);
  /// The same of fewer bits.
  Sum truncated(const Sum& sum, unsigned bits);

  std::map<const llvm::Value*, Sum> sums_;
  std::map<Key, unsigned> atoms_;
  std::map<unsigned, std::pair<Sum, bool>> extensions_;  ///< atoms that are such: what is extended, and whether with its sign
  std::map<unsigned, const llvm::Value*> values_;        ///< the other atoms
  std::function<bool(const llvm::Value&)> is_atom_;
  const Divisions divisions_;
};

}  // namespace weft::compiler::simt
