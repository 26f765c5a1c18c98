#include "compiler/wide/decided_masks.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

namespace weft::compiler::wide {
namespace {

using llvm::Constant;
using llvm::Instruction;
using llvm::Value;
using namespace llvm::PatternMatch;

/// What follows from one side of one branch: more is hardly a mask.
constexpr unsigned kMostFacts = 256;
/// Of a value that more read, as a group's number, nobody asks what follows.
constexpr unsigned kMostUsers = 64;

/// The values that are known where a branch has taken a side, each with what it is there.
class Facts {
 public:
  explicit Facts(const llvm::DataLayout& layout) : layout_(layout) {}

  /// `value` is `constant`, and so are what it follows from and what follows from it.
  void learn(Value& value, Constant& constant) {
    if (llvm::isa<Constant>(value) || facts_.size() >= kMostFacts || !facts_.insert({&value, &constant}).second) return;
    learn_operands(value, constant);
    if (value.hasNUsesOrMore(kMostUsers)) return;
    for (llvm::User* user : value.users())
      if (auto* instruction = llvm::dyn_cast<Instruction>(user)) learn_result(*instruction);
  }

  [[nodiscard]] const llvm::MapVector<Value*, Constant*>& all() const { return facts_; }

 private:
  void learn_operands(Value& value, Constant& constant) {
    Value *one, *other;
    llvm::CmpInst::Predicate predicate;
    if (value.getType()->isIntegerTy(1)) {
      const bool is_true = constant.isOneValue();
      if (is_true ? match(&value, m_LogicalAnd(m_Value(one), m_Value(other))) : match(&value, m_LogicalOr(m_Value(one), m_Value(other)))) {
        learn(*one, constant);
        learn(*other, constant);
      } else if (match(&value, m_Not(m_Value(one)))) {
        learn(*one, *llvm::ConstantInt::getBool(value.getType(), !is_true));
      } else if (match(&value, m_ICmp(predicate, m_Value(one), m_Value(other)))) {
        learn_likewise(*one, *other, predicate, is_true);
        auto* number = llvm::dyn_cast<llvm::ConstantInt>(other);
        if (number && predicate == (is_true ? llvm::CmpInst::ICMP_EQ : llvm::CmpInst::ICMP_NE)) learn(*one, *number);
      }
    } else if (auto* cast = llvm::dyn_cast<llvm::BitCastInst>(&value); cast && cast->getSrcTy()->isIntOrIntVectorTy()) {
      Constant* bits = llvm::ConstantFoldCastOperand(Instruction::BitCast, &constant, cast->getSrcTy(), layout_);
      if (is_plain(bits)) learn(*cast->getOperand(0), *bits);
    }
  }

  /// The same comparison once more, or its opposite.
  void learn_likewise(Value& one, Value& other, llvm::CmpInst::Predicate predicate, bool is_true) {
    if (llvm::isa<Constant>(one) || one.hasNUsesOrMore(kMostUsers)) return;
    for (llvm::User* user : one.users()) {
      auto* compare = llvm::dyn_cast<llvm::ICmpInst>(user);
      if (!compare || !compare->getType()->isIntegerTy() || compare->getOperand(0) != &one || compare->getOperand(1) != &other) continue;
      const bool is_same = compare->getPredicate() == predicate;
      if (is_same || compare->getInversePredicate() == predicate) learn(*compare, *llvm::ConstantInt::getBool(compare->getType(), is_same == is_true));
    }
  }

  /// What an instruction gives for what is known of its operands.
  void learn_result(Instruction& instruction) {
    if (llvm::isa<llvm::PHINode, llvm::FreezeInst>(instruction) || facts_.contains(&instruction) || instruction.mayReadOrWriteMemory() ||
        instruction.getType()->isVoidTy() || instruction.getType()->isPtrOrPtrVectorTy())
      return;
    llvm::SmallVector<Value*, 4> operands;
    for (Value* operand : instruction.operands()) {
      const auto* known = facts_.find(operand);
      operands.push_back(known == facts_.end() ? operand : known->second);
    }
    Value* result = llvm::simplifyInstructionWithOperands(&instruction, operands, llvm::SimplifyQuery(layout_, &instruction));
    if (auto* constant = llvm::dyn_cast_or_null<Constant>(result); is_plain(constant)) learn(instruction, *constant);
  }

  static bool is_plain(const Constant* constant) { return constant && !llvm::isa<llvm::UndefValue, llvm::ConstantExpr>(constant); }

  const llvm::DataLayout& layout_;
  llvm::MapVector<Value*, Constant*> facts_;
};

/// Whether something gains from knowing a value of `type`.
bool is_decided(const llvm::Type& type) { return type.isIntegerTy(1) || type.isVectorTy(); }

}  // namespace

void decide_masks(llvm::Function& function) {
  const llvm::DominatorTree dominators(function);
  for (llvm::BasicBlock& block : function) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) continue;
    for (const bool side : {true, false}) {
      const llvm::BasicBlockEdge edge(&block, branch->getSuccessor(side ? 0 : 1));
      if (!dominators.dominates(edge, edge.getEnd())) continue;
      Facts facts(function.getDataLayout());
      facts.learn(*branch->getCondition(), *llvm::ConstantInt::getBool(branch->getCondition()->getType(), side));
      for (const auto& [value, constant] : facts.all())
        if (is_decided(*value->getType()))
          value->replaceUsesWithIf(constant, [&](const llvm::Use& use) { return dominators.dominates(edge, use); });
    }
  }
}

}  // namespace weft::compiler::wide
