// Addresses of one work-item's code as sums over a group: what each lane's is, and one expression for those of all.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include <llvm/IR/IRBuilder.h>

#include "compiler/simt/analysis/address_key.h"
#include "compiler/simt/analysis/lane_values.h"

namespace weft::compiler::simt {

/// Sums of products (AddressKeys) in which a local id is a number, since lanes are the work-items of a group of known size, and a global id is
/// that and the same in the whole group. What is left are products of numbers that a group shares.
class LaneSums {
 public:
  LaneSums(llvm::Function& item, LaneValues& values, const Specialization& specialization);

  struct Term {
    std::uint64_t factor = 0;
    std::vector<const LaneValues::Lanes*> lanes;  ///< factors that differ between lanes
    unsigned product = 0;                         ///< and those that do not
  };
  /// base + outer + scale * extended(inner): the one extension of what differs between lanes. Without one `inner_bits` is 0.
  struct Kind {
    const llvm::Value* base = nullptr;
    unsigned inner_bits = 0;
    bool is_signed = false;
    std::uint64_t scale = 0;
    bool operator==(const Kind&) const = default;
  };
  struct Address {
    Kind kind;
    std::vector<Term> outer, inner;
  };
  /// Factors of products, by their numbers, in one lane.
  struct Form {
    std::vector<std::uint64_t> outer, inner;
    bool operator==(const Form&) const = default;
  };
  /// For each product of `outer` and `inner` a constant and what each local id adds.
  using Steps = std::array<std::uint64_t, 4>;
  struct Fit {
    Kind kind;
    std::vector<Steps> outer, inner;
  };

  /// Nothing if some part of `pointer` is neither known in each lane nor the same in a group. Before any of the below is called for one
  /// address, all addresses have to be made.
  std::optional<Address> address(const llvm::Value& pointer);
  Form form(const Address& address, unsigned lane) const;

  /// The sums that are `forms[i]` in the lane `lanes[i]`, if such depend on local ids as sums do.
  std::optional<Fit> fit(const Kind& kind, llvm::ArrayRef<unsigned> lanes, llvm::ArrayRef<Form> forms) const;
  /// Bytes from one lane to the next along `dimension`, if it is the same in all groups.
  std::optional<std::int64_t> step(const Fit& fit, unsigned dimension) const;

  llvm::Value* emit(const Fit& fit, llvm::Type& element, llvm::IRBuilder<>& builder);

  std::uint64_t local_id(unsigned lane, unsigned dimension) const { return ids_[dimension][lane]; }

 private:
  using Product = AddressKeys::Product;
  using Polynomial = std::map<Product, std::uint64_t>;

  bool is_shared(const llvm::Value& value, unsigned depth = 0);
  bool is_shared(const AddressKeys::Sum& sum);
  /// Adds `sum` to `terms`; false if it may not.
  bool expand(const AddressKeys::Sum& sum, std::vector<Term>& terms);
  bool expand_product(const Product& product, std::uint64_t factor, std::vector<Term>& terms);
  /// Numbers in each lane if nothing else is in `sum`; null if there is.
  const LaneValues::Lanes* lanes_of(const AddressKeys::Sum& inner, bool is_signed);
  unsigned product_number(Product product);
  std::vector<std::uint64_t> factors(llvm::ArrayRef<Term> terms, unsigned bits, unsigned lane) const;
  std::optional<std::vector<Steps>> fit_steps(llvm::ArrayRef<unsigned> lanes, llvm::ArrayRef<Form> forms, bool outer, unsigned bits) const;

  llvm::Value* emit_sum(llvm::ArrayRef<Steps> steps, unsigned bits, llvm::IRBuilder<>& builder);
  llvm::Value* emit_terms(const Polynomial& terms, unsigned bits, llvm::IRBuilder<>& builder);
  llvm::Value* emit_symbol(unsigned symbol, unsigned bits, llvm::IRBuilder<>& builder);
  llvm::Value* id(llvm::StringRef prefix, unsigned dimension, unsigned bits);

  llvm::Function& item_;
  LaneValues& values_;
  const std::array<std::uint32_t, 3> size_;
  AddressKeys keys_;
  std::array<LaneValues::Lanes, 3> ids_;  ///< local ids by lane
  std::map<Product, unsigned> numbers_;
  std::vector<Product> products_;
  std::vector<std::unique_ptr<LaneValues::Lanes>> extended_;
};

}  // namespace weft::compiler::simt
