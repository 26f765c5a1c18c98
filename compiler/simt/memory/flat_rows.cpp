#include "compiler/simt/memory/flat_rows.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace weft::compiler::simt {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

/// Instructions of an iteration, of which there are four copies.
constexpr unsigned kMostInstructions = 40;
constexpr unsigned kMostSums = 4;
/// With steps up to this a number stays far from where 32 bits wrap around (flat_loop.cpp).
constexpr unsigned kLongestStep = 1U << 16;
constexpr llvm::StringLiteral kToldAttribute = "weft-iterations";

/// What lies in arrays of words, element by element.
bool is_word(const llvm::Type& type) {
  const auto bits = type.getPrimitiveSizeInBits().getFixedValue();
  return (type.isFloatTy() || type.isDoubleTy() || type.isIntegerTy()) && (bits == 32 || bits == 64);
}

/// By how much `next`, the value of `phi` in the iteration behind, is more; null: it is something else.
const llvm::ConstantInt* step_of(const llvm::PHINode& phi, const Value& next) {
  const auto* add = llvm::dyn_cast<llvm::BinaryOperator>(&next);
  if (!add || add->getOpcode() != Instruction::Add || add->getOperand(0) != &phi) return nullptr;
  const auto* step = llvm::dyn_cast<llvm::ConstantInt>(add->getOperand(1));
  return step && step->getValue().abs().ule(kLongestStep) ? step : nullptr;
}

/// Whether `loop` is short and changes nothing that others see.
bool only_reads(const llvm::Loop& loop) {
  unsigned size = 0;
  for (const BasicBlock* block : loop.blocks())
    for (const Instruction& instruction : *block) {
      const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      if (instruction.mayReadOrWriteMemory() && !(load && !load->isAtomic()) && !llvm::isa<llvm::DbgInfoIntrinsic>(instruction)) return false;
      ++size;
    }
  return size <= kMostInstructions;
}

/// Whether `value` comes from memory: at once, or on one of the ways that meet in it.
bool is_loaded(const Value& value) {
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(&value))
    return llvm::any_of(phi->incoming_values(), [](const Value* one) { return llvm::isa<llvm::LoadInst>(one); });
  return llvm::isa<llvm::LoadInst>(value);
}

}  // namespace

bool FlatRows::take_loop(llvm::Function& one) {
  const llvm::DominatorTree dominators(one);
  const llvm::LoopInfo loops(dominators);
  if (std::distance(loops.begin(), loops.end()) != 1) return false;
  const llvm::Loop& loop = **loops.begin();
  front = loop.getLoopPreheader();
  header = loop.getHeader();
  latch = loop.getLoopLatch();
  const BasicBlock* exit = loop.getUniqueExitBlock();
  if (!loop.isInnermost() || front != &one.getEntryBlock() || !exit || !latch || loop.getExitingBlock() != latch || exit->getSinglePredecessor() != latch)
    return false;
  blocks.append(loop.block_begin(), loop.block_end());
  if (!only_reads(loop)) return false;
  // What is in front is computed whether or not there are rows.
  if (llvm::any_of(*front, [](const Instruction& made) { return !made.isTerminator() && !llvm::isSafeToSpeculativelyExecute(&made); })) return false;
  for (llvm::PHINode& phi : header->phis()) {
    Value *first = phi.getIncomingValueForBlock(front), *next = phi.getIncomingValueForBlock(latch);
    if (!is_word(*phi.getType())) return false;
    if (const llvm::ConstantInt* step = step_of(phi, *next))
      counters.push_back({&phi, first, step->getSExtValue()});
    else
      sums.push_back({&phi, first, next});
  }
  return sums.size() <= kMostSums;
}

bool FlatRows::take_results() {
  const Instruction& back = *latch->getTerminator();
  const BasicBlock& exit = *back.getSuccessor(back.getSuccessor(0) == header);
  const auto* end = llvm::dyn_cast<llvm::ReturnInst>(exit.getTerminator());
  if (!end || !end->getReturnValue()) return false;
  Value* value = end->getReturnValue();
  const auto* fields = llvm::dyn_cast<llvm::StructType>(value->getType());
  results.assign(fields ? fields->getNumElements() : 1, nullptr);
  if (!fields) results.front() = value;
  while (auto* insert = llvm::dyn_cast<llvm::InsertValueInst>(value)) {
    if (insert->getNumIndices() != 1) return false;
    if (Value*& result = results[insert->getIndices().front()]; !result) result = insert->getInsertedValueOperand();
    value = insert->getAggregateOperand();
  }
  for (Value*& result : results) {
    if (auto* phi = result ? llvm::dyn_cast<llvm::PHINode>(result) : nullptr; phi && phi->getParent() == &exit)
      result = phi->getIncomingValueForBlock(latch);
    const auto* made = result ? llvm::dyn_cast<Instruction>(result) : nullptr;
    if (!made || !llvm::is_contained(blocks, made->getParent()) || !is_word(*made->getType())) return false;
  }
  return true;
}

void FlatRows::take_needed() {
  llvm::SmallVector<const Value*, 16> left(results.begin(), results.end());
  for (const Sum& sum : sums) left.push_back(sum.next);
  for (const BasicBlock* block : blocks)
    if (block != latch) left.push_back(block->getTerminator());
  while (!left.empty()) {
    const auto* instruction = llvm::dyn_cast<Instruction>(left.pop_back_val());
    if (!instruction || !llvm::is_contained(blocks, instruction->getParent())) continue;
    if (llvm::isa<llvm::PHINode>(instruction) && instruction->getParent() == header) continue;
    if (needed.insert(instruction).second) left.append(instruction->value_op_begin(), instruction->value_op_end());
  }
}

bool FlatRows::may_serve(const llvm::Loop& loop, const VectorTraits& traits) {
  if (traits.masked_gather && !traits.slow_gather) return false;
  const BasicBlock *before = loop.getLoopPredecessor(), *latch = loop.getLoopLatch();
  if (!loop.isInnermost() || !before || !latch || loop.getExitingBlock() != latch || !only_reads(loop)) return false;
  bool begins_by_list = false;
  unsigned sums = 0;
  for (const llvm::PHINode& phi : loop.getHeader()->phis()) {
    if (!is_word(*phi.getType())) return false;
    if (step_of(phi, *phi.getIncomingValueForBlock(latch)))
      begins_by_list |= is_loaded(*phi.getIncomingValueForBlock(before));
    else
      ++sums;
  }
  return begins_by_list && sums <= kMostSums;
}

std::optional<FlatRows> FlatRows::find(llvm::Function& one, llvm::ArrayRef<bool> is_shared) {
  FlatRows rows;
  if (!rows.take_loop(one) || !rows.take_results()) return std::nullopt;
  rows.take_needed();
  llvm::SmallPtrSet<const Value*, 16> own;
  for (const llvm::Argument& argument : one.args())
    if (!is_shared[argument.getArgNo()]) own.insert(&argument);
  for (const Instruction& instruction : *rows.front)
    if (llvm::any_of(instruction.operands(), [&](const Value* operand) { return own.contains(operand); })) own.insert(&instruction);
  for (const Instruction* instruction : rows.needed)
    for (Value* operand : const_cast<Instruction*>(instruction)->operands()) {
      if (!own.contains(operand)) continue;
      auto* argument = llvm::dyn_cast<llvm::Argument>(operand);
      if (!argument || !(is_word(*argument->getType()) || argument->getType()->isPointerTy())) return std::nullopt;
      if (!llvm::is_contained(rows.own, argument)) rows.own.push_back(argument);
    }
  const auto is_given = [&](const Value* first) { return llvm::isa<llvm::Argument>(first) || !own.contains(first); };
  if (!llvm::all_of(rows.counters, [&](const Counter& counter) { return is_given(counter.first); })) return std::nullopt;
  if (!llvm::all_of(rows.sums, [&](const Sum& sum) { return is_given(sum.first); })) return std::nullopt;
  return rows;
}

void tell_iterations(llvm::CallInst& call, llvm::Value& again) {
  llvm::Function& one = *call.getCalledFunction();
  llvm::IRBuilder<> builder(&call);
  llvm::SmallVector<llvm::Type*, 8> types{builder.getInt32Ty()};
  types.append(one.getFunctionType()->param_begin(), one.getFunctionType()->param_end());
  auto* told = llvm::Function::Create(llvm::FunctionType::get(one.getReturnType(), types, false), llvm::GlobalValue::InternalLinkage, "by_lane.told",
                                      one.getParent());
  for (const auto kind : {llvm::Attribute::AlwaysInline, llvm::Attribute::NoUnwind}) told->addFnAttr(kind);
  told->addFnAttr(kToldAttribute);
  llvm::IRBuilder<> body(BasicBlock::Create(call.getContext(), "lane.entry", told));
  const auto passed = llvm::map_range(llvm::drop_begin(told->args()), [](llvm::Argument& argument) -> Value* { return &argument; });
  body.CreateRet(body.CreateCall(&one, llvm::SmallVector<Value*, 8>(passed.begin(), passed.end())));

  llvm::SmallVector<Value*, 8> arguments{builder.CreateAdd(&again, builder.getInt32(1), "iterations")};
  arguments.append(call.arg_begin(), call.arg_end());
  call.replaceAllUsesWith(builder.CreateCall(told, arguments, "by_lane"));
  call.eraseFromParent();
}

llvm::Function* with_iterations(const llvm::Function& function) {
  if (!function.hasFnAttribute(kToldAttribute)) return nullptr;
  for (const Instruction& instruction : function.getEntryBlock())
    if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) return call->getCalledFunction();
  return nullptr;
}

}  // namespace weft::compiler::simt
