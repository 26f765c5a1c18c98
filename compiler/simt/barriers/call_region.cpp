#include "compiler/simt/barriers/call_region.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/item/kept_calls.h"

namespace weft::compiler::simt {

using llvm::BasicBlock;
using llvm::Instruction;

namespace {

/// Instructions to a branch: of hash functions' rounds there are some hundred, of switches that move bytes by any distance two to ten.
constexpr unsigned kStraight = 16;

/// Ways to go on behind `instruction`, beyond the first.
unsigned branches(const Instruction& instruction) {
  return instruction.isTerminator() && instruction.getNumSuccessors() > 1 ? instruction.getNumSuccessors() - 1 : 0;
}

}  // namespace

llvm::Function* kept_callee(const llvm::CallBase& call) {
  llvm::Function* callee = call.getCalledFunction();
  return callee && !callee->isDeclaration() && is_kept_call(*callee) ? callee : nullptr;
}

bool pays_as_region(const llvm::Function& callee) {
  unsigned instructions = 0, ways = 0;
  for (const Instruction& instruction : llvm::instructions(callee)) {
    ++instructions;
    ways += branches(instruction);
  }
  return instructions >= kStraight * ways;
}

bool calls_outside_loops(const llvm::Function& kernel) {
  if (!keeps_calls(kernel) || keeps_shared_calls(kernel)) return false;
  llvm::DominatorTree dominators(const_cast<llvm::Function&>(kernel));
  const llvm::LoopInfo loops(dominators);
  llvm::SmallPtrSet<const llvm::Function*, 16> within, outside;
  for (const Instruction& instruction : llvm::instructions(kernel)) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const llvm::Function* callee = call ? kept_callee(*call) : nullptr;
    if (callee && pays_as_region(*callee)) (loops.getLoopFor(call->getParent()) ? within : outside).insert(callee);
  }
  return llvm::any_of(outside, [&](const llvm::Function* callee) { return !within.contains(callee); });
}

RegionSet make_call_region(llvm::Function& callee, const llvm::Function& caller, llvm::ArrayRef<bool> uniform, llvm::StringRef name) {
  llvm::Module& module = *callee.getParent();
  llvm::LLVMContext& context = module.getContext();
  auto* region = llvm::Function::Create(caller.getFunctionType(), llvm::GlobalValue::InternalLinkage, name + ".region.0", module);
  RegionSet set;
  set.regions.push_back(region);
  llvm::IRBuilder<> builder(BasicBlock::Create(context, "entry", region));
  const auto load = [&](llvm::Type* type, bool same) {
    set.slots.push_back({type, same, true});
    llvm::CallInst* value = builder.CreateCall(slot_primitive(module, type, true), builder.getInt32(static_cast<unsigned>(set.slots.size()) - 1));
    if (same) value->setMetadata(primitive::kUniformMetadata, llvm::MDNode::get(context, {}));
    return value;
  };
  llvm::Value* runs = load(builder.getInt1Ty(), false);
  llvm::ValueToValueMapTy map;
  for (auto [argument, same] : llvm::zip_equal(callee.args(), uniform)) map[&argument] = load(argument.getType(), same);
  BasicBlock& entry = region->getEntryBlock();
  BasicBlock* end = BasicBlock::Create(context, "end", region);

  llvm::SmallVector<llvm::ReturnInst*, 4> returns;
  llvm::CloneFunctionInto(region, &callee, map, llvm::CloneFunctionChangeType::LocalChangesOnly, returns);
  region->setAttributes(caller.getAttributes());
  region->setCallingConv(caller.getCallingConv());
  llvm::stripDebugInfo(*region);
  BasicBlock* body = llvm::cast<BasicBlock>(map[&callee.getEntryBlock()]);
  for (Instruction& instruction : llvm::make_early_inc_range(*body))
    if (llvm::isa<llvm::AllocaInst>(instruction)) instruction.moveBefore(entry, entry.end());
  builder.SetInsertPoint(&entry);
  builder.CreateCondBr(runs, body, end);

  builder.SetInsertPoint(end);
  llvm::PHINode* result = callee.getReturnType()->isVoidTy() ? nullptr : builder.CreatePHI(callee.getReturnType(), 2, "result");
  // A number, also in lanes that are off: nothing may follow from what these have.
  if (result) result->addIncoming(llvm::Constant::getNullValue(result->getType()), &entry);
  for (llvm::ReturnInst* instruction : returns) {
    if (result) result->addIncoming(instruction->getReturnValue(), instruction->getParent());
    llvm::BranchInst::Create(end, instruction->getParent());
    instruction->eraseFromParent();
  }
  if (result) {
    builder.CreateCall(slot_primitive(module, result->getType(), false), {builder.getInt32(result_slot(callee)), result});
    set.slots.push_back({result->getType(), false, true});
  }
  builder.CreateRet(builder.getInt32(~0u));
  return set;
}

}  // namespace weft::compiler::simt
