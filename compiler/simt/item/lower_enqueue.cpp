#include "compiler/simt/item/lower_enqueue.h"

#include <cstddef>

#include "compiler/simt/ir/primitives.h"
#include "device/kernel_abi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace weft::compiler::simt {
namespace {

/// `name.launch(launch, arguments of the primitive)`, which calls the host's function in the field at `offset`.
llvm::Function* define_call(llvm::Module& module, const llvm::Function& primitive, std::uint64_t offset) {
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  llvm::SmallVector<llvm::Type*, 4> types = {pointer};
  llvm::append_range(types, primitive.getFunctionType()->params());
  auto* type = llvm::FunctionType::get(primitive.getReturnType(), types, false);
  auto* made = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, primitive.getName() + ".launch", module);
  made->addFnAttr(llvm::Attribute::NoInline);
  made->addFnAttr(llvm::Attribute::NoUnwind);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "entry", made));
  const auto field = [&](llvm::Value* base, std::uint64_t at, const llvm::Twine& name) {
    return builder.CreateAlignedLoad(pointer, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, at), llvm::Align(8), name);
  };
  llvm::Value* queues = field(made->getArg(0), offsetof(abi::LaunchInfo, queues), "queues");
  llvm::Value* target = field(queues, offset, "function");
  llvm::SmallVector<llvm::Value*, 4> arguments = {queues};
  for (llvm::Argument& argument : llvm::drop_begin(made->args())) arguments.push_back(&argument);
  builder.CreateRet(builder.CreateCall(type, target, arguments));
  return made;
}

void lower_calls(llvm::Module& module, llvm::Function& item, llvm::StringRef name, std::uint64_t offset) {
  llvm::Function* primitive = module.getFunction(name);
  if (!primitive) return;
  llvm::Function* target = nullptr;
  for (llvm::User* user : llvm::make_early_inc_range(primitive->users())) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(user);
    if (!call || call->getFunction() != &item) continue;
    if (!target) target = define_call(module, *primitive, offset);
    llvm::SmallVector<llvm::Value*, 4> arguments = {item.getArg(0)};
    llvm::append_range(arguments, call->args());
    llvm::CallInst* made = llvm::IRBuilder<>(call).CreateCall(target, arguments);
    made->takeName(call);
    call->replaceAllUsesWith(made);
    call->eraseFromParent();
  }
}

}  // namespace

void lower_enqueue(llvm::Module& module, llvm::Function& item) {
  lower_calls(module, item, primitive::kEnqueue, offsetof(abi::DeviceQueues, enqueue));
  lower_calls(module, item, primitive::kQueueCall, offsetof(abi::DeviceQueues, call));
}

}  // namespace weft::compiler::simt
