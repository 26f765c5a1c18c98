#include "compiler/simt/item/lower_printf.h"

#include <algorithm>
#include <cstddef>

#include "compiler/simt/analysis/uniformity.h"
#include "device/kernel_abi.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Alignment.h"

namespace weft::compiler::simt {
namespace {

struct PackedArgument {
  llvm::Value* value;  ///< promoted
  std::uint64_t offset;
};

/// Promotes `value` as OpenCL C's varargs do: integers to at least 32 bits, floating-point scalars to double,
/// pointers to the host's. Vectors are not promoted.
llvm::Value* promote(llvm::Value* value, llvm::IRBuilder<>& builder) {
  llvm::Type* type = value->getType();
  if (type->isFloatTy() || type->isHalfTy()) return builder.CreateFPExt(value, builder.getDoubleTy());
  if (type->isIntegerTy() && type->getIntegerBitWidth() < 32)
    return builder.CreateSExt(value, builder.getInt32Ty());
  if (type->isPointerTy()) return builder.CreateAddrSpaceCast(value, builder.getPtrTy());
  return value;
}

/// Bytes in the buffer: a 3-vector takes the room of 4 elements.
std::uint64_t packed_size(const llvm::Type& type, const llvm::DataLayout& layout) {
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type)) {
    const std::uint64_t elements = vector->getNumElements() == 3 ? 4 : vector->getNumElements();
    return elements * layout.getTypeStoreSize(vector->getElementType());
  }
  return layout.getTypeStoreSize(const_cast<llvm::Type*>(&type));
}

llvm::Function* define_print(llvm::Module& module) {
  if (llvm::Function* existing = module.getFunction(primitive::kPrint)) return existing;
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  llvm::Type* number = llvm::Type::getInt32Ty(context);
  auto* type =
      llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer, pointer, pointer, number}, false);
  auto* print = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, primitive::kPrint, module);
  print->addFnAttr(llvm::Attribute::NoInline);
  print->addFnAttr(llvm::Attribute::NoUnwind);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "entry", print));
  const auto field = [&](llvm::Value* base, std::uint64_t offset, const llvm::Twine& name) {
    llvm::Value* address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset);
    return builder.CreateAlignedLoad(pointer, address, llvm::Align(8), name);
  };
  llvm::Value* services = field(print->getArg(0), offsetof(abi::LaunchInfo, services), "services");
  llvm::Value* state = field(print->getArg(0), offsetof(abi::LaunchInfo, state), "state");
  llvm::Value* target = field(services, offsetof(abi::Services, print), "print");
  builder.CreateCall(type, target, {state, print->getArg(1), print->getArg(2), print->getArg(3)});
  builder.CreateRetVoid();
  return print;
}

void lower_call(llvm::CallInst& call, llvm::Function& item, llvm::Function& print) {
  const llvm::DataLayout& layout = item.getParent()->getDataLayout();
  llvm::IRBuilder<> builder(&call);
  llvm::SmallVector<PackedArgument, 8> arguments;
  std::uint64_t size = 0;
  for (llvm::Value* operand : llvm::drop_begin(call.args())) {
    llvm::Value* value = promote(operand, builder);
    const std::uint64_t bytes = packed_size(*value->getType(), layout);
    size = llvm::alignTo(size, std::min<std::uint64_t>(bytes, 8));
    arguments.push_back({value, size});
    size += bytes;
  }

  llvm::Value* buffer = llvm::ConstantPointerNull::get(builder.getPtrTy());
  if (size) {
    llvm::IRBuilder<> entry(&item.getEntryBlock(), item.getEntryBlock().getFirstInsertionPt());
    llvm::AllocaInst* variable =
        entry.CreateAlloca(llvm::ArrayType::get(entry.getInt8Ty(), size), nullptr, "printf");
    variable->setAlignment(llvm::Align(8));
    builder.CreateLifetimeStart(variable, builder.getInt64(size));
    for (const PackedArgument& argument : arguments) {
      // Stores element by element: the widener would split a warp-wide vector of vectors anyway.
      auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(argument.value->getType());
      const unsigned elements = vector ? vector->getNumElements() : 1;
      for (unsigned i = 0; i < elements; ++i) {
        llvm::Value* element = vector ? builder.CreateExtractElement(argument.value, i) : argument.value;
        const std::uint64_t bytes = layout.getTypeStoreSize(element->getType());
        llvm::Value* place =
            builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), variable, argument.offset + i * bytes);
        builder.CreateAlignedStore(element, place, llvm::Align(std::min<std::uint64_t>(bytes, 8)));
      }
    }
    buffer = variable;
  }
  llvm::Value* format = builder.CreateAddrSpaceCast(call.getArgOperand(0), builder.getPtrTy());
  builder.CreateCall(&print, {item.getArg(0), format, buffer, builder.getInt32(size)});
  if (size) builder.CreateLifetimeEnd(buffer, builder.getInt64(size));
  call.replaceAllUsesWith(llvm::ConstantInt::get(call.getType(), 0));
  call.eraseFromParent();
}

}  // namespace

void lower_printf(llvm::Module& module, llvm::Function& item) {
  llvm::SmallVector<llvm::CallInst*, 8> calls;
  for (llvm::Instruction& instruction : llvm::instructions(item))
    if (called_name(instruction) == "printf") calls.push_back(llvm::cast<llvm::CallInst>(&instruction));
  if (calls.empty()) return;
  llvm::Function* print = define_print(module);
  for (llvm::CallInst* call : calls) lower_call(*call, item, *print);
}

}  // namespace weft::compiler::simt
