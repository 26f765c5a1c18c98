#include "compiler/simt/item/near_indices.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "compiler/simt/analysis/address_key.h"
#include "compiler/simt/analysis/buffer_places.h"

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::Value;

constexpr unsigned kIndexBits = 32;
/// Elements between two of them: far less than what an index that has wrapped around is away from the other.
constexpr std::int64_t kMostApart = 1 << 16;

/// factor * extended(sum + constant)
struct Index {
  AddressKeys::Key sum;  ///< and the factor
  std::int64_t constant, factor;
};

std::optional<Index> index_of(const Instruction& instruction, AddressKeys& keys) {
  const unsigned opcode = instruction.getOpcode();
  if ((opcode != Instruction::SExt && opcode != Instruction::AShr) || !instruction.getType()->isIntegerTy(64)) return std::nullopt;
  const AddressKeys::Sum& whole = keys.sum(instruction);
  if (whole.is_too_long || whole.terms.size() != 1 || whole.terms.begin()->first.size() != 1) return std::nullopt;
  const AddressKeys::Atom atom = keys.atom(whole.terms.begin()->first.front());
  if (!atom.inner || !atom.is_signed || atom.inner->bits != kIndexBits || atom.inner->is_too_long) return std::nullopt;
  AddressKeys::Sum rest = *atom.inner;
  const std::int64_t constant = AddressKeys::take_constant(rest);
  const auto factor = static_cast<std::int64_t>(whole.terms.begin()->second);
  return Index{AddressKeys::name(rest) + "*" + std::to_string(factor), constant, factor};
}

/// Whether a place that follows from `value` is accessed in `block`.
bool is_accessed_in(const Value& value, const llvm::BasicBlock& block) {
  return llvm::any_of(value.users(), [&](const llvm::User* user) {
    if (llvm::getLoadStorePointerOperand(user) == &value) return llvm::cast<Instruction>(user)->getParent() == &block;
    return llvm::isa<llvm::GetElementPtrInst>(user) && is_accessed_in(*user, block);
  });
}

/// Makes places that follow from `index` such from `first` and a constant: places from the sum of both would not be known as places in a buffer.
void replace(Instruction& index, Value& first, std::int64_t apart) {
  for (llvm::User* user : llvm::make_early_inc_range(index.users())) {
    auto* place = llvm::cast<llvm::GetElementPtrInst>(user);
    llvm::IRBuilder<> builder(place);
    const std::uint64_t bytes = place->getDataLayout().getTypeAllocSize(place->getSourceElementType());
    Value* base = builder.CreateGEP(place->getSourceElementType(), place->getPointerOperand(), &first);
    place->replaceAllUsesWith(builder.CreateConstGEP1_64(builder.getInt8Ty(), base, static_cast<std::uint64_t>(apart) * bytes));
    place->eraseFromParent();
  }
  index.eraseFromParent();
}

bool is_one_index(const llvm::User& user) { return llvm::cast<llvm::GetElementPtrInst>(user).getNumIndices() == 1; }

}  // namespace

bool join_near_indices(llvm::Function& item) {
  struct First {
    Instruction* instruction;
    std::int64_t constant;
  };
  AddressKeys keys;
  const llvm::DominatorTree dominators(item);
  std::map<AddressKeys::Key, std::vector<First>> firsts;
  struct Joined {
    Instruction *index, *first;
    std::int64_t apart;
  };
  std::vector<Joined> joined;
  for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&item))
    for (Instruction& instruction : *block) {
      const std::optional<Index> index = index_of(instruction, keys);
      if (!index || !is_place_in_buffer(instruction) || !is_accessed_in(instruction, *block) ||
          !llvm::all_of(instruction.users(), [](const llvm::User* user) { return is_one_index(*user); }))
        continue;
      std::vector<First>& known = firsts[index->sum];
      const auto near = llvm::find_if(known, [&](const First& first) {
        return std::abs(index->constant - first.constant) <= kMostApart && dominators.dominates(first.instruction, &instruction);
      });
      if (near == known.end()) {
        known.push_back({&instruction, index->constant});
        continue;
      }
      joined.push_back({&instruction, near->instruction, (index->constant - near->constant) * index->factor});
    }
  // Behind all questions, which are about the program as it was.
  for (const Joined& each : joined) replace(*each.index, *each.first, each.apart);
  return !joined.empty();
}

}  // namespace weft::compiler::simt
