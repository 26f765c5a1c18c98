#include "compiler/simt/analysis/lane_sums.h"

#include <llvm/ADT/APInt.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>

#include "compiler/simt/ir/primitives.h"

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::Value;

constexpr unsigned kPointerBits = 64;
constexpr unsigned kDeepestSum = 16;
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
      keys_([&values](const Value& value) {
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
  if (!expand(inner, terms) || llvm::any_of(terms, [](const Term& term) { return term.product != 0; })) return nullptr;
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
  for (const unsigned number : product) {
    const AddressKeys::Atom atom = keys_.atom(number);
    const LaneValues::Lanes* lanes = nullptr;
    if (!atom.value) {
      if (!is_shared(*atom.inner)) lanes = lanes_of(AddressKeys::Sum(*atom.inner), atom.is_signed);
      if (!lanes && !is_shared(*atom.inner)) return false;
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
      if (!lanes && !is_shared(*atom.value)) return false;
    }
    for (Part& part : parts) {
      if (lanes) part.lanes.push_back(lanes);
      else part.shared.push_back(number);
    }
  }
  for (Part& part : parts) terms.push_back({factor, std::move(part.lanes), product_number(std::move(part.shared))});
  return true;
}

bool LaneSums::expand(const AddressKeys::Sum& sum, std::vector<Term>& terms) {
  return llvm::all_of(sum.terms, [&](const auto& term) { return expand_product(term.first, term.second, terms); });
}

std::optional<LaneSums::Address> LaneSums::address(const Value& pointer) {
  const AddressKeys::Sum& sum = keys_.sum(pointer);
  Address result;
  for (const auto& [product, factor] : sum.terms) {
    const AddressKeys::Atom first = product.empty() ? AddressKeys::Atom{} : keys_.atom(product.front());
    if (first.value && first.value->getType()->isPointerTy()) {
      if (product.size() > 1 || factor != 1 || result.kind.base || !is_shared(*first.value)) return std::nullopt;
      result.kind.base = first.value;
      continue;
    }
    if (expand_product(product, factor, result.outer)) continue;
    if (product.size() > 1 || !first.inner || result.kind.inner_bits) return std::nullopt;
    result.kind.inner_bits = first.inner->bits;
    result.kind.is_signed = first.is_signed;
    result.kind.scale = factor;
    if (!expand(AddressKeys::Sum(*first.inner), result.inner)) return std::nullopt;
  }
  if (!result.kind.base) return std::nullopt;
  return result;
}

std::vector<std::uint64_t> LaneSums::factors(llvm::ArrayRef<Term> terms, unsigned bits, unsigned lane) const {
  std::vector<std::uint64_t> result(products_.size(), 0);
  for (const Term& term : terms) {
    std::uint64_t factor = term.factor;
    for (const LaneValues::Lanes* lanes : term.lanes) factor *= (*lanes)[lane];
    result[term.product] = masked(result[term.product] + factor, bits);
  }
  return result;
}

LaneSums::Form LaneSums::form(const Address& address, unsigned lane) const {
  return {factors(address.outer, kPointerBits, lane), factors(address.inner, address.kind.inner_bits, lane)};
}

std::optional<std::vector<LaneSums::Steps>> LaneSums::fit_steps(llvm::ArrayRef<unsigned> lanes, llvm::ArrayRef<Form> forms, bool outer,
                                                                unsigned bits) const {
  const auto of = [&](std::size_t i) -> const std::vector<std::uint64_t>& { return outer ? forms[i].outer : forms[i].inner; };
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

std::optional<LaneSums::Fit> LaneSums::fit(const Kind& kind, llvm::ArrayRef<unsigned> lanes, llvm::ArrayRef<Form> forms) const {
  if (lanes.empty()) return std::nullopt;
  auto outer = fit_steps(lanes, forms, true, kPointerBits);
  auto inner = fit_steps(lanes, forms, false, kind.inner_bits);
  if (!outer || !inner) return std::nullopt;
  return Fit{kind, std::move(*outer), std::move(*inner)};
}

std::optional<std::int64_t> LaneSums::step(const Fit& fit, unsigned dimension) const {
  for (std::size_t p = 1; p < products_.size(); ++p)
    if (fit.outer[p][dimension + 1] || fit.inner[p][dimension + 1]) return std::nullopt;
  std::int64_t inner = 0;
  if (fit.kind.inner_bits) inner = llvm::APInt(64, fit.inner[0][dimension + 1]).trunc(fit.kind.inner_bits).getSExtValue();
  return static_cast<std::int64_t>(fit.outer[0][dimension + 1] + fit.kind.scale * static_cast<std::uint64_t>(inner));
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

Value* LaneSums::emit_sum(llvm::ArrayRef<Steps> steps, unsigned bits, llvm::IRBuilder<>& builder) {
  const auto multiply = [&](const Polynomial& a, const Polynomial& b) {
    Polynomial result;
    for (const auto& [left, factor] : a)
      for (const auto& [right, other] : b) {
        Product product = left;
        product.insert(product.end(), right.begin(), right.end());
        std::sort(product.begin(), product.end());
        result[product] += factor * other;
      }
    return result;
  };
  Polynomial total;
  for (std::size_t p = 0; p < steps.size(); ++p) {
    Polynomial product{{{}, 1}};
    for (const unsigned symbol : products_[p]) {
      const bool is_base = symbol >= kGroupBase;
      const unsigned dimension = symbol - kGroupBase;
      product = multiply(product, is_base ? Polynomial{{{kGlobalId + dimension}, 1}, {{kLocalId + dimension}, ~std::uint64_t{0}}}
                                          : Polynomial{{{symbol}, 1}});
    }
    Polynomial factor{{{}, steps[p][0]}};
    for (unsigned dimension = 0; dimension < 3; ++dimension) factor[{kLocalId + dimension}] = steps[p][dimension + 1];
    for (const auto& [symbols, own] : multiply(product, factor)) total[symbols] += own;
  }
  for (auto& [symbols, factor] : total) factor = masked(factor, bits);
  std::erase_if(total, [](const auto& term) { return term.second == 0; });
  return emit_terms(total, bits, builder);
}

Value* LaneSums::emit(const Fit& fit, llvm::Type& element, llvm::IRBuilder<>& builder) {
  Value* pointer = const_cast<Value*>(fit.kind.base);
  Value* outer = emit_sum(fit.outer, kPointerBits, builder);
  const bool has_outer = !llvm::isa<llvm::ConstantInt>(outer) || !llvm::cast<llvm::ConstantInt>(outer)->isZero();
  if (fit.kind.inner_bits) {
    Value* inner = emit_sum(fit.inner, fit.kind.inner_bits, builder);
    inner = builder.CreateIntCast(inner, builder.getInt64Ty(), fit.kind.is_signed);
    const std::uint64_t size = item_.getParent()->getDataLayout().getTypeAllocSize(&element);
    if (fit.kind.scale == size) pointer = builder.CreateGEP(&element, pointer, inner);
    else pointer = builder.CreatePtrAdd(pointer, builder.CreateMul(inner, builder.getInt64(fit.kind.scale)));
  }
  return has_outer ? builder.CreatePtrAdd(pointer, outer) : pointer;
}

}  // namespace weft::compiler::simt
