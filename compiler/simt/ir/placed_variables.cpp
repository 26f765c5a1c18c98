#include "compiler/simt/ir/placed_variables.h"

#include <algorithm>

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/MathExtras.h"

namespace weft::compiler::simt {
namespace {

constexpr llvm::Align kMinAlign = llvm::Align::Constant<16>();

}  // namespace

llvm::SmallPtrSet<const llvm::GlobalVariable*, 8> used_variables(const llvm::Function& function, unsigned space) {
  llvm::SmallPtrSet<const llvm::GlobalVariable*, 8> found;
  llvm::SmallPtrSet<const llvm::Constant*, 32> seen;
  llvm::SmallVector<const llvm::Constant*, 32> pending;
  const auto visit = [&](const llvm::Value* value) {
    const auto* constant = llvm::dyn_cast<llvm::Constant>(value);
    if (constant && seen.insert(constant).second) pending.push_back(constant);
  };
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    for (const llvm::Value* operand : instruction.operands()) visit(operand);
    while (!pending.empty()) {
      const llvm::Constant* constant = pending.pop_back_val();
      if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(constant)) {
        if (variable->getAddressSpace() == space) found.insert(variable);
        continue;  // what an initial value names is not used by code
      }
      if (llvm::isa<llvm::GlobalValue>(constant)) continue;
      for (const llvm::Value* operand : constant->operands()) visit(operand);
    }
  }
  return found;
}

PlacedVariables place_variables(const llvm::Module& module, llvm::function_ref<bool(const llvm::GlobalVariable&)> wanted) {
  const llvm::DataLayout& layout = module.getDataLayout();
  PlacedVariables result;
  // This only reads the module; callers replace the variables, so they cannot be const.
  for (llvm::GlobalVariable& variable : const_cast<llvm::Module&>(module).globals()) {
    if (!wanted(variable)) continue;
    result.bytes = llvm::alignTo(result.bytes, std::max(kMinAlign, variable.getAlign().value_or(layout.getPreferredAlign(&variable))));
    result.variables.push_back({&variable, result.bytes});
    result.bytes = llvm::SaturatingAdd<std::uint64_t>(result.bytes, layout.getTypeAllocSize(variable.getValueType()).getFixedValue());
  }
  return result;
}

void replace_variables(llvm::Function& function, llvm::Value& base, const PlacedVariables& placed) {
  if (placed.variables.empty()) return;
  llvm::SmallVector<llvm::Constant*, 8> variables;
  for (const PlacedVariable& place : placed.variables) variables.push_back(place.variable);
  llvm::convertUsersOfConstantsToInstructions(variables, &function, /*RemoveDeadConstants=*/false);

  llvm::IRBuilder<> builder(function.getContext());
  if (auto* definition = llvm::dyn_cast<llvm::Instruction>(&base))
    builder.SetInsertPoint(std::next(definition->getIterator()));
  else
    builder.SetInsertPoint(function.getEntryBlock().getFirstInsertionPt());
  for (const PlacedVariable& place : placed.variables) {
    llvm::Value* address =
        builder.CreateInBoundsGEP(builder.getInt8Ty(), &base, builder.getInt64(place.offset), place.variable->getName());
    place.variable->replaceUsesWithIf(address, [&](llvm::Use& use) {
      const auto* user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
      return user && user->getFunction() == &function;
    });
    if (auto* unused = llvm::dyn_cast<llvm::Instruction>(address); unused && unused->use_empty()) unused->eraseFromParent();
  }
}

}  // namespace weft::compiler::simt
