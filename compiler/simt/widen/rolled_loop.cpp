#include "compiler/simt/widen/rolled_loop.h"

#include <llvm/IR/Metadata.h>

#include "compiler/simt/widen/emitter.h"

namespace weft::compiler::simt {

void rolled_loop(Emitter& emitter, unsigned count, unsigned step, llvm::function_ref<void(llvm::Value* lane)> emit) {
  rolled_loop(emitter, count, step, nullptr, [&](llvm::Value* lane, llvm::Value*) -> llvm::Value* {
    emit(lane);
    return nullptr;
  });
}

void rolled_loop(Emitter& emitter, unsigned count, unsigned step, llvm::Value* first,
                 llvm::function_ref<llvm::Value*(llvm::Value* lane, llvm::Value* carried)> emit) {
  auto& builder = emitter.builder;
  llvm::BasicBlock* before = builder.GetInsertBlock();
  auto* loop = emitter.new_block("rolled");
  auto* after = emitter.new_block("rolled.done");
  builder.CreateBr(loop);
  builder.SetInsertPoint(loop);
  llvm::PHINode* lane = builder.CreatePHI(builder.getInt64Ty(), 2, "lane");
  lane->addIncoming(builder.getInt64(0), before);
  llvm::PHINode* carried = nullptr;
  if (first) {
    carried = builder.CreatePHI(first->getType(), 2, "carried");
    carried->addIncoming(first, before);
  }
  llvm::Value* following = emit(lane, carried);
  if (carried) carried->addIncoming(following, builder.GetInsertBlock());
  llvm::Value* next = builder.CreateAdd(lane, builder.getInt64(step), "", true, true);
  lane->addIncoming(next, builder.GetInsertBlock());
  llvm::BranchInst* back = builder.CreateCondBr(builder.CreateICmpEQ(next, builder.getInt64(count)), after, loop);
  auto* plain = llvm::MDNode::get(emitter.context, llvm::MDString::get(emitter.context, "llvm.loop.unroll.disable"));
  llvm::MDNode* id = llvm::MDNode::getDistinct(emitter.context, {nullptr, plain});
  id->replaceOperandWith(0, id);
  back->setMetadata(llvm::LLVMContext::MD_loop, id);
  builder.SetInsertPoint(after);
}

}  // namespace weft::compiler::simt
