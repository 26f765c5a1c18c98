#include "compiler/simt/ir/component_permutes.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "compiler/simt/ir/primitives.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

unsigned count_of(const Value& vector) { return llvm::cast<llvm::FixedVectorType>(vector.getType())->getNumElements(); }

}  // namespace

bool is_component_permute(const Value& value) { return called_name(value).starts_with(kComponentPermute); }

Value* permuted_components(llvm::IRBuilderBase& builder, Value* x, Value* mask) {
  Value* numbers = builder.CreateAnd(mask, llvm::ConstantInt::get(mask->getType(), count_of(*x) - 1));
  Value* result = llvm::PoisonValue::get(x->getType());
  for (unsigned i = 0; i < count_of(*x); ++i)
    result = builder.CreateInsertElement(result, builder.CreateExtractElement(x, builder.CreateExtractElement(numbers, i)), i);
  return result;
}

Value* component_by_number(llvm::IRBuilderBase& builder, llvm::ArrayRef<Value*> components, Value* mask) {
  // A level for each bit.
  llvm::SmallVector<Value*, 16> left(components);
  for (unsigned bit = 0; left.size() > 1; ++bit) {
    Value* is_set = builder.CreateICmpNE(builder.CreateAnd(mask, llvm::ConstantInt::get(mask->getType(), std::uint64_t{1} << bit)),
                                         llvm::Constant::getNullValue(mask->getType()));
    llvm::SmallVector<Value*, 16> chosen;
    for (unsigned i = 0; i < left.size(); i += 2) chosen.push_back(builder.CreateSelect(is_set, left[i + 1], left[i]));
    left = std::move(chosen);
  }
  return left.front();
}

void fold_component_permutes(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (!is_component_permute(instruction)) continue;
    auto& call = llvm::cast<llvm::CallBase>(instruction);
    const auto* mask = llvm::dyn_cast<llvm::Constant>(call.getArgOperand(1));
    if (!mask) continue;
    const unsigned count = count_of(call);
    llvm::SmallVector<int, 16> from;
    for (unsigned i = 0; i < count; ++i) {
      const llvm::Constant* number = mask->getAggregateElement(i);
      if (const auto* integer = llvm::dyn_cast_or_null<llvm::ConstantInt>(number))
        from.push_back(static_cast<int>(integer->getValue().extractBitsAsZExtValue(8, 0) & (count - 1)));
      else if (number && llvm::isa<llvm::UndefValue>(number))
        from.push_back(llvm::PoisonMaskElem);
    }
    if (from.size() < count) continue;
    llvm::IRBuilder<> builder(&call);
    call.replaceAllUsesWith(builder.CreateShuffleVector(call.getArgOperand(0), from));
    call.eraseFromParent();
  }
}

void expand_component_permutes(llvm::Module& module) {
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    if (!function.getName().starts_with(kComponentPermute)) continue;
    for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
      auto* call = llvm::cast<llvm::CallInst>(user);
      llvm::IRBuilder<> builder(call);
      call->replaceAllUsesWith(permuted_components(builder, call->getArgOperand(0), call->getArgOperand(1)));
      call->eraseFromParent();
    }
    function.eraseFromParent();
  }
}

}  // namespace weft::compiler::simt
