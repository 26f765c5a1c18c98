#include "compiler/spirv/blocks.h"

#include <cstdint>
#include <iterator>

#include "compiler/frontend/blocks.h"
#include "compiler/simt/ir/address_spaces.h"
#include "compiler/translator/translate.h"
#include "device/kernel_abi.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

namespace weft::compiler::spirv {
namespace {

using llvm::Value;

class Blocks {
 public:
  explicit Blocks(llvm::Module& module) : module_(module), context_(module.getContext()) {}

  llvm::Error run() {
    llvm::SmallVector<llvm::CallInst*, 8> calls;
    for (llvm::Function& function : module_)
      if (frontend::takes_block_kernel(function))
        for (llvm::User* user : function.users())
          if (auto* call = llvm::dyn_cast<llvm::CallInst>(user)) calls.push_back(call);
    for (llvm::CallInst* call : calls)
      if (llvm::Error error = rewrite(*call)) return error;
    for (llvm::Function& function : llvm::make_early_inc_range(module_))
      if (function.isDeclaration() && function.use_empty() &&
          (function.getName().starts_with(translator::kBlockParameter) || with_addresses_.contains(&function)))
        function.eraseFromParent();
    return llvm::Error::success();
  }

 private:
  /// The function among the arguments, which the parameter follows.
  static llvm::Use* invoked(llvm::CallInst& call) {
    llvm::Use* const found = llvm::find_if(call.args(), [](llvm::Use& use) { return llvm::isa<llvm::Function>(use->stripPointerCasts()); });
    return found == call.arg_end() ? nullptr : found;
  }

  llvm::Error rewrite(llvm::CallInst& call) {
    llvm::Use* const use = invoked(call);
    if (!use) return llvm::createStringError("error: what is enqueued is not known\n");
    auto& function = *llvm::cast<llvm::Function>((*use)->stripPointerCasts());
    llvm::Use& parameter = *std::next(use);
    auto* const given = llvm::dyn_cast<llvm::CallInst>(parameter->stripPointerCasts());
    if (given && given->getCalledFunction() && given->getCalledFunction()->getName().starts_with(translator::kBlockParameter)) {
      const auto* size = llvm::dyn_cast<llvm::ConstantInt>(given->getArgOperand(1));
      if (!size) return llvm::createStringError("error: a parameter of what is enqueued has a size that is not constant\n");
      parameter.set(make_literal(*given, *given->getArgOperand(0), size->getZExtValue()));
      given->replaceAllUsesWith(given->getArgOperand(0));
      given->eraseFromParent();
    }
    llvm::Function*& kernel = kernels_[&function];
    if (!kernel) kernel = make_kernel(function);
    Value* const old = use->get();
    use->set(llvm::ConstantExpr::getAddrSpaceCast(kernel, old->getType()));
    llvm::RecursivelyDeleteTriviallyDeadInstructions(old);  // a cast of the function, whose address nothing has then
    pass_in_memory(call, parameter.getOperandNo());
    return llvm::Error::success();
  }

  llvm::AllocaInst* variable(llvm::CallInst& call, llvm::Type* type, unsigned align) {
    llvm::BasicBlock& entry = call.getFunction()->getEntryBlock();
    llvm::AllocaInst* made = llvm::IRBuilder<>(&entry, entry.begin()).CreateAlloca(type);
    made->setAlignment(llvm::Align(align));
    return made;
  }

  /// A literal of `size` bytes from `from`.
  Value* make_literal(llvm::CallInst& place, Value& from, std::uint64_t size) {
    llvm::IRBuilder<> builder(&place);
    llvm::Type* byte = builder.getInt8Ty();
    llvm::AllocaInst* literal = variable(place, llvm::ArrayType::get(byte, llvm::alignTo(kParameterOffset + size, 8)), 8);
    builder.CreateStore(builder.getInt32(static_cast<std::uint32_t>(kParameterOffset + size)), literal);
    builder.CreateMemCpy(builder.CreateConstInBoundsGEP1_64(byte, literal, kParameterOffset), llvm::Align(8), &from, llvm::Align(1), size);
    return builder.CreateAddrSpaceCast(literal, builder.getPtrTy(simt::kGenericSpace));
  }

  /// The kernel of a block that calls `function`. One that is a kernel already is none of the application's.
  llvm::Function* make_kernel(llvm::Function& function) {
    llvm::SmallVector<llvm::Type*, 4> types(function.getFunctionType()->params());
    types.front() = llvm::PointerType::get(context_, simt::kConstantSpace);
    auto* kernel = llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context_), types, false),
                                          llvm::GlobalValue::InternalLinkage, (function.hasName() ? function.getName() : "enqueued") + ".block", module_);
    kernel->setCallingConv(llvm::CallingConv::SPIR_KERNEL);
    kernel->addFnAttr(frontend::kBlockAttribute);
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context_, "entry", kernel));
    llvm::SmallVector<Value*, 4> arguments;
    for (llvm::Argument& argument : kernel->args()) arguments.push_back(&argument);
    Value* const parameter = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), arguments.front(), kParameterOffset);
    Value* const generic = builder.CreateAddrSpaceCast(parameter, builder.getPtrTy(simt::kGenericSpace));
    arguments.front() = builder.CreateAddrSpaceCast(generic, function.getArg(0)->getType());
    if (function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL) function.setCallingConv(llvm::CallingConv::SPIR_FUNC);
    builder.CreateCall(&function, arguments)->setCallingConv(function.getCallingConv());
    builder.CreateRetVoid();
    return kernel;
  }

  /// SPIR-V has the range and the sizes of local memory, which come last, as values; Clang has their addresses.
  void pass_in_memory(llvm::CallInst& call, unsigned parameter) {
    llvm::IRBuilder<> builder(&call);
    llvm::SmallVector<Value*, 12> arguments;
    const unsigned sizes = parameter + 2;  // behind their number
    for (unsigned i = 0; i < call.arg_size() && (i < sizes || call.getArgOperand(i)->getType()->isPointerTy()); ++i) {
      Value* argument = call.getArgOperand(i);
      if (argument->getType()->isStructTy()) {
        llvm::AllocaInst* const range = variable(call, argument->getType(), 8);
        builder.CreateStore(argument, range);
        argument = range;
      }
      arguments.push_back(argument);
    }
    if (const unsigned count = call.arg_size() - static_cast<unsigned>(arguments.size())) {
      llvm::AllocaInst* const local_bytes = variable(call, llvm::ArrayType::get(builder.getInt64Ty(), count), 8);
      for (unsigned i = 0; i < count; ++i)
        builder.CreateStore(builder.CreateZExtOrTrunc(call.getArgOperand(sizes + i), builder.getInt64Ty()),
                            builder.CreateConstInBoundsGEP1_64(builder.getInt64Ty(), local_bytes, i));
      arguments.push_back(local_bytes);
    }
    llvm::Function& old = *call.getCalledFunction();
    llvm::SmallVector<llvm::Type*, 12> types;
    for (const Value* argument : arguments) types.push_back(argument->getType());
    auto* type = llvm::FunctionType::get(old.getReturnType(), types, false);
    if (type == old.getFunctionType()) return;
    llvm::Function*& made = with_addresses_[&old];
    if (!made) {
      made = llvm::Function::Create(type, old.getLinkage(), "", &module_);
      made->takeName(&old);
      made->setCallingConv(old.getCallingConv());
    }
    llvm::CallInst* const changed = builder.CreateCall(made, arguments);
    changed->setCallingConv(call.getCallingConv());
    changed->setAttributes(llvm::AttributeList::get(context_, llvm::AttributeList::FunctionIndex,
                                                    llvm::AttrBuilder(context_, call.getAttributes().getFnAttrs())));
    call.replaceAllUsesWith(changed);
    call.eraseFromParent();
  }

  /// In a literal, where its kernel expects the parameter: aligned as the largest type.
  static constexpr std::uint64_t kParameterOffset = 128;
  static_assert(kParameterOffset >= sizeof(abi::BlockLiteral));

  llvm::Module& module_;
  llvm::LLVMContext& context_;
  llvm::DenseMap<llvm::Function*, llvm::Function*> kernels_;
  llvm::DenseMap<llvm::Function*, llvm::Function*> with_addresses_;
};

}  // namespace

llvm::Error make_block_kernels(llvm::Module& module) { return Blocks(module).run(); }

}  // namespace weft::compiler::spirv
