#include "compiler/simt/widen/memory/two_ways.h"

#include <llvm/ADT/bit.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/MDBuilder.h>

namespace weft::compiler::simt {

namespace {

/// Vectors of three components a lane have no registers of their own, and LLVM takes them apart, element by element, where they cross from one block to
/// another: they go as three pieces.
bool crosses_in_pieces(const llvm::Value& part) {
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(part.getType());
  return type && type->getNumElements() % 3 == 0 && llvm::has_single_bit(type->getNumElements() / 3);
}

/// `parts`, those that cross in pieces as such.
Parts pieces_of(llvm::IRBuilderBase& builder, const Parts& parts) {
  Parts pieces;
  for (llvm::Value* part : parts) {
    if (!crosses_in_pieces(*part)) {
      pieces.push_back(part);
      continue;
    }
    const unsigned count = llvm::cast<llvm::FixedVectorType>(part->getType())->getNumElements() / 3;
    for (unsigned piece = 0; piece < 3; ++piece)
      pieces.push_back(builder.CreateShuffleVector(part, llvm::createSequentialMask(piece * count, count, 0)));
  }
  return pieces;
}

}  // namespace

Parts emit_two_ways(Emitter& emitter, llvm::Value* condition, const TwoWays& ways, llvm::function_ref<Parts()> usual,
                    llvm::function_ref<Parts()> other) {
  auto& builder = emitter.builder;
  auto* usual_block = emitter.new_block(ways.usual);
  auto* other_block = emitter.new_block(ways.other);
  auto* join = emitter.new_block(ways.join);
  builder.CreateCondBr(condition, usual_block, other_block,
                       ways.weighted ? llvm::MDBuilder(emitter.context).createLikelyBranchWeights() : nullptr);
  builder.SetInsertPoint(usual_block);
  const Parts usually = usual(), usual_pieces = pieces_of(builder, usually);
  llvm::BasicBlock* const usual_end = builder.GetInsertBlock();
  builder.CreateBr(join);
  builder.SetInsertPoint(other_block);
  const Parts other_pieces = pieces_of(builder, other());
  llvm::BasicBlock* const other_end = builder.GetInsertBlock();
  builder.CreateBr(join);
  builder.SetInsertPoint(join);
  Parts phis;
  for (unsigned i = 0; i < usual_pieces.size(); ++i) {
    llvm::PHINode* phi = builder.CreatePHI(usual_pieces[i]->getType(), 2);
    phi->addIncoming(usual_pieces[i], usual_end);
    phi->addIncoming(other_pieces[i], other_end);
    phis.push_back(phi);
  }
  Parts joined;
  for (llvm::ArrayRef<llvm::Value*> left = phis; llvm::Value* part : usually) {
    const unsigned count = crosses_in_pieces(*part) ? 3 : 1;
    joined.push_back(count == 1 ? left.front() : llvm::concatenateVectors(builder, left.take_front(count)));
    left = left.drop_front(count);
  }
  return joined;
}

}  // namespace weft::compiler::simt
