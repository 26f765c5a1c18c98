#include "compiler/wide/ternary_logic.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include <array>
#include <cstdint>
#include <optional>

namespace weft::compiler::wide {
namespace {

using llvm::BasicBlock;
using llvm::BinaryOperator;
using llvm::Instruction;
using llvm::Value;

constexpr unsigned kInputs = 3;
/// Of `vpternlog`'s table: the value of each input where bit i of the table is chosen.
constexpr std::array<std::uint8_t, kInputs> kColumns = {0xf0, 0xcc, 0xaa};
/// Sets of inputs that are kept for each value, those of the nearest values first, and operations that one of them may be apart.
constexpr unsigned kMostCuts = 24, kMostOperations = 16;
/// Operations from which on one instruction takes the place of at least two.
constexpr unsigned kLeastJoined = 3;

/// Of an operation that each of them takes in.
constexpr unsigned kMostLogicUsers = 4;

constexpr unsigned kRegisterBits = 512;

/// Values that another is a function of, none twice.
using Cut = llvm::SmallVector<Value*, kInputs>;

bool is_complement(const Value& value) { return llvm::PatternMatch::match(&value, llvm::PatternMatch::m_Not(llvm::PatternMatch::m_Value())); }

/// Whether there are registers that hold `type` and nothing else.
bool fills_registers(const llvm::Type& type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type);
  if (!vector || !vector->getElementType()->isIntegerTy()) return false;
  const unsigned element = vector->getScalarSizeInBits();
  if (element != 8 && element != 16 && element != 32 && element != 64) return false;
  const unsigned bits = element * vector->getNumElements();
  return bits == 128 || bits == 256 || (bits && bits % kRegisterBits == 0);
}

/// An operation that may be a part of a function, and is no rotate that LLVM has yet to find.
BinaryOperator* as_logic(Value* value, const BasicBlock& block) {
  auto* operation = llvm::dyn_cast<BinaryOperator>(value);
  if (!operation || operation->getParent() != &block || !operation->isBitwiseLogicOp() || !fills_registers(*operation->getType())) return nullptr;
  if (llvm::all_of(operation->operands(), [](const Value* operand) {
        const auto* shift = llvm::dyn_cast<BinaryOperator>(operand);
        return shift && shift->isShift();
      }))
    return nullptr;
  return operation;
}

/// The join of two sets; none if that has more values than there are inputs.
std::optional<Cut> join(const Cut& one, const Cut& other) {
  Cut result = one;
  for (Value* value : other)
    if (!llvm::is_contained(result, value)) result.push_back(value);
  return result.size() <= kInputs ? std::optional(std::move(result)) : std::nullopt;
}

class TernaryLogic {
 public:
  explicit TernaryLogic(BasicBlock& block) : block_(block) {}

  void run() {
    for (Instruction& instruction : block_)
      if (BinaryOperator* operation = as_logic(&instruction, block_)) find_cuts(*operation);
    // From the last: what one takes in is not asked any more.
    llvm::SmallVector<BinaryOperator*, 32> roots;
    for (Instruction& instruction : llvm::reverse(block_))
      if (BinaryOperator* operation = as_logic(&instruction, block_)) roots.push_back(operation);
    for (BinaryOperator* root : roots)
      if (!joined_.contains(root)) join_at(*root);
    roots.clear();
    for (Instruction& instruction : block_)
      if (BinaryOperator* operation = as_logic(&instruction, block_)) roots.push_back(operation);
    joined_.clear();
    for (BinaryOperator* shared : roots)
      if (!joined_.contains(shared)) join_shared(*shared);
  }

 private:
  /// The sets of at most three values of this block or others that `operation` is a function of. (For those of k inputs: enumeration from the operands,
  /// as circuits are mapped to tables.)
  void find_cuts(BinaryOperator& operation) {
    llvm::SmallVector<Cut, kMostCuts> result;
    const auto cuts_of = [&](Value* operand) -> llvm::SmallVector<Cut, kMostCuts> {
      // All ones, which a complement is made with, is part of the table.
      if (llvm::PatternMatch::match(operand, llvm::PatternMatch::m_AllOnes())) return {Cut{}};
      llvm::SmallVector<Cut, kMostCuts> all = {Cut{operand}};
      if (const auto known = cuts_.find(operand); known != cuts_.end()) all.append(known->second);
      return all;
    };
    const auto left = cuts_of(operation.getOperand(0)), right = cuts_of(operation.getOperand(1));
    for (std::size_t apart = 0; apart + 1 < left.size() + right.size(); ++apart)
      for (std::size_t i = apart < right.size() ? 0 : apart - right.size() + 1; i <= apart && i < left.size(); ++i) {
        auto both = join(left[i], right[apart - i]);
        if (!both || both->empty() || result.size() == kMostCuts) continue;
        const bool is_known = llvm::any_of(result, [&](const Cut& known) {
          return known.size() == both->size() && llvm::all_of(known, [&](Value* value) { return llvm::is_contained(*both, value); });
        });
        if (!is_known) result.push_back(std::move(*both));
      }
    cuts_[&operation] = std::move(result);
  }

  /// The operations between `root`, which comes first, and `cut`; none if they are too many.
  static llvm::SmallSetVector<BinaryOperator*, 16> operations_between(BinaryOperator& root, const Cut& cut, const BasicBlock& block) {
    llvm::SmallSetVector<BinaryOperator*, 16> result;
    result.insert(&root);
    for (unsigned i = 0; i < result.size(); ++i) {
      if (result.size() > kMostOperations) return {};
      for (Value* operand : result[i]->operands())
        if (!llvm::is_contained(cut, operand))
          if (BinaryOperator* operation = as_logic(operand, block)) result.insert(operation);
    }
    return result;
  }

  /// Those of `operations` that nothing else uses, once the first, the root, is made in one.
  static llvm::SmallPtrSet<const BinaryOperator*, 16> only_used_here(const llvm::SmallSetVector<BinaryOperator*, 16>& operations) {
    llvm::SmallPtrSet<const BinaryOperator*, 16> result;
    if (operations.empty()) return result;
    result.insert(operations.front());
    for (bool changed = true; changed;) {
      changed = false;
      for (const BinaryOperator* operation : operations)
        if (!result.contains(operation) &&
            llvm::all_of(operation->users(), [&](const llvm::User* user) { return result.contains(llvm::dyn_cast<BinaryOperator>(user)); }))
          changed = result.insert(operation).second;
    }
    return result;
  }

  using Tables = llvm::DenseMap<const Value*, std::uint8_t>;
  /// The truth table of `value` by the values whose tables are in `known`.
  static std::uint8_t table_of(const Value& value, Tables& known) {
    if (const auto found = known.find(&value); found != known.end()) return found->second;
    if (llvm::isa<llvm::Constant>(value)) return 0xff;  // all ones: no other is left out of a set
    const auto& operation = llvm::cast<BinaryOperator>(value);
    const std::uint8_t left = table_of(*operation.getOperand(0), known), right = table_of(*operation.getOperand(1), known);
    const auto result = static_cast<std::uint8_t>(operation.getOpcode() == Instruction::And  ? left & right
                                                  : operation.getOpcode() == Instruction::Or ? left | right
                                                                                             : left ^ right);
    known[&value] = result;
    return result;
  }

  static bool may_be_masked(const Value& value) {
    return llvm::any_of(value.users(), [](const llvm::User* user) {
      if (llvm::isa<llvm::SelectInst>(user)) return true;
      return llvm::isa<llvm::BitCastInst, llvm::ShuffleVectorInst>(user) && may_be_masked(*user);
    });
  }

  void join_at(BinaryOperator& root) {
    const auto cuts = cuts_.find(&root);
    if (cuts == cuts_.end() || may_be_masked(root)) return;
    const Cut* best = nullptr;
    unsigned most = kLeastJoined - 1;
    for (const Cut& cut : cuts->second) {
      const auto joined = only_used_here(operations_between(root, cut, block_));
      const auto count = static_cast<unsigned>(llvm::count_if(joined, [](const BinaryOperator* operation) { return !is_complement(*operation); }));
      if (count <= most) continue;
      best = &cut;
      most = count;
    }
    if (!best) return;
    llvm::IRBuilder<> builder(&root);
    for (const BinaryOperator* operation : only_used_here(operations_between(root, *best, block_))) joined_.insert(operation);
    Tables known;
    for (const auto [i, value] : llvm::enumerate(*best)) known[value] = kColumns[i];
    root.replaceAllUsesWith(compute(*best, table_of(root, known), *root.getType(), builder));
    llvm::RecursivelyDeleteTriviallyDeadInstructions(&root);  // those of `joined_`
  }

  /// Whether one of LLVM's instructions has `value` beside another operation of two values.
  static bool is_joined_by_llvm(Value& value, const BasicBlock& block) {
    return value.hasOneUse() && as_logic(&value, block) && !is_complement(value);
  }

  /// Where all that use an operation of two values are such themselves, each takes it in: nobody computes it, as the sum that MD5 keeps from one
  /// step to the next.
  void join_shared(BinaryOperator& shared) {
    if (is_complement(shared) || shared.hasNUsesOrMore(kMostLogicUsers + 1) || !shared.hasNUsesOrMore(2)) return;
    const auto operands_stay = [&](BinaryOperator& operation) {
      return llvm::none_of(operation.operands(), [&](Value* operand) {
        return llvm::isa<llvm::Constant>(operand) || is_complement(*operand) || is_joined_by_llvm(*operand, block_);
      });
    };
    if (!operands_stay(shared)) return;
    llvm::SmallVector<BinaryOperator*, kMostLogicUsers> users;
    for (llvm::User* user : shared.users()) {
      BinaryOperator* operation = as_logic(user, block_);
      if (!operation || operation->getOperand(0) == operation->getOperand(1) || !operands_stay(*operation) || may_be_masked(*operation)) return;
      if (operation->hasOneUse() && as_logic(operation->user_back(), block_)) return;
      users.push_back(operation);
    }
    for (BinaryOperator* user : users) {
      const auto cut = join({shared.getOperand(0), shared.getOperand(1)}, {user->getOperand(user->getOperand(0) == &shared ? 1 : 0)});
      if (!cut) return;
      llvm::IRBuilder<> builder(user);
      Tables known;
      for (const auto [i, value] : llvm::enumerate(*cut)) known[value] = kColumns[i];
      user->replaceAllUsesWith(compute(*cut, table_of(*user, known), *user->getType(), builder));
      joined_.insert(user);
      user->eraseFromParent();
    }
    shared.eraseFromParent();
  }

  /// The function of `table` of `cut`, register by register.
  static Value* compute(const Cut& cut, std::uint8_t table, llvm::Type& type, llvm::IRBuilder<>& builder) {
    const unsigned bits = static_cast<unsigned>(type.getPrimitiveSizeInBits().getFixedValue());
    const unsigned part = std::min(bits, kRegisterBits), count = bits / part;
    const unsigned element = type.getScalarSizeInBits() == 64 ? 64 : 32;
    const unsigned lanes = part / element;
    auto* whole = llvm::FixedVectorType::get(builder.getIntNTy(element), bits / element);
    const std::array<llvm::Intrinsic::ID, 3> doubles = {llvm::Intrinsic::x86_avx512_pternlog_d_128, llvm::Intrinsic::x86_avx512_pternlog_d_256,
                                                        llvm::Intrinsic::x86_avx512_pternlog_d_512};
    const std::array<llvm::Intrinsic::ID, 3> quads = {llvm::Intrinsic::x86_avx512_pternlog_q_128, llvm::Intrinsic::x86_avx512_pternlog_q_256,
                                                      llvm::Intrinsic::x86_avx512_pternlog_q_512};
    const unsigned width = part == 128 ? 0 : part == 256 ? 1 : 2;
    llvm::SmallVector<Value*, kInputs> inputs;
    for (Value* value : cut) inputs.push_back(builder.CreateBitCast(value, whole));
    while (inputs.size() < kInputs) inputs.push_back(inputs.front());
    llvm::SmallVector<Value*, 8> parts;
    for (unsigned i = 0; i < count; ++i) {
      llvm::SmallVector<Value*, kInputs + 1> operands;
      for (Value* input : inputs)
        operands.push_back(count == 1 ? input : builder.CreateShuffleVector(input, llvm::createSequentialMask(i * lanes, lanes, 0)));
      operands.push_back(builder.getInt32(table));
      parts.push_back(builder.CreateIntrinsic((element == 64 ? quads : doubles)[width], {}, operands));
    }
    return builder.CreateBitCast(llvm::concatenateVectors(builder, parts), &type);
  }

  BasicBlock& block_;
  llvm::DenseMap<const Value*, llvm::SmallVector<Cut, kMostCuts>> cuts_;
  llvm::SmallPtrSet<const BinaryOperator*, 32> joined_;  ///< no longer there
};

}  // namespace

void join_ternary_logic(llvm::Function& function) {
  for (BasicBlock& block : function) TernaryLogic(block).run();
}

}  // namespace weft::compiler::wide
