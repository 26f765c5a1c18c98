#include "compiler/simt/item/recombined_indices.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>

#include <cstdint>

#include "compiler/simt/analysis/address_key.h"
#include "compiler/simt/ir/divisions.h"

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::Value;

/// Instructions of one sum.
constexpr unsigned kMostParts = 64;

/// Of which a sum is made, within one type of integers.
bool is_part(const Value& value) {
  const auto* instruction = llvm::dyn_cast<Instruction>(&value);
  if (!instruction || !instruction->getType()->isIntegerTy()) return false;
  switch (instruction->getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul: return true;
    case Instruction::Shl: return llvm::isa<llvm::ConstantInt>(instruction->getOperand(1));
    case Instruction::Or: return llvm::cast<llvm::PossiblyDisjointInst>(instruction)->isDisjoint();
    default: return false;
  }
}

/// A place in memory or a sum, with what it is made of.
struct Root {
  explicit Root(Instruction& instruction) : instruction(&instruction) {
    llvm::SmallSetVector<const Value*, 16> parts;
    parts.insert(&instruction);
    for (unsigned i = 0; i < parts.size() && parts.size() < kMostParts; ++i) {
      const auto* part = llvm::dyn_cast<Instruction>(parts[i]);
      if (!part) continue;
      if (as_division(*part)) {
        add_division(*part);
        continue;
      }
      if (const auto* place = llvm::dyn_cast<llvm::GetElementPtrInst>(part)) {
        in_bounds &= place->isInBounds();
        parts.insert(place->op_begin(), place->op_end());
      } else if (is_part(*part)) {
        const auto* flags = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(part);
        no_signed_wrap &= flags && flags->hasNoSignedWrap();
        no_unsigned_wrap &= flags && flags->hasNoUnsignedWrap();
        parts.insert(part->op_begin(), part->op_end());
      } else if (llvm::isa<llvm::TruncInst>(part)) {
        no_signed_wrap = no_unsigned_wrap = false;
        parts.insert(part->getOperand(0));
      } else if ((llvm::isa<llvm::SExtInst>(part) || llvm::isa<llvm::ZExtInst>(part)) && as_division(*part->getOperand(0))) {
        add_division(*llvm::cast<Instruction>(part->getOperand(0)));
      }
    }
    if (parts.size() >= kMostParts) no_signed_wrap = no_unsigned_wrap = false;
  }

  Instruction* instruction;
  bool has_division = false, in_bounds = true;
  bool no_signed_wrap = true, no_unsigned_wrap = true;  ///< nowhere in the sum

 private:
  void add_division(const Instruction& division) {
    has_division = true;
    // What is divided becomes part of the sum, where it wraps around, too.
    const Value* number = &division;
    while (as_division(*number) || llvm::isa<llvm::TruncInst>(number)) number = llvm::cast<Instruction>(number)->getOperand(0);
    if (is_part(*number)) no_signed_wrap = no_unsigned_wrap = false;
  }
};

bool is_root(const Instruction& instruction) {
  if (llvm::isa<llvm::GetElementPtrInst>(instruction)) {
    const auto is_other = [](const llvm::User* user) { return !llvm::isa<llvm::GetElementPtrInst>(user); };
    return instruction.getType()->isPointerTy() && llvm::any_of(instruction.users(), is_other);
  }
  if (!is_part(instruction) || instruction.getOpcode() == Instruction::Shl || instruction.getOpcode() == Instruction::Mul) return false;
  return llvm::any_of(instruction.users(), [](const llvm::User* user) { return !is_part(*user); });
}

/// Writes a sum again, in front of an instruction that had it.
class Writer {
 public:
  Writer(const AddressKeys& keys, Instruction& before) : keys_(keys), builder_(&before) {}

  static bool has_quotient(const AddressKeys& keys, const AddressKeys::Sum& sum) {
    return sum.is_too_long || llvm::any_of(sum.terms, [&](const auto& term) {
             return llvm::any_of(term.first, [&](unsigned number) {
               const AddressKeys::Atom atom = keys.atom(number);
               return !atom.value && (!atom.inner || has_quotient(keys, *atom.inner));
             });
           });
  }

  Value* write(const AddressKeys::Sum& sum) {
    auto* type = builder_.getIntNTy(sum.bits);
    llvm::SmallVector<Value*, 8> terms;
    for (const auto& [product, factor] : sum.terms) {
      Value* term = nullptr;
      for (const unsigned number : product) {
        Value* own = write(keys_.atom(number), sum.bits);
        term = term ? builder_.CreateMul(term, own) : own;
      }
      auto* own = llvm::ConstantInt::get(type, llvm::APInt(64, factor).trunc(sum.bits));
      terms.push_back(!term ? own : own->isOneValue() ? term : builder_.CreateMul(term, own));
    }
    if (terms.empty()) return llvm::Constant::getNullValue(type);
    // Constants last, as LLVM has them: the product of nothing is the first.
    std::rotate(terms.begin(), terms.begin() + (llvm::isa<llvm::ConstantInt>(terms.front()) ? 1 : 0), terms.end());
    Value* all = terms.front();
    for (Value* term : llvm::drop_begin(terms)) all = builder_.CreateAdd(all, term);
    return all;
  }

  /// The pointer of `sum` is taken out of it; null if there is not one.
  static Value* take_pointer(const AddressKeys& keys, AddressKeys::Sum& sum) {
    Value* pointer = nullptr;
    AddressKeys::Product found;
    for (const auto& [product, factor] : sum.terms)
      for (const unsigned number : product) {
        const AddressKeys::Atom atom = keys.atom(number);
        if (!atom.value || !atom.value->getType()->isPointerTy()) continue;
        if (pointer || product.size() != 1 || factor != 1) return nullptr;
        pointer = const_cast<Value*>(atom.value);
        found = product;
      }
    sum.terms.erase(found);
    return pointer;
  }

  Value* write_place(AddressKeys::Sum offset, Value& pointer, llvm::Type* element, std::uint64_t size, bool in_bounds) {
    const bool whole = size && llvm::all_of(offset.terms, [&](const auto& term) {
      return static_cast<std::int64_t>(term.second) % static_cast<std::int64_t>(size) == 0;
    });
    if (whole)
      for (auto& [product, factor] : offset.terms) factor = static_cast<std::uint64_t>(static_cast<std::int64_t>(factor) / static_cast<std::int64_t>(size));
    return builder_.CreateGEP(whole ? element : builder_.getInt8Ty(), &pointer, write(offset), "",
                              in_bounds ? llvm::GEPNoWrapFlags::inBounds() : llvm::GEPNoWrapFlags::none());
  }

 private:
  Value* write(const AddressKeys::Atom& atom, unsigned bits) {
    auto* type = builder_.getIntNTy(bits);
    if (atom.value) return builder_.CreateZExtOrTrunc(const_cast<Value*>(atom.value), type);
    return builder_.CreateIntCast(write(*atom.inner), type, atom.is_signed);
  }

  const AddressKeys& keys_;
  llvm::IRBuilder<> builder_;
};

/// `value` in place of `root`, with the flags that are known: where a number and a constant make what many numbers made.
void replace(const Root& root, Value& value) {
  auto* sum = value.use_empty() ? llvm::dyn_cast<llvm::BinaryOperator>(&value) : nullptr;  // not one of the program's
  const auto* constant = sum && sum->getOpcode() == Instruction::Add ? llvm::dyn_cast<llvm::ConstantInt>(sum->getOperand(1)) : nullptr;
  if (constant && !is_part(*sum->getOperand(0))) {
    sum->setHasNoSignedWrap(root.no_signed_wrap);
    sum->setHasNoUnsignedWrap(root.no_unsigned_wrap && !constant->isNegative());
  }
  if (auto* instruction = llvm::dyn_cast<Instruction>(&value); instruction && !instruction->hasName()) instruction->takeName(root.instruction);
  root.instruction->replaceAllUsesWith(&value);
}

/// Whether `sum`, of `root`, is `root` itself, being too long.
bool is_atom(const Instruction& root, const AddressKeys::Sum& sum, const AddressKeys& keys) {
  if (sum.terms.size() != 1) return false;
  const AddressKeys::Product& product = sum.terms.begin()->first;
  return product.size() == 1 && keys.atom(product.front()).value == &root;
}

}  // namespace

bool recombine_indices(llvm::Function& item) {
  if (llvm::none_of(llvm::instructions(item), as_division)) return false;
  llvm::SmallVector<Root, 16> roots;
  for (Instruction& instruction : llvm::instructions(item))
    if (is_root(instruction))
      if (const Root root(instruction); root.has_division) roots.push_back(root);
  AddressKeys keys({}, AddressKeys::Divisions::kSums);
  llvm::SmallVector<std::pair<Root, Value*>, 16> written;
  for (const Root& root : roots) {
    AddressKeys::Sum sum = keys.sum(*root.instruction);
    if (Writer::has_quotient(keys, sum) || is_atom(*root.instruction, sum, keys)) continue;
    Writer writer(keys, *root.instruction);
    Value* value = nullptr;
    if (const auto* place = llvm::dyn_cast<llvm::GetElementPtrInst>(root.instruction)) {
      Value* pointer = Writer::take_pointer(keys, sum);
      if (!pointer || pointer->getType() != place->getType()) continue;
      llvm::Type* element = place->getResultElementType();
      const llvm::TypeSize size = element->isSized() ? item.getDataLayout().getTypeAllocSize(element) : llvm::TypeSize::getFixed(0);
      value = writer.write_place(std::move(sum), *pointer, element, size.isScalable() ? 0 : size.getFixedValue(), root.in_bounds);
    } else {
      value = writer.write(sum);
    }
    written.emplace_back(root, value);
  }
  llvm::SmallVector<llvm::WeakTrackingVH, 16> replaced;
  for (const auto& [root, value] : written) {
    replace(root, *value);
    replaced.emplace_back(root.instruction);
  }
  llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(replaced);
  return !written.empty();
}

}  // namespace weft::compiler::simt
