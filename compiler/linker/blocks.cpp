#include "compiler/linker/blocks.h"

#include <string>

#include "compiler/frontend/blocks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace weft::compiler::linker {
namespace {

/// Puts `number` in the place of `address`, a kernel's or a cast of it, in the calls that take it.
void put_number(llvm::Constant& address, std::uint64_t number) {
  for (llvm::Use& use : llvm::make_early_inc_range(address.uses())) {
    if (auto* cast = llvm::dyn_cast<llvm::ConstantExpr>(use.getUser())) {
      put_number(*cast, number);
    } else if (const auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
               call && !call->isCallee(&use) && call->getCalledFunction() && frontend::takes_block_kernel(*call->getCalledFunction())) {
      use.set(llvm::ConstantExpr::getIntToPtr(llvm::ConstantInt::get(llvm::Type::getInt64Ty(call->getContext()), number), address.getType()));
    }
  }
}

}  // namespace

void number_blocks(llvm::Module& module) {
  std::uint64_t number = 0;
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || !function.hasFnAttribute(frontend::kBlockAttribute)) continue;
    function.addFnAttr(frontend::kBlockAttribute, std::to_string(number));
    function.setLinkage(llvm::GlobalValue::ExternalLinkage);  // a root, though nothing names it any more
    put_number(function, number++);
  }
}

}  // namespace weft::compiler::linker
