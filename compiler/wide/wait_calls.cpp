#include "compiler/wide/wait_calls.h"

#include <cstddef>
#include <cstdint>

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include "compiler/simt/item/marked_waits.h"
#include "device/kernel_abi.h"

namespace weft::compiler::wide {

void call_waits(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (!simt::is_wait(instruction)) continue;
    llvm::IRBuilder<> builder(&instruction);
    const auto field = [&](llvm::Value* base, std::uint64_t offset, const char* name) {
      llvm::Value* address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset);
      return builder.CreateAlignedLoad(builder.getPtrTy(), address, llvm::Align(8), name);
    };
    llvm::Value* services = field(function.getArg(0), offsetof(abi::LaunchInfo, services), "services");
    builder.CreateCall(llvm::FunctionType::get(builder.getVoidTy(), false), field(services, offsetof(abi::Services, wait), "wait"));
    instruction.eraseFromParent();
  }
}

}  // namespace weft::compiler::wide
