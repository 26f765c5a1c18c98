#include "compiler/simt/barriers/flush_denormals.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>

namespace weft::compiler::simt {
namespace {

// Bits of MXCSR (Intel 64 SDM, volume 1, §10.2.3). The engine's state beside them: no traps, rounding to nearest.
constexpr std::uint32_t kEngines = 0x1f80, kResults = 0x8000, kOperands = 0x40;

void load_state(llvm::IRBuilder<>& builder, llvm::Value* slot, std::uint32_t state) {
  builder.CreateStore(builder.getInt32(state), slot);
  builder.CreateIntrinsic(builder.getVoidTy(), llvm::Intrinsic::x86_sse_ldmxcsr, {slot});
}

}  // namespace

void flush_denormals(llvm::Function& group, bool has_half_conversions) {
  llvm::IRBuilder<> builder(&*group.getEntryBlock().getFirstInsertionPt());
  llvm::AllocaInst* slot = builder.CreateAlloca(builder.getInt32Ty(), nullptr, "mxcsr");
  load_state(builder, slot, kEngines | kResults | (has_half_conversions ? kOperands : 0));
  for (llvm::BasicBlock& block : group) {
    if (!llvm::isa<llvm::ReturnInst>(block.getTerminator())) continue;
    builder.SetInsertPoint(block.getTerminator());
    load_state(builder, slot, kEngines);
  }
}

}  // namespace weft::compiler::simt
