#include "compiler/simt/analysis/own_chunks.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/simt/analysis/item_steps.h"
#include "compiler/simt/ir/address_spaces.h"

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::Value;

/// Elements of a chunk that are worth vectors along it.
constexpr std::uint64_t kFewest = 48;
/// Operands of operands that are looked at for a product of an id.
constexpr unsigned kMostSteps = 10;

/// Whether `value` is the number of a work-item, or of a group, or a sum of one and what all have alike.
bool is_number(const Value& value, const ItemSteps& steps) {
  const Step step = steps.of(&value);
  return step.kind == Step::kGroup || (step.kind == Step::kBy && step.group == 1);
}

bool multiplies_far(const Value& id, const Value& factor, const ItemSteps& steps) {
  if (!is_number(id, steps) || steps.of(&factor).kind != Step::kSame) return false;
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&factor);
  return !number || number->getValue().abs().uge(kFewest);
}

/// Whether `value` grows with a work-item's number times something, of which what is made of it may be a bound or a part.
bool grows_far(const Value& value, const ItemSteps& steps, unsigned depth = 0) {
  const auto* instruction = llvm::dyn_cast<Instruction>(&value);
  if (!instruction || !instruction->getType()->isIntegerTy() || depth > kMostSteps) return false;
  const auto of = [&](unsigned operand) { return grows_far(*instruction->getOperand(operand), steps, depth + 1); };
  switch (instruction->getOpcode()) {
    case Instruction::Mul:
      return multiplies_far(*instruction->getOperand(0), *instruction->getOperand(1), steps) ||
             multiplies_far(*instruction->getOperand(1), *instruction->getOperand(0), steps) || of(0) || of(1);
    case Instruction::Shl: {
      const auto* bits = llvm::dyn_cast<llvm::ConstantInt>(instruction->getOperand(1));
      return of(0) || (is_number(*instruction->getOperand(0), steps) &&
                       (!bits || (bits->getValue().ult(64) && std::uint64_t{1} << bits->getZExtValue() >= kFewest)));
    }
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::AShr:
    case Instruction::LShr:
    case Instruction::Trunc:
    case Instruction::SExt:
    case Instruction::ZExt:
    case Instruction::Freeze: return of(0);
    case Instruction::Add:
    case Instruction::Sub: return of(0) || of(1);
    case Instruction::Select: return of(1) || of(2);
    default: return llvm::isa<llvm::MinMaxIntrinsic>(instruction) && (of(0) || of(1));
  }
}

/// Whether `phi`, of the header of `loop`, counts its iterations.
bool counts(const llvm::PHINode& phi, const llvm::Loop& loop) {
  const llvm::BasicBlock* latch = loop.getLoopLatch();
  const auto* next = latch ? llvm::dyn_cast<llvm::BinaryOperator>(phi.getIncomingValueForBlock(latch)) : nullptr;
  if (!next || next->getOpcode() != Instruction::Add || next->getOperand(0) != &phi) return false;
  const auto* step = llvm::dyn_cast<llvm::ConstantInt>(next->getOperand(1));
  return step && step->getValue().abs().isOne();
}

bool is_chunk(const llvm::Loop& loop, const ItemSteps& steps) {
  const llvm::BasicBlock* before = loop.getLoopPredecessor();
  return before && llvm::any_of(loop.getHeader()->phis(), [&](const llvm::PHINode& phi) {
           return counts(phi, loop) && grows_far(*phi.getIncomingValueForBlock(before), steps);
         });
}

const Value& without_casts(const Value& value) {
  const auto* cast = llvm::dyn_cast<llvm::CastInst>(&value);
  return cast ? without_casts(*cast->getOperand(0)) : value;
}

/// Whether `loop` ends at a number that is loaded within `chunk`.
bool ends_at_loaded(const llvm::Loop& loop, const llvm::Loop& chunk) {
  llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  return llvm::any_of(exiting, [&](const llvm::BasicBlock* block) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    const auto* compared = branch && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
    if (!compared) return false;
    const auto is_counter = [&](const Value& value) {
      const auto* next = llvm::dyn_cast<llvm::BinaryOperator>(&value);
      const auto* phi = llvm::dyn_cast<llvm::PHINode>(next ? next->getOperand(0) : &value);
      return phi && phi->getParent() == loop.getHeader() && counts(*phi, loop);
    };
    const auto is_loaded = [&](const Value& value) {
      const auto* load = llvm::dyn_cast<llvm::LoadInst>(&without_casts(value));
      return load && chunk.contains(load);
    };
    const Value &a = *compared->getOperand(0), &b = *compared->getOperand(1);
    return (is_counter(without_casts(a)) && is_loaded(b)) || (is_counter(without_casts(b)) && is_loaded(a));
  });
}

/// Whether `value` is made of something that is loaded within `chunk`.
bool is_made_of_loaded(const Value& value, const llvm::Loop& chunk, unsigned depth = 0) {
  const auto* instruction = llvm::dyn_cast<Instruction>(&value);
  if (!instruction || !chunk.contains(instruction) || depth > kMostSteps) return false;
  if (llvm::isa<llvm::LoadInst>(instruction)) return true;
  if (!llvm::isa<llvm::CastInst, llvm::BinaryOperator, llvm::GetElementPtrInst, llvm::SelectInst, llvm::MinMaxIntrinsic>(instruction))
    return false;
  return llvm::any_of(instruction->operand_values(), [&](const Value* operand) { return is_made_of_loaded(*operand, chunk, depth + 1); });
}

bool stores_at_loaded(const llvm::Loop& chunk) {
  return llvm::any_of(chunk.blocks(), [&](const llvm::BasicBlock* block) {
    return llvm::any_of(*block, [&](const Instruction& instruction) {
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      return store && store->getPointerAddressSpace() == kGlobalSpace && is_made_of_loaded(*store->getPointerOperand(), chunk);
    });
  });
}

}  // namespace

Chunks own_chunks(const llvm::Function& kernel) {
  const llvm::DominatorTree dominators(const_cast<llvm::Function&>(kernel));
  const llvm::LoopInfo loops(dominators);
  Chunks chunks;
  if (loops.empty()) return chunks;
  const ItemSteps steps(kernel, 0, StepScope::kLaunch);
  for (const llvm::Loop* loop : loops) {
    if (!is_chunk(*loop, steps)) continue;
    chunks.any = true;
    chunks.part_lanes |= stores_at_loaded(*loop) ||
                         llvm::any_of(loop->getSubLoops(), [&](const llvm::Loop* inner) { return ends_at_loaded(*inner, *loop); });
  }
  return chunks;
}

}  // namespace weft::compiler::simt
