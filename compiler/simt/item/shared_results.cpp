#include "compiler/simt/item/shared_results.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Mem2Reg.h>

#include "compiler/simt/analysis/uniformity.h"

namespace weft::compiler::simt {
namespace {

/// So many operations of an argument are compared: 2 pi k / n may be there twice.
constexpr unsigned kDeepest = 6;
/// With so many calls before it each is compared.
constexpr std::size_t kMostCompared = 64;

/// Whether both read one place of memory, which nothing writes in between: lanes that run `second` have just run `first`.
bool is_unwritten_between(const llvm::LoadInst& first, const llvm::LoadInst& second) {
  if (!first.isSimple() || !second.isSimple() || first.getParent() != second.getParent() || !first.comesBefore(&second)) return false;
  return llvm::none_of(llvm::make_range(std::next(first.getIterator()), second.getIterator()), [](const llvm::Instruction& between) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&between);
    const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
    return between.mayWriteToMemory() && !(callee && has_shared_result(*callee));
  });
}

/// Whether both have one value wherever both are computed.
bool are_equal(const llvm::Value* a, const llvm::Value* b, unsigned depth = 0) {
  if (a == b) return true;
  const auto* first = llvm::dyn_cast<llvm::Instruction>(a);
  const auto* second = llvm::dyn_cast<llvm::Instruction>(b);
  if (!first || !second || depth == kDeepest || llvm::isa<llvm::PHINode, llvm::AllocaInst, llvm::FreezeInst>(first)) return false;
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(first);
  if (load ? !llvm::isa<llvm::LoadInst>(second) || !is_unwritten_between(*load, llvm::cast<llvm::LoadInst>(*second))
           : first->mayReadOrWriteMemory() || first->mayHaveSideEffects())
    return false;
  // What may be poison in one of them by its flags may be so in the other.
  if (!first->isSameOperationAs(second) || !first->hasSameSubclassOptionalData(second)) return false;
  return llvm::all_of(llvm::zip(first->operands(), second->operands()),
                      [&](const auto& operands) { return are_equal(std::get<0>(operands), std::get<1>(operands), depth + 1); });
}

}  // namespace

bool has_shared_result(const llvm::Function& function) {
  return !function.isDeclaration() && function.getName().starts_with("__weft_shared_");
}

void share_results(llvm::Function& function, Analyses& analyses) {
  const auto find_calls = [&] {
    llvm::SmallVector<llvm::CallInst*, 8> calls;
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
        if (const llvm::Function* callee = call->getCalledFunction(); callee && has_shared_result(*callee)) calls.push_back(call);
    return calls;
  };
  if (find_calls().size() < 2) return;
  // Arguments are compared as values, not as variables in memory.
  llvm::PromotePass().run(function, analyses.functions());
  const llvm::DominatorTree dominators(function);
  llvm::SmallVector<llvm::CallInst*, 8> kept;
  for (llvm::CallInst* call : find_calls()) {
    const auto near = llvm::ArrayRef(kept).take_back(kMostCompared);
    const auto* same = llvm::find_if(near, [&](llvm::CallInst* other) {
      return other->getCalledFunction() == call->getCalledFunction() && dominators.dominates(other, call) &&
             are_equal(other->getArgOperand(0), call->getArgOperand(0));
    });
    if (same == near.end()) {
      kept.push_back(call);
      continue;
    }
    call->replaceAllUsesWith(*same);
    call->eraseFromParent();
  }
}

}  // namespace weft::compiler::simt
