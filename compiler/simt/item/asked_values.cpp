#include "compiler/simt/item/asked_values.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/item/kept_calls.h"

namespace weft::compiler::simt {
namespace {

using AskedFunctions = llvm::SmallVector<llvm::Function*, 32>;

void add_callees_first(llvm::Function& function, llvm::SmallPtrSetImpl<const llvm::Function*>& seen, AskedFunctions& order) {
  if (!seen.insert(&function).second) return;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
    if (callee && !callee->isDeclaration() && is_kept_call(*callee)) add_callees_first(*callee, seen, order);
  }
  order.push_back(&function);
}

using Calls = llvm::MapVector<llvm::Function*, llvm::SmallVector<llvm::CallInst*, 4>>;

/// By what they ask for. Those whose answer is not used go.
Calls asking_calls(llvm::Function& function) {
  Calls result;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || !is_asked_value(*callee)) continue;
    // get_global_id asks for all dimensions, and selects one.
    if (call->use_empty()) call->eraseFromParent();
    else result[callee].push_back(call);
  }
  return result;
}

/// `function` with an argument more for each of `asked`, in its place.
void add_arguments(llvm::Function& function, const Calls& asked) {
  llvm::SmallVector<llvm::Type*, 16> types(function.getFunctionType()->params());
  for (const auto& [primitive, calls] : asked) types.push_back(primitive->getReturnType());
  auto* type = llvm::FunctionType::get(function.getReturnType(), types, /*isVarArg=*/false);
  llvm::Function* made = llvm::Function::Create(type, function.getLinkage(), function.getAddressSpace(), "", function.getParent());
  made->copyAttributesFrom(&function);
  made->copyMetadata(&function, 0);
  made->takeName(&function);
  made->splice(made->begin(), &function);
  for (llvm::Argument& argument : function.args()) {
    llvm::Argument& own = *made->getArg(argument.getArgNo());
    own.takeName(&argument);
    argument.replaceAllUsesWith(&own);
  }
  unsigned next = static_cast<unsigned>(function.arg_size());
  for (const auto& [primitive, calls] : asked) {
    llvm::Argument& value = *made->getArg(next++);
    for (llvm::CallInst* call : calls) {
      call->replaceAllUsesWith(&value);
      call->eraseFromParent();
    }
  }
  for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
    auto* call = llvm::cast<llvm::CallInst>(user);
    llvm::SmallVector<llvm::Value*, 16> arguments(call->args());
    for (const auto& [primitive, calls] : asked) arguments.push_back(llvm::CallInst::Create(primitive, "", call->getIterator()));
    llvm::CallInst* with = llvm::CallInst::Create(made, arguments, "", call->getIterator());
    with->setCallingConv(call->getCallingConv());
    with->setAttributes(call->getAttributes());
    with->copyMetadata(*call);
    with->takeName(call);
    call->replaceAllUsesWith(with);
    call->eraseFromParent();
  }
  function.eraseFromParent();
}

}  // namespace

bool is_asked_value(const llvm::Function& function) {
  if (!function.isDeclaration() || !function.arg_empty()) return false;
  llvm::StringRef name = function.getName();
  if (!name.consume_front("__weft_")) return false;
  if (name == "work_dim") return true;
  if (!name.consume_back("_x") && !name.consume_back("_y") && !name.consume_back("_z")) return false;
  return llvm::is_contained({"global_size", "global_id", "global_offset", "local_size", "enqueued_local_size", "local_id", "num_groups", "group_id"},
                            name);
}

void hand_over_asked_values(llvm::Module& module) {
  AskedFunctions order;
  llvm::SmallPtrSet<const llvm::Function*, 32> seen;
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && is_kept_call(function)) add_callees_first(function, seen, order);
  for (llvm::Function* function : order)
    if (const Calls asked = asking_calls(*function); !asked.empty()) add_arguments(*function, asked);
}

}  // namespace weft::compiler::simt
