#include "compiler/simt/ir/local_memory.h"

#include <algorithm>

#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/used_variables.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/MathExtras.h"

namespace weft::compiler::simt {
namespace {

constexpr llvm::Align kMinAlign = llvm::Align::Constant<16>();

}  // namespace

LocalLayout assign_local_globals(const llvm::Function& function) {
  const auto used = used_variables(function, kLocalSpace);
  LocalLayout result;
  if (used.empty()) return result;
  const llvm::DataLayout& layout = function.getParent()->getDataLayout();
  // This only reads the module; callers replace the variables, so they cannot be const.
  for (llvm::GlobalVariable& variable : const_cast<llvm::Module*>(function.getParent())->globals()) {
    if (!used.contains(&variable)) continue;
    const llvm::Align align =
        std::max(kMinAlign, variable.getAlign().value_or(layout.getPreferredAlign(&variable)));
    result.bytes = llvm::alignTo(result.bytes, align);
    result.variables.push_back({&variable, result.bytes});
    result.bytes = llvm::SaturatingAdd<std::uint64_t>(result.bytes, layout.getTypeAllocSize(variable.getValueType()).getFixedValue());
  }
  return result;
}

void lower_local_globals(llvm::Function& function, llvm::Value& base, const LocalLayout& layout) {
  if (layout.variables.empty()) return;
  llvm::SmallVector<llvm::Constant*, 8> variables;
  for (const LocalVariable& local : layout.variables) variables.push_back(local.variable);
  llvm::convertUsersOfConstantsToInstructions(variables, &function, /*RemoveDeadConstants=*/false);

  llvm::IRBuilder<> builder(function.getContext());
  if (auto* definition = llvm::dyn_cast<llvm::Instruction>(&base))
    builder.SetInsertPoint(std::next(definition->getIterator()));
  else
    builder.SetInsertPoint(function.getEntryBlock().getFirstInsertionPt());
  for (const LocalVariable& local : layout.variables) {
    llvm::Value* address = builder.CreateInBoundsGEP(
        builder.getInt8Ty(), &base, builder.getInt64(local.offset), local.variable->getName());
    local.variable->replaceUsesWithIf(address, [&](llvm::Use& use) {
      const auto* user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
      return user && user->getFunction() == &function;
    });
  }
}

}  // namespace weft::compiler::simt
