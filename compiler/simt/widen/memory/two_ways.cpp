#include "compiler/simt/widen/memory/two_ways.h"

#include <llvm/IR/MDBuilder.h>

namespace weft::compiler::simt {

Parts emit_two_ways(Emitter& emitter, llvm::Value* condition, const TwoWays& ways, llvm::function_ref<Parts()> usual,
                    llvm::function_ref<Parts()> other) {
  auto& builder = emitter.builder;
  auto* usual_block = emitter.new_block(ways.usual);
  auto* other_block = emitter.new_block(ways.other);
  auto* join = emitter.new_block(ways.join);
  builder.CreateCondBr(condition, usual_block, other_block,
                       ways.weighted ? llvm::MDBuilder(emitter.context).createLikelyBranchWeights() : nullptr);
  builder.SetInsertPoint(usual_block);
  const Parts usually = usual();
  llvm::BasicBlock* const usual_end = builder.GetInsertBlock();
  builder.CreateBr(join);
  builder.SetInsertPoint(other_block);
  const Parts otherwise = other();
  llvm::BasicBlock* const other_end = builder.GetInsertBlock();
  builder.CreateBr(join);
  builder.SetInsertPoint(join);
  Parts joined;
  for (unsigned i = 0; i < usually.size(); ++i) {
    llvm::PHINode* phi = builder.CreatePHI(usually[i]->getType(), 2);
    phi->addIncoming(usually[i], usual_end);
    phi->addIncoming(otherwise[i], other_end);
    joined.push_back(phi);
  }
  return joined;
}

}  // namespace weft::compiler::simt
