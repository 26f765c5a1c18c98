#include "compiler/frontend/blocks.h"

#include "device/kernel_abi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Alignment.h"

namespace weft::compiler::frontend {
namespace {

constexpr unsigned kConstantSpace = 2, kGenericSpace = 4;

/// Kernels of the source have a description of their arguments (-cl-kernel-arg-info); those of blocks have none.
bool is_block_kernel(const llvm::Function& function) {
  return !function.isDeclaration() && function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL &&
         !function.hasMetadata("kernel_arg_addr_space");
}

/// What a block captures is the same for all work-items and does not change while its kernel runs: constant memory, where accesses
/// know that.
void take_literal_as_constant(llvm::Function& old) {
  llvm::LLVMContext& context = old.getContext();
  llvm::SmallVector<llvm::Type*, 4> types(old.getFunctionType()->params());
  types.front() = llvm::PointerType::get(context, kConstantSpace);
  auto* made = llvm::Function::Create(llvm::FunctionType::get(old.getReturnType(), types, false), llvm::GlobalValue::InternalLinkage,
                                      old.getAddressSpace());
  old.getParent()->getFunctionList().insert(old.getIterator(), made);
  made->takeName(&old);
  made->setCallingConv(old.getCallingConv());
  made->addFnAttrs(llvm::AttrBuilder(context, old.getAttributes().getFnAttrs()));
  made->addFnAttr(kBlockAttribute);
  made->setSubprogram(old.getSubprogram());
  old.setSubprogram(nullptr);
  made->splice(made->begin(), &old);
  llvm::IRBuilder<> builder(&made->getEntryBlock(), made->getEntryBlock().begin());
  for (auto [from, to] : llvm::zip(old.args(), made->args())) {
    to.takeName(&from);
    const bool is_literal = to.getArgNo() == 0;
    from.replaceAllUsesWith(is_literal ? builder.CreateAddrSpaceCast(&to, builder.getPtrTy(kGenericSpace)) : &to);
  }
  old.replaceAllUsesWith(made);
  old.eraseFromParent();
}

/// Literals have the addresses of blocks' functions, which nobody asks for. Clang names the functions so, after those where blocks are.
void drop_addresses(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.hasFnAttribute(kBlockAttribute) || !function.getName().contains("_block_invoke")) continue;
    for (llvm::User* user : llvm::make_early_inc_range(function.users()))
      if (auto* address = llvm::dyn_cast<llvm::ConstantExpr>(user))
        address->replaceAllUsesWith(llvm::Constant::getNullValue(address->getType()));
  }
}

/// A literal's type is packed and may end anywhere; a variable of a work-item follows that of the one before, so it takes a whole
/// number of its alignment.
void fill_up_literals(llvm::Function& function) {
  const llvm::DataLayout& layout = function.getDataLayout();
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    const auto* const type = variable ? llvm::dyn_cast<llvm::StructType>(variable->getAllocatedType()) : nullptr;
    if (!type || !type->isPacked()) continue;
    const std::uint64_t bytes = llvm::alignTo(layout.getTypeAllocSize(variable->getAllocatedType()).getFixedValue(), variable->getAlign());
    variable->setAllocatedType(llvm::ArrayType::get(llvm::Type::getInt8Ty(function.getContext()), bytes));
  }
}

}  // namespace

bool takes_block_kernel(const llvm::Function& function) {
  const llvm::StringRef name = function.getName();
  return name.starts_with("__enqueue_kernel_") || (name.starts_with("__get_kernel_") && name.ends_with("_impl"));
}

void prepare_blocks(llvm::Module& module, bool explains) {
  for (llvm::Function& function : llvm::make_early_inc_range(module))
    if (is_block_kernel(function)) take_literal_as_constant(function);
  drop_addresses(module);
  if (llvm::any_of(module, takes_block_kernel)) llvm::for_each(module, fill_up_literals);
  if (!explains) return;
  for (llvm::Function& function : module) {
    if (!function.getName().starts_with("__enqueue_kernel_")) continue;
    for (llvm::User* user : function.users()) {
      auto* call = llvm::cast<llvm::CallBase>(user);
      constexpr unsigned kFlags = 1;
      llvm::IRBuilder<> builder(call);
      call->setArgOperand(kFlags, builder.CreateOr(call->getArgOperand(kFlags), builder.getInt32(abi::kEnqueueExplains)));
    }
  }
}

}  // namespace weft::compiler::frontend
