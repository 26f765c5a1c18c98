#include "compiler/simt/item/group_bounds.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include "compiler/simt/analysis/uniformity.h"
#include "compiler/simt/ir/primitive_calls.h"
#include "compiler/simt/ir/primitives.h"

namespace weft::compiler::simt {
namespace {

using llvm::Value;

/// The dimension of the id that `value` is, converted or with constants added; nothing if it is something else.
std::optional<unsigned> dimension_of(const Value& value) {
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&value)) {
    const bool is_integer = llvm::isa<llvm::TruncInst, llvm::ZExtInst, llvm::SExtInst>(cast) && cast->getType()->getScalarSizeInBits() >= 32;
    return is_integer ? dimension_of(*cast->getOperand(0)) : std::nullopt;
  }
  if (const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(&value); sum && sum->getOpcode() == llvm::Instruction::Add) {
    // Between the ids of two work-items nothing wraps around.
    const bool is_exact = sum->getType()->isIntegerTy(64) || sum->hasNoSignedWrap();
    const auto* added = llvm::dyn_cast<llvm::ConstantInt>(sum->getOperand(1));
    return is_exact && added && added->getBitWidth() <= 64 && added->getSExtValue() >= 0 && added->getSExtValue() <= INT32_MAX
               ? dimension_of(*sum->getOperand(0)) : std::nullopt;
  }
  const llvm::StringRef name = called_name(value);
  if (name == (primitive::kGlobalId + "x").str()) return 0;
  if (name == (primitive::kGlobalId + "y").str()) return 1;
  return std::nullopt;
}

class BoundFinder {
 public:
  BoundFinder(llvm::UniformityInfo& uniformity, llvm::DominatorTree& tree, const llvm::BasicBlock& first)
      : uniformity_(uniformity), tree_(tree), before_(*first.getTerminator()) {}

  /// Whether `condition` is `value` if and only if comparisons, added to the bounds, are as they say.
  bool add(Value& condition, bool value) {
    using namespace llvm::PatternMatch;
    Value *left = nullptr, *right = nullptr;
    if (match(&condition, m_Not(m_Value(left)))) return add(*left, !value);
    if (value ? match(&condition, m_LogicalAnd(m_Value(left), m_Value(right))) : match(&condition, m_LogicalOr(m_Value(left), m_Value(right))))
      return add(*left, value) && add(*right, value);
    auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&condition);
    if (!comparison || !comparison->isRelational()) return false;
    for (const unsigned i : {0u, 1u}) {
      const std::optional<unsigned> dimension = dimension_of(*comparison->getOperand(i));
      Value* other = comparison->getOperand(1 - i);
      if (!dimension || !is_shared(*other)) continue;
      bounds.push_back({comparison, value, i, *dimension});
      return true;
    }
    return false;
  }

  llvm::SmallVector<GroupBound, 2> bounds;

 private:
  bool is_shared(Value& value) {
    if (llvm::isa<llvm::Argument, llvm::Constant>(value)) return true;
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    return instruction && uniformity_.isUniform(instruction) && tree_.dominates(instruction, &before_);
  }

  llvm::UniformityInfo& uniformity_;
  llvm::DominatorTree& tree_;
  const llvm::Instruction& before_;
};

/// The id along a dimension of a group's first work-item.
Value* first_id(llvm::IRBuilder<>& builder, unsigned dimension, std::uint64_t local_size) {
  const auto call = [&](const char* name) {
    return call_primitive(builder, std::string("__weft_") + name + (dimension == 0 ? "_x" : "_y"), *builder.getInt64Ty());
  };
  return builder.CreateAdd(builder.CreateMul(call("group_id"), builder.getInt64(local_size)), call("global_offset"));
}

/// `value` as the work-item with this id has it. What a program says of sums need not hold where it would not have computed them.
Value* with_id(llvm::IRBuilder<>& builder, Value* value, Value* id) {
  if (auto* cast = llvm::dyn_cast<llvm::CastInst>(value))
    return builder.CreateCast(cast->getOpcode(), with_id(builder, cast->getOperand(0), id), cast->getType());
  if (auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(value)) return builder.CreateAdd(with_id(builder, sum->getOperand(0), id), sum->getOperand(1));
  return id;
}

/// Whether all of these `bounds` hold for all work-items of a group: an i1, the same for all of these.
Value* hold_for_group(llvm::IRBuilder<>& builder, llvm::ArrayRef<GroupBound> bounds, llvm::ArrayRef<std::uint32_t> local_size) {
  Value* all = builder.getTrue();
  for (const GroupBound& bound : bounds) {
    Value* first = first_id(builder, bound.dimension, local_size[bound.dimension]);
    Value* last = builder.CreateAdd(first, builder.getInt64(local_size[bound.dimension] - 1));
    for (Value* id : {first, last}) {
      Value* sides[2] = {bound.comparison->getOperand(0), bound.comparison->getOperand(1)};
      sides[bound.id_operand] = with_id(builder, sides[bound.id_operand], id);
      Value* holds = builder.CreateICmp(bound.comparison->getPredicate(), sides[0], sides[1]);
      all = builder.CreateAnd(all, bound.value ? holds : builder.CreateNot(holds));
    }
  }
  return all;
}

/// Blocks that control may come to from `block`, which is in no loop.
llvm::SmallSetVector<llvm::BasicBlock*, 16> blocks_behind(llvm::BasicBlock& block) {
  llvm::SmallSetVector<llvm::BasicBlock*, 16> found;
  found.insert(llvm::succ_begin(&block), llvm::succ_end(&block));
  for (std::size_t i = 0; i < found.size(); ++i) {
    llvm::BasicBlock* next = found[i];
    found.insert(llvm::succ_begin(next), llvm::succ_end(next));
  }
  return found;
}

bool comes_to(const llvm::BasicBlock* from, const llvm::BasicBlock* to) { return from == to || llvm::isPotentiallyReachable(from, to); }

}  // namespace

std::optional<GroupBounds> group_bounds(llvm::Function& kernel, llvm::BasicBlock& header, Analyses& analyses) {
  llvm::UniformityInfo& uniformity = analyses.uniformity(kernel);
  const llvm::LoopInfo& loops = analyses.functions().getResult<llvm::LoopAnalysis>(kernel);
  llvm::DominatorTree& tree = analyses.functions().getResult<llvm::DominatorTreeAnalysis>(kernel);
  GroupBounds result;
  for (llvm::BasicBlock& block : kernel) {
    if (!uniformity.hasDivergentTerminator(block) || !comes_to(&block, &header)) continue;
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    // Where all go one way here, they are together here and behind it.
    if (!branch || loops.getLoopFor(&block) || comes_to(branch->getSuccessor(0), &header) == comes_to(branch->getSuccessor(1), &header))
      return std::nullopt;
    result.branches.emplace_back(branch, comes_to(branch->getSuccessor(0), &header) ? 0 : 1);
    if (!result.first || tree.dominates(&block, result.first)) result.first = &block;
  }
  if (!result.first) return result;
  BoundFinder finder(uniformity, tree, *result.first);
  for (const auto& [branch, way] : result.branches)
    if (!tree.dominates(result.first, branch->getParent()) || !finder.add(*branch->getCondition(), way == 0)) return std::nullopt;
  // What becomes code for some groups alone is reached through the first bound alone.
  for (const llvm::BasicBlock* block : blocks_behind(*result.first))
    if (comes_to(block, &header) && !tree.dominates(result.first, block)) return std::nullopt;
  result.bounds = std::move(finder.bounds);
  return result;
}

void split_by_bounds(llvm::Function& kernel, const GroupBounds& bounds, llvm::ArrayRef<std::uint32_t> local_size) {
  llvm::BasicBlock* const first = bounds.first;
  llvm::ValueToValueMapTy values;
  auto* const others = llvm::BasicBlock::Create(kernel.getContext(), "bounded", &kernel);
  values[first] = others;
  llvm::SmallVector<llvm::BasicBlock*, 16> copies;
  for (llvm::BasicBlock* block : blocks_behind(*first)) {
    copies.push_back(llvm::CloneBasicBlock(block, values, ".bounded", &kernel));
    values[block] = copies.back();
  }
  const auto remap = [&](llvm::Instruction& instruction) {
    llvm::RemapInstruction(&instruction, values, llvm::RF_IgnoreMissingLocals | llvm::RF_NoModuleLevelChanges);
  };
  for (llvm::BasicBlock* copy : copies) {
    // Some may also be reached from in front of the bounds.
    for (llvm::PHINode& phi : copy->phis())
      for (unsigned i = phi.getNumIncomingValues(); i-- > 0;)
        if (!values.count(phi.getIncomingBlock(i))) phi.removeIncomingValue(i, /*DeletePHIIfEmpty=*/false);
    for (llvm::Instruction& instruction : *copy) remap(instruction);
  }
  llvm::Instruction* const ends = first->getTerminator()->clone();
  ends->insertInto(others, others->end());
  remap(*ends);

  llvm::IRBuilder<> builder(first->getTerminator());
  Value* const whole = hold_for_group(builder, bounds.bounds, local_size);
  for (const auto& [branch, way] : bounds.branches) {
    builder.SetInsertPoint(branch);
    if (branch->getSuccessor(0) != branch->getSuccessor(1)) branch->getSuccessor(1 - way)->removePredecessor(branch->getParent(), /*KeepOneInputPHIs=*/true);
    if (branch->getParent() == first) builder.CreateCondBr(whole, branch->getSuccessor(way), others);
    else builder.CreateBr(branch->getSuccessor(way));
    branch->eraseFromParent();
  }
  llvm::removeUnreachableBlocks(kernel);
}

}  // namespace weft::compiler::simt
