#include "compiler/simt/widen/rolled_loop.h"

#include <llvm/ADT/STLExtras.h>

#include "compiler/simt/ir/kept_forms.h"
#include "compiler/simt/widen/emitter.h"

namespace weft::compiler::simt {

void rolled_loop(Emitter& emitter, unsigned count, unsigned step, llvm::function_ref<void(llvm::Value* lane)> emit) {
  rolled_loop(emitter, count, step, {}, [&](llvm::Value* lane, llvm::ArrayRef<llvm::Value*>) -> Carried {
    emit(lane);
    return {};
  });
}

void rolled_loop(Emitter& emitter, unsigned count, unsigned step, llvm::ArrayRef<llvm::Value*> first,
                 llvm::function_ref<Carried(llvm::Value* lane, llvm::ArrayRef<llvm::Value*> carried)> emit) {
  auto& builder = emitter.builder;
  llvm::BasicBlock* before = builder.GetInsertBlock();
  auto* loop = emitter.new_block("rolled");
  auto* after = emitter.new_block("rolled.done");
  builder.CreateBr(loop);
  builder.SetInsertPoint(loop);
  llvm::PHINode* lane = builder.CreatePHI(builder.getInt64Ty(), 2, "lane");
  lane->addIncoming(builder.getInt64(0), before);
  Carried carried;
  for (llvm::Value* one : first) {
    llvm::PHINode* phi = builder.CreatePHI(one->getType(), 2, "carried");
    phi->addIncoming(one, before);
    carried.push_back(phi);
  }
  const Carried following = emit(lane, carried);
  for (auto [phi, next] : llvm::zip_equal(carried, following))
    llvm::cast<llvm::PHINode>(phi)->addIncoming(next, builder.GetInsertBlock());
  llvm::Value* next = builder.CreateAdd(lane, builder.getInt64(step), "", true, true);
  lane->addIncoming(next, builder.GetInsertBlock());
  llvm::BranchInst* back = builder.CreateCondBr(builder.CreateICmpEQ(next, builder.getInt64(count)), after, loop);
  keep_rolled(*back);
  builder.SetInsertPoint(after);
}

}  // namespace weft::compiler::simt
