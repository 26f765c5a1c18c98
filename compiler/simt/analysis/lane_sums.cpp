#include "compiler/simt/analysis/lane_sums.h"

#include <llvm/ADT/APInt.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/SimplifyQuery.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <tuple>

#include "compiler/id_limit.h"
#include "compiler/simt/ir/primitives.h"

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::Value;

constexpr unsigned kPointerBits = 64;
constexpr unsigned kDeepestSum = 16;
/// What is made of more than so many operations is no address of a program.
constexpr unsigned kMostOperations = 16;
/// Symbols beside the atoms of AddressKeys, whose numbers are small: of a dimension what a global id is without its local id, the one, the other.
constexpr unsigned kGroupBase = 1u << 28, kGlobalId = kGroupBase + 3, kLocalId = kGlobalId + 3;

std::uint64_t masked(std::uint64_t value, unsigned bits) { return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1); }

/// The dimension of a call of `prefix`x, y or z; nothing for any other value.
std::optional<unsigned> dimension_of(const Value& value, llvm::StringRef prefix) {
  const llvm::StringRef name = called_name(value);
  if (name.size() != prefix.size() + 1 || !name.starts_with(prefix)) return std::nullopt;
  return static_cast<unsigned>(name.back() - 'x');
}

}  // namespace

LaneSums::LaneSums(llvm::Function& item, LaneValues& values, const Specialization& specialization)
    : item_(item), values_(values), size_{specialization.local_size[0], specialization.local_size[1], specialization.local_size[2]},
      ids_fit_31_bits_(specialization.ids_fit_31_bits), keys_([&values](const Value& value) {
        const auto* instruction = llvm::dyn_cast<Instruction>(&value);
        return instruction && values.knows(*instruction);
      }) {
  for (unsigned lane = 0; lane < values.lanes(); ++lane) {
    ids_[0].push_back(lane % size_[0]);
    ids_[1].push_back(lane / size_[0] % size_[1]);
    ids_[2].push_back(lane / size_[0] / size_[1]);
  }
  product_number({});
}

unsigned LaneSums::product_number(Product product) {
  std::sort(product.begin(), product.end());
  const auto [number, is_new] = numbers_.try_emplace(product, static_cast<unsigned>(products_.size()));
  if (is_new) products_.push_back(std::move(product));
  return number->second;
}

/// Arguments, what is loaded through them that no one changes, and what is computed from these where every work-item comes first.
bool LaneSums::is_shared(const Value& value, unsigned depth) {
  if (llvm::isa<llvm::Constant, llvm::Argument>(value)) return true;
  const auto* instruction = llvm::dyn_cast<Instruction>(&value);
  if (!instruction || depth > kDeepestSum || instruction->getParent() != &item_.getEntryBlock()) return false;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction)) {
    if (!load->hasMetadata(llvm::LLVMContext::MD_invariant_load)) return false;
  } else if (instruction->mayReadOrWriteMemory() || llvm::isa<llvm::CallBase, llvm::PHINode, llvm::AllocaInst, llvm::FreezeInst>(instruction)) {
    return false;
  }
  return llvm::all_of(instruction->operands(), [&](const llvm::Use& operand) { return is_shared(*operand, depth + 1); });
}

bool LaneSums::is_shared(const AddressKeys::Sum& sum) {
  return llvm::all_of(sum.terms, [&](const auto& term) {
    return llvm::all_of(term.first, [&](unsigned number) {
      const AddressKeys::Atom atom = keys_.atom(number);
      return atom.value ? is_shared(*atom.value) : is_shared(*atom.inner);
    });
  });
}

const LaneValues::Lanes* LaneSums::lanes_of(const AddressKeys::Sum& inner, bool is_signed) {
  std::vector<Term> terms;
  if (!expand(inner, terms) || llvm::any_of(terms, [](const Term& term) { return term.product != 0 || term.operation; })) return nullptr;
  auto lanes = std::make_unique<LaneValues::Lanes>();
  for (unsigned lane = 0; lane < values_.lanes(); ++lane) {
    std::uint64_t total = 0;
    for (const Term& term : terms) {
      std::uint64_t factor = term.factor;
      for (const LaneValues::Lanes* own : term.lanes) factor *= (*own)[lane];
      total += factor;
    }
    const llvm::APInt number(64, masked(total, inner.bits));
    lanes->push_back(is_signed ? number.trunc(inner.bits).sext(64).getZExtValue() : number.getZExtValue());
  }
  return extended_.emplace_back(std::move(lanes)).get();
}

bool LaneSums::expand_product(const Product& product, std::uint64_t factor, std::vector<Term>& terms) {
  struct Part {
    std::vector<const LaneValues::Lanes*> lanes;
    Product shared;
  };
  std::vector<Part> parts(1);
  const Operation* operation = nullptr;
  for (const unsigned number : product) {
    const AddressKeys::Atom atom = keys_.atom(number);
    const LaneValues::Lanes* lanes = nullptr;
    if (!atom.value && !atom.inner) return false;
    if (!atom.value) {
      if (!is_shared(*atom.inner)) lanes = lanes_of(AddressKeys::Sum(*atom.inner), atom.is_signed);
    } else if (!atom.value->getType()->isIntegerTy()) {
      return false;
    } else if (const auto dimension = dimension_of(*atom.value, primitive::kGlobalId)) {
      std::vector<Part> both = parts;
      for (Part& part : both) part.lanes.push_back(&ids_[*dimension]);
      for (Part& part : parts) part.shared.push_back(kGroupBase + *dimension);
      parts.insert(parts.end(), both.begin(), both.end());
      continue;
    } else {
      lanes = values_.of(*atom.value);
    }
    if (!lanes && !(atom.value ? is_shared(*atom.value) : is_shared(*atom.inner))) {
      // A product of two of them is nothing that an address has.
      if (operation || !(operation = this->operation(atom))) return false;
      continue;
    }
    for (Part& part : parts) {
      if (lanes) part.lanes.push_back(lanes);
      else part.shared.push_back(number);
    }
  }
  for (Part& part : parts) {
    const unsigned shared = product_number(std::move(part.shared));
    if (operation && operation->added) terms.push_back({factor * operation->added, part.lanes, shared, nullptr});
    terms.push_back({factor, std::move(part.lanes), shared, operation});
  }
  return true;
}

bool LaneSums::expand(const AddressKeys::Sum& sum, std::vector<Term>& terms) {
  return llvm::all_of(sum.terms, [&](const auto& term) { return expand_product(term.first, term.second, terms); });
}

std::optional<LaneSums::Sum> LaneSums::expanded(const AddressKeys::Sum& sum) {
  Sum result{sum.bits, {}};
  if (!expand(sum, result.terms)) return std::nullopt;
  return result;
}

bool LaneSums::add_operand(Operation& operation, Sum operand) {
  for (const Term& term : operand.terms) operation.size += term.operation ? term.operation->size : 0;
  operation.operands.push_back(std::move(operand));
  return operation.size <= kMostOperations;
}

const LaneSums::Operation* LaneSums::operation(const AddressKeys::Atom& atom) {
  if (atom.value) return operation_of(*atom.value);
  const auto [known, is_new] = extensions_.try_emplace(atom.inner);
  if (!is_new) return known->second.get();
  auto inner = expanded(AddressKeys::Sum(*atom.inner));
  if (!inner) return nullptr;
  const unsigned opcode = atom.is_signed ? Instruction::SExt : Instruction::ZExt;
  auto made = std::make_unique<Operation>();
  made->kind = {opcode, 0, kPointerBits};
  if (!add_operand(*made, std::move(*inner))) return nullptr;
  return (extensions_[atom.inner] = std::move(made)).get();
}

const LaneSums::Operation* LaneSums::operation_of(const Value& value) {
  const auto [known, is_new] = operations_.try_emplace(&value);
  if (!is_new) return known->second.get();
  const auto* instruction = llvm::dyn_cast<Instruction>(&value);
  if (!instruction || !value.getType()->isIntegerTy()) return nullptr;
  Operator kind{instruction->getOpcode(), 0, value.getType()->getIntegerBitWidth()};
  unsigned operands = instruction->getNumOperands();
  if (const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(instruction)) {
    kind.detail = comparison->getPredicate();
  } else if (const auto* bound = llvm::dyn_cast<llvm::MinMaxIntrinsic>(instruction)) {
    kind.detail = bound->getIntrinsicID();
    operands = 2;
  } else if (!llvm::isa<llvm::BinaryOperator, llvm::SelectInst>(instruction)) {
    return nullptr;
  }
  auto made = std::make_unique<Operation>();
  made->kind = kind;
  for (unsigned i = 0; i < operands; ++i) {
    if (!instruction->getOperand(i)->getType()->isIntegerTy()) return nullptr;
    auto operand = expanded(AddressKeys::Sum(keys_.sum(*instruction->getOperand(i))));
    if (!operand) return nullptr;
    if (kind.detail == llvm::Intrinsic::smin) bound_below(*instruction->getOperand(i), *operand);
    if (!add_operand(*made, std::move(*operand))) return nullptr;
  }
  if (kind.detail == llvm::Intrinsic::smax) bound_by_zero(*instruction, *made);
  return (operations_[&value] = std::move(made)).get();
}

bool LaneSums::is_not_negative(const Value& value) const { return llvm::isKnownNonNegative(&value, llvm::SimplifyQuery(item_.getDataLayout())); }

void LaneSums::bound_below(const Value& value, Sum& sum) {
  const bool has_operation = llvm::any_of(sum.terms, [](const Term& term) { return term.operation; });
  if (llvm::isa<llvm::Constant>(value) || has_operation || !is_not_negative(value)) return;
  auto made = std::make_unique<Operation>();
  made->kind = {Instruction::Call, llvm::Intrinsic::smax, sum.bits};
  made->operands = {std::move(sum), Sum{made->kind.bits, {}}};
  sum = Sum{made->kind.bits, {Term{1, {}, 0, made.get()}}};
  bounds_.push_back(std::move(made));
}

void LaneSums::bound_by_zero(const Instruction& bound, Operation& operation) {
  const auto* least = llvm::dyn_cast<llvm::ConstantInt>(bound.getOperand(1));
  // Else what is left without the constant may be no number of so many bits.
  if (!least || !least->getValue().isStrictlyPositive() || !is_not_negative(*bound.getOperand(0))) return;
  operation.operands[0].terms.push_back({~least->getZExtValue() + 1, {}, 0, nullptr});
  operation.operands[1].terms.clear();
  operation.added = least->getZExtValue();
}

std::optional<LaneSums::Address> LaneSums::address(const Value& pointer) {
  const AddressKeys::Sum& sum = keys_.sum(pointer);
  Address result;
  result.outer.bits = kPointerBits;
  const auto is_base = [&](const Product& product) {
    return !product.empty() && keys_.atom(product.front()).value && keys_.atom(product.front()).value->getType()->isPointerTy();
  };
  // One number that is extended is part of the address's kind, which says most of how it steps.
  for (const auto& [product, factor] : sum.terms) {
    const AddressKeys::Atom first = product.empty() ? AddressKeys::Atom{} : keys_.atom(product.front());
    if (is_base(product)) {
      if (product.size() > 1 || factor != 1 || result.kind.base || !is_shared(*first.value)) return std::nullopt;
      result.kind.base = first.value;
      continue;
    }
    const bool is_extended = product.size() == 1 && first.inner && !result.kind.inner_bits && !is_shared(*first.inner) &&
                             !lanes_of(AddressKeys::Sum(*first.inner), first.is_signed);
    if (!is_extended) {
      if (!expand_product(product, factor, result.outer.terms)) return std::nullopt;
      continue;
    }
    result.kind.inner_bits = first.inner->bits;
    result.kind.is_signed = first.is_signed;
    result.kind.scale = factor;
    auto inner = expanded(AddressKeys::Sum(*first.inner));
    if (!inner) return std::nullopt;
    result.inner = std::move(*inner);
  }
  if (!result.kind.base) return std::nullopt;
  return result;
}

bool LaneSums::SumForm::operator==(const SumForm&) const = default;

bool LaneSums::OperationForm::is_like(const OperationForm& other) const {
  return kind == other.kind && factor == other.factor && product == other.product && operands.size() == other.operands.size();
}

LaneSums::SumForm LaneSums::form(const Sum& sum, unsigned lane) const {
  SumForm result{sum.bits, std::vector<std::uint64_t>(products_.size(), 0), {}};
  for (const Term& term : sum.terms) {
    std::uint64_t factor = term.factor;
    for (const LaneValues::Lanes* lanes : term.lanes) factor *= (*lanes)[lane];
    if (term.operation) {
      OperationForm& made = result.operations.emplace_back(OperationForm{term.operation->kind, masked(factor, sum.bits), term.product, {}});
      for (const Sum& operand : term.operation->operands) made.operands.push_back(form(operand, lane));
    } else {
      result.factors[term.product] = masked(result.factors[term.product] + factor, sum.bits);
    }
  }
  std::stable_sort(result.operations.begin(), result.operations.end(), [](const OperationForm& a, const OperationForm& b) {
    return std::tie(a.product, a.kind, a.factor) < std::tie(b.product, b.kind, b.factor);
  });
  return result;
}

LaneSums::Form LaneSums::form(const Address& address, unsigned lane) const { return {form(address.outer, lane), form(address.inner, lane)}; }

std::optional<std::vector<LaneSums::Steps>> LaneSums::fit_steps(llvm::ArrayRef<unsigned> lanes, const Forms& forms) const {
  const unsigned bits = forms.front()->bits;
  const auto of = [&](std::size_t i) -> const std::vector<std::uint64_t>& { return forms[i]->factors; };
  std::map<unsigned, std::size_t> places;
  for (std::size_t i = 0; i < lanes.size(); ++i) places[lanes[i]] = i;
  std::vector<Steps> result(products_.size(), Steps{});
  // A step along each dimension from two lanes beside each other, the rest from the first lane.
  const std::array<unsigned, 3> next = {1, size_[0], size_[0] * size_[1]};
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      if (ids_[dimension][lanes[i]] + 1 == size_[dimension]) continue;
      const auto other = places.find(lanes[i] + next[dimension]);
      if (other == places.end()) continue;
      for (std::size_t p = 0; p < result.size(); ++p) result[p][dimension + 1] = masked(of(other->second)[p] - of(i)[p], bits);
      break;
    }
  const auto ids = [&](std::size_t i, std::size_t p) {
    std::uint64_t total = 0;
    for (unsigned dimension = 0; dimension < 3; ++dimension) total += result[p][dimension + 1] * ids_[dimension][lanes[i]];
    return total;
  };
  for (std::size_t p = 0; p < result.size(); ++p) result[p][0] = masked(of(0)[p] - ids(0, p), bits);
  for (std::size_t i = 0; i < lanes.size(); ++i)
    for (std::size_t p = 0; p < result.size(); ++p)
      if (masked(result[p][0] + ids(i, p), bits) != of(i)[p]) return std::nullopt;
  return result;
}

std::optional<LaneSums::SumFit> LaneSums::fit(llvm::ArrayRef<unsigned> lanes, const Forms& forms) const {
  const SumForm& first = *forms.front();
  for (const SumForm* form : forms) {
    if (form->bits != first.bits || form->operations.size() != first.operations.size()) return std::nullopt;
    for (std::size_t i = 0; i < first.operations.size(); ++i)
      if (!form->operations[i].is_like(first.operations[i])) return std::nullopt;
  }
  auto steps = fit_steps(lanes, forms);
  if (!steps) return std::nullopt;
  SumFit result{first.bits, std::move(*steps), {}};
  for (std::size_t i = 0; i < first.operations.size(); ++i) {
    const OperationForm& like = first.operations[i];
    OperationFit made{like.kind, like.factor, like.product, {}};
    for (std::size_t operand = 0; operand < like.operands.size(); ++operand) {
      Forms own;
      for (const SumForm* form : forms) own.push_back(&form->operations[i].operands[operand]);
      auto found = fit(lanes, own);
      if (!found) return std::nullopt;
      made.operands.push_back(std::move(*found));
    }
    result.operations.push_back(std::move(made));
  }
  return result;
}

std::optional<LaneSums::Fit> LaneSums::fit(const Kind& kind, llvm::ArrayRef<unsigned> lanes, llvm::ArrayRef<Form> forms) const {
  if (lanes.empty()) return std::nullopt;
  Forms outer, inner;
  for (const Form& form : forms) {
    outer.push_back(&form.outer);
    inner.push_back(&form.inner);
  }
  auto outer_fit = fit(lanes, outer), inner_fit = fit(lanes, inner);
  if (!outer_fit || !inner_fit) return std::nullopt;
  return Fit{kind, std::move(*outer_fit), std::move(*inner_fit)};
}

LaneSums::SumForm LaneSums::form(const SumFit& fit, unsigned lane) const {
  SumForm result{fit.bits, {}, {}};
  for (const Steps& steps : fit.steps) {
    std::uint64_t factor = steps[0];
    for (unsigned dimension = 0; dimension < 3; ++dimension) factor += steps[dimension + 1] * ids_[dimension][lane];
    result.factors.push_back(masked(factor, fit.bits));
  }
  return result;
}

std::optional<std::pair<std::int64_t, std::int64_t>> LaneSums::range(const SumForm& form) const {
  const auto number = [&](std::uint64_t factor) { return llvm::APInt(64, factor).trunc(form.bits).getSExtValue(); };
  if (!form.operations.empty() || form.bits < 32) return std::nullopt;
  std::int64_t low = number(form.factors[0]), high = low;
  for (unsigned p = 1; p < products_.size(); ++p) {
    if (form.factors[p] == 0) continue;
    if (products_[p].size() > 1) return std::nullopt;
    std::int64_t least = 0, most = kIdLimit;
    if (const unsigned symbol = products_[p].front(); symbol < kGroupBase) {
      const AddressKeys::Atom atom = keys_.atom(symbol);
      if (!atom.value) return std::nullopt;
      const llvm::ConstantRange known = llvm::computeConstantRange(atom.value, /*ForSigned=*/true);
      if (!known.getSignedMin().isSignedIntN(32) || !known.getSignedMax().isSignedIntN(32)) return std::nullopt;
      least = known.getSignedMin().getSExtValue(), most = known.getSignedMax().getSExtValue();
    } else if (!ids_fit_31_bits_) {
      return std::nullopt;
    }
    const std::int64_t factor = number(form.factors[p]);
    if (factor != static_cast<std::int32_t>(factor)) return std::nullopt;
    low += std::min(factor * least, factor * most);
    high += std::max(factor * least, factor * most);
    // As numbers of 32 bits have it, whatever the order in which they are added up: what is less stays so in more of them.
    constexpr std::int64_t kLimit = std::int64_t{1} << 31;
    if (low < -kLimit || high >= kLimit) return std::nullopt;
  }
  return std::pair(low, high);
}

bool LaneSums::is_certain(llvm::CmpInst::Predicate predicate, const SumForm& a, const SumForm& b) const {
  const auto left = range(a), right = range(b);
  if (!left || !right) return false;
  switch (predicate) {
    case llvm::CmpInst::ICMP_NE: return left->second < right->first || left->first > right->second;
    case llvm::CmpInst::ICMP_SGT: return left->first > right->second;
    case llvm::CmpInst::ICMP_SGE: return left->first >= right->second;
    case llvm::CmpInst::ICMP_SLT: return left->second < right->first;
    case llvm::CmpInst::ICMP_SLE: return left->second <= right->first;
    default: return false;
  }
}

std::optional<std::int64_t> LaneSums::step(const OperationFit& fit, unsigned dimension) const {
  std::vector<std::int64_t> steps;
  for (const SumFit& operand : fit.operands) {
    const auto own = step(operand, dimension);
    if (!own) return std::nullopt;
    steps.push_back(*own);
  }
  switch (fit.kind.opcode) {
    case Instruction::SExt:
    case Instruction::ZExt: return steps.front();
    // Where no bound is met, all lanes compare alike, a number is what it is bounded to be, and of two sides of which one turns round at a border it is
    // the other.
    case Instruction::ICmp: return 0;
    case Instruction::Call: return steps[0] ? steps[0] : steps[1];
    case Instruction::Select: return steps[1] && steps[2] ? std::max(steps[1], steps[2]) : steps[1] + steps[2];
    case Instruction::URem:
    case Instruction::SRem:
      if (steps[1] == 0) return steps[0];
      [[fallthrough]];
    default:
      if (llvm::any_of(steps, [](std::int64_t own) { return own != 0; })) return std::nullopt;
      return 0;
  }
}

std::optional<std::int64_t> LaneSums::step(const SumFit& fit, unsigned dimension) const {
  for (std::size_t p = 1; p < products_.size(); ++p)
    if (fit.steps[p][dimension + 1]) return std::nullopt;
  std::uint64_t total = fit.steps[0][dimension + 1];
  for (const OperationFit& operation : fit.operations) {
    const auto own = step(operation, dimension);
    if (!own || (*own && operation.product)) return std::nullopt;
    total += operation.factor * static_cast<std::uint64_t>(*own);
  }
  return llvm::APInt(kPointerBits, total).trunc(fit.bits).getSExtValue();
}

std::optional<std::int64_t> LaneSums::step(const Fit& fit, unsigned dimension) const {
  const auto outer = step(fit.outer, dimension);
  const auto inner = fit.kind.inner_bits ? step(fit.inner, dimension) : std::optional<std::int64_t>(0);
  if (!outer || !inner) return std::nullopt;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(*outer) + fit.kind.scale * static_cast<std::uint64_t>(*inner));
}

Value* LaneSums::id(llvm::StringRef prefix, unsigned dimension, unsigned bits) {
  llvm::BasicBlock& entry = item_.getEntryBlock();
  const std::string name = (prefix + llvm::Twine("xyz"[dimension])).str();
  llvm::Instruction* call = nullptr;
  for (Instruction& instruction : entry)
    if (called_name(instruction) == name) call = &instruction;
  if (!call) {
    llvm::IRBuilder<> builder(&entry, entry.getFirstInsertionPt());
    auto* type = llvm::FunctionType::get(prefix == primitive::kGlobalId ? builder.getInt64Ty() : builder.getInt32Ty(), false);
    llvm::FunctionCallee callee = item_.getParent()->getOrInsertFunction(name, type);
    auto* function = llvm::cast<llvm::Function>(callee.getCallee());
    function->setDoesNotAccessMemory();
    function->setDoesNotThrow();
    function->setWillReturn();
    call = builder.CreateCall(callee, {});
  } else if (&*entry.getFirstInsertionPt() != call) {
    call->moveBefore(entry, entry.getFirstInsertionPt());
  }
  llvm::IRBuilder<> builder(call->getNextNode());
  return builder.CreateZExtOrTrunc(call, builder.getIntNTy(bits));
}

Value* LaneSums::emit_symbol(unsigned symbol, unsigned bits, llvm::IRBuilder<>& builder) {
  if (symbol >= kLocalId) return id(primitive::kLocalId, symbol - kLocalId, bits);
  if (symbol >= kGlobalId) return id(primitive::kGlobalId, symbol - kGlobalId, bits);
  const AddressKeys::Atom atom = keys_.atom(symbol);
  if (atom.value) return builder.CreateZExtOrTrunc(const_cast<Value*>(atom.value), builder.getIntNTy(bits));
  Value* inner = emit_terms(Polynomial(atom.inner->terms), atom.inner->bits, builder);
  return builder.CreateIntCast(inner, builder.getIntNTy(bits), atom.is_signed);
}

Value* LaneSums::emit_terms(const Polynomial& terms, unsigned bits, llvm::IRBuilder<>& builder) {
  llvm::Type* type = builder.getIntNTy(bits);
  // What lanes have each their own first, so that addresses that differ by shared numbers have it in common.
  Value* sum = nullptr;
  Value* shared = nullptr;
  for (auto term = terms.rbegin(); term != terms.rend(); ++term) {
    const auto& [product, factor] = *term;
    Value* value = nullptr;
    for (const unsigned symbol : product) {
      Value* own = emit_symbol(symbol, bits, builder);
      value = value ? builder.CreateMul(value, own) : own;
    }
    const bool is_negative = value && masked(~factor + 1, bits) == 1;
    if (!value) value = llvm::ConstantInt::get(type, factor);
    else if (factor != 1 && !is_negative) value = builder.CreateMul(value, llvm::ConstantInt::get(type, factor));
    Value*& total = llvm::any_of(product, [](unsigned symbol) { return symbol >= kGlobalId; }) ? sum : shared;
    if (is_negative) total = total ? builder.CreateSub(total, value) : builder.CreateNeg(value);
    else total = total ? builder.CreateAdd(total, value) : value;
  }
  if (!sum || !shared) return sum ? sum : shared ? shared : llvm::ConstantInt::get(type, 0);
  return builder.CreateAdd(sum, shared);
}

LaneSums::Polynomial LaneSums::polynomial(unsigned product, const Steps& steps) const {
  const auto multiply = [&](const Polynomial& a, const Polynomial& b) {
    Polynomial result;
    for (const auto& [left, factor] : a)
      for (const auto& [right, other] : b) {
        Product both = left;
        both.insert(both.end(), right.begin(), right.end());
        std::sort(both.begin(), both.end());
        result[both] += factor * other;
      }
    return result;
  };
  Polynomial result{{{}, 1}};
  for (const unsigned symbol : products_[product]) {
    const bool is_base = symbol >= kGroupBase;
    const unsigned dimension = symbol - kGroupBase;
    result = multiply(result, is_base ? Polynomial{{{kGlobalId + dimension}, 1}, {{kLocalId + dimension}, ~std::uint64_t{0}}}
                                      : Polynomial{{{symbol}, 1}});
  }
  Polynomial factor{{{}, steps[0]}};
  for (unsigned dimension = 0; dimension < 3; ++dimension) factor[{kLocalId + dimension}] = steps[dimension + 1];
  return multiply(result, factor);
}

Value* LaneSums::emit_operation(const OperationFit& fit, llvm::IRBuilder<>& builder) {
  llvm::SmallVector<Value*, 3> operands;
  for (const SumFit& operand : fit.operands) operands.push_back(emit(operand, builder));
  llvm::Type* type = builder.getIntNTy(fit.kind.bits);
  switch (fit.kind.opcode) {
    case Instruction::SExt:
    case Instruction::ZExt: return builder.CreateIntCast(operands[0], type, fit.kind.opcode == Instruction::SExt);
    case Instruction::ICmp: return builder.CreateICmp(static_cast<llvm::CmpInst::Predicate>(fit.kind.detail), operands[0], operands[1]);
    case Instruction::Select: return builder.CreateSelect(operands[0], operands[1], operands[2]);
    case Instruction::Call: return builder.CreateBinaryIntrinsic(fit.kind.detail, operands[0], operands[1]);
    default: return builder.CreateBinOp(static_cast<Instruction::BinaryOps>(fit.kind.opcode), operands[0], operands[1]);
  }
}

Value* LaneSums::emit(const SumFit& fit, llvm::IRBuilder<>& builder) {
  const auto emit_polynomial = [&](Polynomial terms) {
    for (auto& [symbols, factor] : terms) factor = masked(factor, fit.bits);
    std::erase_if(terms, [](const auto& term) { return term.second == 0; });
    return emit_terms(terms, fit.bits, builder);
  };
  Polynomial total;
  for (unsigned p = 0; p < fit.steps.size(); ++p)
    for (const auto& [symbols, own] : polynomial(p, fit.steps[p])) total[symbols] += own;
  Value* sum = emit_polynomial(std::move(total));
  for (const OperationFit& operation : fit.operations) {
    Value* own = builder.CreateZExtOrTrunc(emit_operation(operation, builder), sum->getType());
    Value* factor = emit_polynomial(polynomial(operation.product, {operation.factor, 0, 0, 0}));
    sum = builder.CreateAdd(builder.CreateMul(own, factor), sum);
  }
  return sum;
}

Value* LaneSums::emit(const Fit& fit, llvm::Type& element, llvm::IRBuilder<>& builder) {
  Value* pointer = const_cast<Value*>(fit.kind.base);
  Value* outer = emit(fit.outer, builder);
  const bool has_outer = !llvm::isa<llvm::ConstantInt>(outer) || !llvm::cast<llvm::ConstantInt>(outer)->isZero();
  if (fit.kind.inner_bits) {
    Value* inner = emit(fit.inner, builder);
    inner = builder.CreateIntCast(inner, builder.getInt64Ty(), fit.kind.is_signed);
    const std::uint64_t size = item_.getParent()->getDataLayout().getTypeAllocSize(&element);
    if (fit.kind.scale == size) pointer = builder.CreateGEP(&element, pointer, inner);
    else pointer = builder.CreatePtrAdd(pointer, builder.CreateMul(inner, builder.getInt64(fit.kind.scale)));
  }
  return has_outer ? builder.CreatePtrAdd(pointer, outer) : pointer;
}

}  // namespace weft::compiler::simt
