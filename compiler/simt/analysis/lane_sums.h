// Addresses of one work-item's code as sums over a group: what each lane's is, and one expression for those of all.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstrTypes.h>

#include "compiler/simt/analysis/address_key.h"
#include "compiler/simt/analysis/lane_values.h"

namespace weft::compiler::simt {

/// Sums of products (AddressKeys) in which a local id is a number, since lanes are the work-items of a group of known size, and a global id is
/// that and the same in the whole group. What is left are products of numbers that a group shares, and of what is no sum, as a bound of another
/// sum (clamp, min, max), a remainder or a choice.
class LaneSums {
 public:
  LaneSums(llvm::Function& item, LaneValues& values, const Specialization& specialization);

  /// What is made of sums.
  struct Operator {
    unsigned opcode = 0;  ///< llvm::Instruction's
    unsigned detail = 0;  ///< the predicate of a comparison, the intrinsic of a call
    unsigned bits = 0;    ///< of the result
    auto operator<=>(const Operator&) const = default;
  };
  struct Operation;
  struct Term {
    std::uint64_t factor = 0;
    std::vector<const LaneValues::Lanes*> lanes;  ///< factors that differ between lanes
    unsigned product = 0;                         ///< and those that do not
    const Operation* operation = nullptr;         ///< and one that is no sum; null: none
  };
  struct Sum {
    unsigned bits = 0;
    std::vector<Term> terms;
  };
  struct Operation {
    Operator kind;
    unsigned size = 1;        ///< operations, those within its operands counted
    std::uint64_t added = 0;  ///< to the result
    std::vector<Sum> operands;
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
    Sum outer, inner;
  };
  struct OperationForm;
  /// A sum in one lane: factors of products, by their numbers, and operations.
  struct SumForm {
    unsigned bits = 0;
    std::vector<std::uint64_t> factors;
    std::vector<OperationForm> operations;  ///< sorted by all but their operands
    bool operator==(const SumForm&) const;
  };
  struct OperationForm {
    Operator kind;
    std::uint64_t factor = 0;
    unsigned product = 0;
    std::vector<SumForm> operands;
    bool operator==(const OperationForm&) const = default;
    bool is_like(const OperationForm& other) const;
  };
  struct Form {
    SumForm outer, inner;
    bool operator==(const Form&) const = default;
  };
  /// For a product a constant and what each local id adds.
  using Steps = std::array<std::uint64_t, 4>;
  struct OperationFit;
  struct SumFit {
    unsigned bits = 0;
    std::vector<Steps> steps;  ///< by product
    std::vector<OperationFit> operations;
  };
  struct OperationFit {
    Operator kind;
    std::uint64_t factor = 0;
    unsigned product = 0;
    std::vector<SumFit> operands;
  };
  struct Fit {
    Kind kind;
    SumFit outer, inner;
  };

  /// Nothing if some part of `pointer` is neither known in each lane nor the same in a group. Before any of the below is called for one
  /// address, all addresses have to be made.
  std::optional<Address> address(const llvm::Value& pointer);
  Form form(const Address& address, unsigned lane) const;
  /// The same of an integer.
  std::optional<Sum> number(const llvm::Value& value) { return expanded(AddressKeys::Sum(keys_.sum(value))); }
  SumForm form(const Sum& sum, unsigned lane) const;
  using Forms = std::vector<const SumForm*>;
  std::optional<SumFit> fit(llvm::ArrayRef<unsigned> lanes, const Forms& forms) const;
  /// What `fit`, without operations, is in `lane`, one of those it was made for or not.
  SumForm form(const SumFit& fit, unsigned lane) const;
  /// Whether `a` compares so with `b` in every group, by the ranges of what these share.
  bool is_certain(llvm::CmpInst::Predicate predicate, const SumForm& a, const SumForm& b) const;

  /// The sums that are `forms[i]` in the lane `lanes[i]`, if such depend on local ids as sums do.
  std::optional<Fit> fit(const Kind& kind, llvm::ArrayRef<unsigned> lanes, llvm::ArrayRef<Form> forms) const;
  /// Bytes from one lane to the next along `dimension`, if it is the same in all groups, or in those in which no bound is met.
  std::optional<std::int64_t> step(const Fit& fit, unsigned dimension) const;

  llvm::Value* emit(const Fit& fit, llvm::Type& element, llvm::IRBuilder<>& builder);
  llvm::Value* emit(const SumFit& fit, llvm::IRBuilder<>& builder);

  std::uint64_t local_id(unsigned lane, unsigned dimension) const { return ids_[dimension][lane]; }

 private:
  using Product = AddressKeys::Product;
  using Polynomial = std::map<Product, std::uint64_t>;

  bool is_shared(const llvm::Value& value, unsigned depth = 0);
  bool is_shared(const AddressKeys::Sum& sum);
  /// Adds `sum` to `terms`; false if it may not.
  bool expand(const AddressKeys::Sum& sum, std::vector<Term>& terms);
  bool expand_product(const Product& product, std::uint64_t factor, std::vector<Term>& terms);
  std::optional<Sum> expanded(const AddressKeys::Sum& sum);
  /// `atom` as what is made of sums; null if it is nothing that is known, or its operands are not.
  const Operation* operation(const AddressKeys::Atom& atom);
  const Operation* operation_of(const llvm::Value& value);
  bool is_not_negative(const llvm::Value& value) const;
  /// Gives `sum`, of `value`, the lower bound 0 that simplification takes from a number which is known to be no less: where lanes beside have it, one
  /// expression is for all.
  void bound_below(const llvm::Value& value, Sum& sum);
  /// Writes max(x, c) as max(x - c, 0) + c, for the same reason.
  void bound_by_zero(const llvm::Instruction& bound, Operation& operation);
  /// False if `operation` becomes too long.
  static bool add_operand(Operation& operation, Sum operand);
  /// Numbers in each lane if nothing else is in `sum`; null if there is.
  const LaneValues::Lanes* lanes_of(const AddressKeys::Sum& inner, bool is_signed);
  unsigned product_number(Product product);
  /// The least and the greatest number that `form` is in any group, if it is known not to wrap around.
  std::optional<std::pair<std::int64_t, std::int64_t>> range(const SumForm& form) const;
  std::optional<std::vector<Steps>> fit_steps(llvm::ArrayRef<unsigned> lanes, const Forms& forms) const;
  std::optional<std::int64_t> step(const SumFit& fit, unsigned dimension) const;
  std::optional<std::int64_t> step(const OperationFit& fit, unsigned dimension) const;

  llvm::Value* emit_operation(const OperationFit& fit, llvm::IRBuilder<>& builder);
  Polynomial polynomial(unsigned product, const Steps& steps) const;
  llvm::Value* emit_terms(const Polynomial& terms, unsigned bits, llvm::IRBuilder<>& builder);
  llvm::Value* emit_symbol(unsigned symbol, unsigned bits, llvm::IRBuilder<>& builder);
  llvm::Value* id(llvm::StringRef prefix, unsigned dimension, unsigned bits);

  llvm::Function& item_;
  LaneValues& values_;
  const std::array<std::uint32_t, 3> size_;
  const bool ids_fit_31_bits_;
  AddressKeys keys_;
  std::array<LaneValues::Lanes, 3> ids_;  ///< local ids by lane
  std::map<Product, unsigned> numbers_;
  std::vector<Product> products_;
  std::vector<std::unique_ptr<LaneValues::Lanes>> extended_;
  std::map<const llvm::Value*, std::unique_ptr<Operation>> operations_;  ///< null: none
  std::map<const AddressKeys::Sum*, std::unique_ptr<Operation>> extensions_;
  std::vector<std::unique_ptr<Operation>> bounds_;  ///< bound_below's
};

}  // namespace weft::compiler::simt
