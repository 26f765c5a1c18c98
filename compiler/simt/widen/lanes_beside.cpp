#include "compiler/simt/widen/lanes_beside.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include "compiler/simt/memory/scalarize_loops.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

namespace {

/// Instructions of the function of several lanes.
constexpr unsigned kMostInstructions = 3000;

/// The instructions and arguments of `one` that may differ between lanes.
llvm::SmallPtrSet<const Value*, 32> varying_values(const llvm::Function& one, llvm::ArrayRef<bool> shared) {
  llvm::SmallPtrSet<const Value*, 32> varying;
  for (const llvm::Argument& argument : one.args())
    if (!shared[argument.getArgNo()]) varying.insert(&argument);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Instruction& instruction : llvm::instructions(one)) {
      if (instruction.isTerminator() || varying.contains(&instruction)) continue;
      const bool own = instruction.mayReadOrWriteMemory() || llvm::isa<llvm::AllocaInst, llvm::FreezeInst>(instruction) ||
                       llvm::any_of(instruction.operand_values(), [&](const Value* operand) { return varying.contains(operand); });
      if (own) changed |= varying.insert(&instruction).second;
    }
  }
  return varying;
}

bool has_shared_way(const llvm::Function& one, const llvm::SmallPtrSetImpl<const Value*>& varying) {
  return llvm::all_of(one, [&](const BasicBlock& block) {
    const Instruction& end = *block.getTerminator();
    return llvm::isa<llvm::ReturnInst>(end) ||
           llvm::none_of(end.operand_values(), [&](const Value* operand) { return varying.contains(operand); });
  });
}

/// Whether `one` loads from what an argument leads to and stores there.
bool reads_what_it_wrote(const llvm::Function& one) {
  llvm::SmallPtrSet<const Value*, 8> written;
  for (const Instruction& instruction : llvm::instructions(one))
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) written.insert(llvm::getUnderlyingObject(store->getPointerOperand()));
  return llvm::any_of(llvm::instructions(one), [&](const Instruction& instruction) {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    const Value* object = load ? llvm::getUnderlyingObject(load->getPointerOperand()) : nullptr;
    return object && llvm::isa<llvm::Argument>(object) && written.contains(object);
  });
}

llvm::SmallVector<bool, 8> shared_arguments(const Widening& w, const llvm::CallBase& call) {
  llvm::SmallVector<bool, 8> shared;
  for (const llvm::Use& argument : call.args()) shared.push_back(w.is_uniform(argument.get()));
  return shared;
}

}  // namespace

unsigned lanes_beside(const Widening& w, const llvm::CallBase& call) {
  const llvm::Function* one = call.getCalledFunction();
  if (!one || one->isDeclaration() || !one->hasFnAttribute(llvm::Attribute::AlwaysInline) || !reads_what_it_wrote(*one)) return 1;
  const bool is_plain = llvm::all_of(llvm::instructions(*one), [](const Instruction& instruction) {
    return !instruction.isAtomic() && !instruction.isVolatile() && !llvm::isa<llvm::AllocaInst, llvm::SwitchInst>(instruction);
  });
  const auto shared = shared_arguments(w, call);
  const auto varying = varying_values(*one, shared);
  if (!is_plain || !has_shared_way(*one, varying)) return 1;
  const auto lives = [&](const Value* value) { return llvm::isa<llvm::Argument, llvm::PHINode>(value); };
  const auto values = std::max<std::size_t>(1, static_cast<std::size_t>(llvm::count_if(varying, lives)));
  unsigned count = kMostLanesBeside;
  while (count > 1 && (count * values > kMostValuesBeside || count * one->getInstructionCount() > kMostInstructions || w.lanes % count)) count /= 2;
  return count;
}

llvm::Function* put_beside(llvm::Function& one, llvm::ArrayRef<bool> shared, unsigned count) {
  llvm::SmallVector<llvm::Type*, 16> types;
  for (llvm::Argument& argument : one.args()) types.append(shared[argument.getArgNo()] ? 1 : count, argument.getType());
  llvm::Type* result = one.getReturnType();
  if (!result->isVoidTy()) result = llvm::ArrayType::get(result, count);
  auto* made = llvm::Function::Create(llvm::FunctionType::get(result, types, false), llvm::GlobalValue::InternalLinkage,
                                      one.getName() + ".beside", one.getParent());
  made->addFnAttr(llvm::Attribute::AlwaysInline);
  made->addFnAttr(llvm::Attribute::NoUnwind);

  const auto varying = varying_values(one, shared);
  std::vector<llvm::ValueToValueMapTy> maps(count);
  auto* next = made->arg_begin();
  for (llvm::Argument& argument : one.args())
    for (unsigned lane = 0; lane < count; ++lane) {
      maps[lane][&argument] = &*next;
      if (!shared[argument.getArgNo()] || lane + 1 == count) ++next;
    }
  llvm::SmallVector<llvm::SmallVector<Instruction*, 32>, kMostLanesBeside> copies(count);
  const auto add = [&](Instruction& instruction, unsigned lane, BasicBlock::iterator where) {
    Instruction* clone = instruction.clone();
    clone->insertInto(llvm::cast<BasicBlock>(static_cast<Value*>(maps[0][instruction.getParent()])), where);
    maps[lane][&instruction] = clone;
    copies[lane].push_back(clone);
  };
  for (BasicBlock& block : one) {
    auto* copy = BasicBlock::Create(one.getContext(), block.getName(), made);
    for (auto& map : maps) map[&block] = copy;
    // Lane after lane: what a lane needs for the moment only takes registers for no longer, and processors look that far ahead.
    for (unsigned lane = 0; lane < count; ++lane)
      for (Instruction& instruction : block) {
        if (instruction.isTerminator()) continue;
        if (lane && !varying.contains(&instruction))
          maps[lane][&instruction] = static_cast<Value*>(maps[0][&instruction]);
        else
          add(instruction, lane, llvm::isa<llvm::PHINode>(instruction) ? copy->getFirstNonPHIIt() : copy->end());
      }
    add(*block.getTerminator(), 0, copy->end());
  }
  for (unsigned lane = 0; lane < count; ++lane)
    for (Instruction* clone : copies[lane]) llvm::RemapInstruction(clone, maps[lane], llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
  if (result->isVoidTy()) return made;
  for (BasicBlock& block : one) {
    auto* end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator());
    if (!end) continue;
    auto* place = llvm::cast<Instruction>(static_cast<Value*>(maps[0][end]));
    llvm::IRBuilder<> builder(place);
    Value* all = llvm::PoisonValue::get(result);
    for (unsigned lane = 0; lane < count; ++lane) {
      Value* value = end->getReturnValue();
      if (const auto known = maps[lane].find(value); known != maps[lane].end()) value = known->second;
      all = builder.CreateInsertValue(all, value, lane);
    }
    builder.CreateRet(all);
    place->eraseFromParent();
  }
  return made;
}

}  // namespace weft::compiler::simt
