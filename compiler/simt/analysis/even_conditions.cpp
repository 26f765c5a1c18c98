#include "compiler/simt/analysis/even_conditions.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include <cstdlib>

#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/ir/primitives.h"

namespace weft::compiler::simt {
namespace {

constexpr unsigned kDeepestCondition = 8;

/// Whether `condition` is made of comparisons of progressions that `is_even` takes, and of what lanes share.
bool all_comparisons(const llvm::Value& condition, const Shapes& shapes, llvm::function_ref<bool(const llvm::ICmpInst&)> is_even,
                     unsigned depth = 0) {
  if (shapes.is_uniform(condition)) return true;
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&condition);
  if (!instruction || depth > kDeepestCondition || !instruction->getType()->isIntegerTy(1)) return false;
  if (const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(instruction))
    return compare->isRelational() && shapes[*compare->getOperand(0)].is_affine() && shapes[*compare->getOperand(1)].is_affine() &&
           is_even(*compare);
  switch (instruction->getOpcode()) {
    case llvm::Instruction::Select:
    case llvm::Instruction::And:
    case llvm::Instruction::Or:
    case llvm::Instruction::Xor:
      return llvm::all_of(instruction->operands(),
                          [&](const llvm::Use& use) { return all_comparisons(*use, shapes, is_even, depth + 1); });
    default: return false;
  }
}

/// Whether `value` is computed from an id of that kind.
bool counts(const llvm::Value& value, llvm::StringRef id, unsigned depth = 0) {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction || depth > kDeepestCondition || llvm::isa<llvm::LoadInst>(instruction)) return false;
  if (called_name(*instruction).starts_with(id)) return true;
  return llvm::any_of(instruction->operands(), [&](const llvm::Use& use) { return counts(*use, id, depth + 1); });
}

}  // namespace

bool is_even_exit(const llvm::Value& condition, const llvm::Loop& loop, const Shapes& shapes, llvm::ScalarEvolution& evolution) {
  return all_comparisons(condition, shapes, [&](const llvm::ICmpInst& compare) {
    std::int64_t apart = 0, step = 0;
    for (llvm::Value* side : compare.operands()) {
      const Shape shape = shapes[*side];
      // Segments are rows of a group of several dimensions: their lanes lie as close as one row's, or no order is known.
      apart += std::abs(shape.stride) * (shape.segment - 1);
      const bool steps = llvm::SCEVExprContains(evolution.getSCEV(side), [&](const llvm::SCEV* part) {
        const auto* progression = llvm::dyn_cast<llvm::SCEVAddRecExpr>(part);
        if (!progression || progression->getLoop()->getHeader() != loop.getHeader()) return false;
        const auto* constant = llvm::dyn_cast<llvm::SCEVConstant>(progression->getStepRecurrence(evolution));
        // A size of the launch steps over its lanes.
        step = constant ? std::abs(constant->getAPInt().getSExtValue()) : INT64_MAX;
        return true;
      });
      if (!steps && !shape.is_uniform(shapes.lanes())) return false;
    }
    return step > apart;
  });
}

namespace {

using IsUniform = llvm::function_ref<bool(const llvm::Value&)>;
using IsEven = llvm::function_ref<bool(const llvm::ICmpInst&)>;

bool is_marked(const llvm::Instruction& load, bool value) {
  const llvm::MDNode* marked = load.getMetadata(primitive::kBoundMetadata);
  return marked && llvm::any_of(marked->operands(), [&](const llvm::MDOperand& operand) {
    return llvm::mdconst::extract<llvm::ConstantInt>(operand)->isOne() == value;
  });
}

bool is_bound_of_range(const llvm::Value& condition, bool value, IsUniform is_uniform, IsEven is_even, unsigned depth = 0) {
  if (is_uniform(condition)) return true;
  if (depth > kDeepestCondition) return false;
  if (const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&condition)) {
    // One place is equal; more than those may differ.
    const bool few = compare->isRelational() || (compare->getPredicate() == llvm::CmpInst::ICMP_EQ) == value;
    return few && is_even(*compare) && counts(*compare, primitive::kGlobalId);
  }
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&condition);
  if (!instruction || !instruction->getType()->isIntegerTy(1)) return false;
  const auto all_operands = [&](bool of) {
    return llvm::all_of(instruction->operands(), [&](const llvm::Use& use) { return is_bound_of_range(*use, of, is_uniform, is_even, depth + 1); });
  };
  switch (instruction->getOpcode()) {
    case llvm::Instruction::PHI: {
      // Of conditions of which the next is only asked where the last one says so: what it is else, few go there to get.
      const auto& phi = llvm::cast<llvm::PHINode>(*instruction);
      return llvm::all_of(llvm::zip(phi.incoming_values(), phi.blocks()), [&](const auto& incoming) {
        const auto& [operand, from] = incoming;
        const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(operand);
        if (!constant) return is_bound_of_range(*operand, value, is_uniform, is_even, depth + 1);
        const auto* branch = llvm::dyn_cast<llvm::BranchInst>(from->getTerminator());
        return constant->isOne() != value ||
               (branch && branch->isConditional() &&
                is_bound_of_range(*branch->getCondition(), branch->getSuccessor(0) == phi.getParent(), is_uniform, is_even, depth + 1));
      });
    }
    case llvm::Instruction::Select:
    case llvm::Instruction::And:
    case llvm::Instruction::Or: return all_operands(value);
    case llvm::Instruction::Xor:
      if (llvm::PatternMatch::match(instruction->getOperand(1), llvm::PatternMatch::m_One()))
        return is_bound_of_range(*instruction->getOperand(0), !value, is_uniform, is_even, depth + 1);
      return all_operands(true) && all_operands(false);
    default: return is_marked(*instruction, value);
  }
}

}  // namespace

bool is_bound_of_range(const llvm::Value& condition, bool value, const Shapes& shapes) {
  return is_bound_of_range(
      condition, value, [&](const llvm::Value& part) { return shapes.is_uniform(part); },
      [&](const llvm::ICmpInst& compare) {
        return shapes[*compare.getOperand(0)].is_affine() && shapes[*compare.getOperand(1)].is_affine();
      });
}

void mark_bound_of_range(llvm::Instruction& load, const llvm::Value& condition, const llvm::UniformityInfo& uniformity) {
  llvm::SmallVector<llvm::Metadata*, 2> values;
  for (const bool value : {false, true}) {
    const bool is_bound = is_bound_of_range(
        condition, value, [&](const llvm::Value& part) { return uniformity.isUniform(&part); },
        [](const llvm::ICmpInst&) { return true; });
    if (is_bound) values.push_back(llvm::ConstantAsMetadata::get(llvm::ConstantInt::getBool(load.getContext(), value)));
  }
  if (!values.empty()) load.setMetadata(primitive::kBoundMetadata, llvm::MDNode::get(load.getContext(), values));
}

bool is_bound_of_group(const llvm::Value& condition, const Shapes& shapes, std::uint32_t items) {
  const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&condition);
  if (!compare || !compare->isRelational() || items <= shapes.lanes()) return false;
  for (const unsigned side : {0u, 1u}) {
    const llvm::Value &place = *compare->getOperand(side), &bound = *compare->getOperand(1 - side);
    const Shape shape = shapes[place];
    if (!shape.is_affine() || shape.segment != shapes.lanes() || std::abs(shape.stride) != 1 || !shapes.is_uniform(bound)) continue;
    const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&bound);
    return counts(place, primitive::kLocalId) && !(number && number->getValue().ult(shapes.lanes()));
  }
  return false;
}

}  // namespace weft::compiler::simt
