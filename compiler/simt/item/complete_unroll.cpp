#include "compiler/simt/item/complete_unroll.h"

#include <cstdint>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace weft::compiler::simt {
namespace {

/// Of one loop LLVM makes no more: its bound is 150, which grows fourfold where indices and conditions fold, of which half may go.
constexpr std::uint64_t kMostOfOne = 1200;
/// Of all loops. Kernels of so many instructions take the better part of a second to compile.
constexpr std::uint64_t kMostOfAll = 4000;
/// Bytes that a loop moves from one place of memory to another, element by element: more are no registers, whatever becomes of the loop.
constexpr std::uint64_t kMostMoved = 3072;

/// Instructions that remain in each iteration: addresses fold into accesses, branches go.
bool remains(const llvm::Instruction& instruction) {
  return !instruction.isTerminator() && !instruction.isDebugOrPseudoInst() && !llvm::isa<llvm::PHINode, llvm::GetElementPtrInst, llvm::CastInst>(instruction);
}

/// Bytes that each iteration of `loop` stores; 0 where it does anything else than to move elements.
std::uint64_t moved_bytes(const llvm::Loop& loop) {
  if (!loop.isInnermost()) return 0;
  std::uint64_t bytes = 0;
  for (const llvm::BasicBlock* block : loop.blocks())
    for (const llvm::Instruction& instruction : *block) {
      if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
        bytes += block->getDataLayout().getTypeStoreSize(store->getValueOperand()->getType()).getFixedValue();
      else if (!instruction.isTerminator() && !instruction.isDebugOrPseudoInst() &&
               !llvm::isa<llvm::LoadInst, llvm::PHINode, llvm::GetElementPtrInst, llvm::CastInst, llvm::ICmpInst>(instruction) &&
               !(llvm::isa<llvm::BinaryOperator>(instruction) && instruction.getType()->isIntegerTy()))
        return 0;
    }
  return bytes;
}

/// Loops as long shift registers of FPGAs' kernels have them stay loops, though the program asks to unroll them: there it costs no time to move all at once.
void keep_long_moves(llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution) {
  for (llvm::Loop* loop : loops.getLoopsInPreorder())
    if (llvm::hasUnrollTransformation(loop) == llvm::TM_ForcedByUser && moved_bytes(*loop) * evolution.getSmallConstantTripCount(loop) > kMostMoved)
      loop->setLoopAlreadyUnrolled();
}

class Sizes {
 public:
  explicit Sizes(llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution) : loops_(loops), evolution_(evolution) {}

  /// What `loop` comes to when it and those within it are unrolled as far as LLVM unrolls them; adds to `unrolled` what of that are copies.
  std::uint64_t size(const llvm::Loop& loop, std::uint64_t& unrolled) {
    std::uint64_t body = 0, inner = 0;
    for (const llvm::BasicBlock* block : loop.blocks())
      if (loops_.getLoopFor(block) == &loop)
        for (const llvm::Instruction& instruction : *block) body += remains(instruction);
    for (const llvm::Loop* child : loop) body += size(*child, inner);
    const unsigned count = llvm::hasUnrollTransformation(&loop) == llvm::TM_Unspecified ? evolution_.getSmallConstantTripCount(&loop) : 0;
    const std::uint64_t whole = body * count;
    if (count == 0 || whole > kMostOfOne) {
      unrolled += inner;
      return body;
    }
    unrolled += whole;
    return whole;
  }

 private:
  llvm::LoopInfo& loops_;
  llvm::ScalarEvolution& evolution_;
};

}  // namespace

llvm::PreservedAnalyses CompleteUnrollPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  llvm::LoopInfo& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  if (loops.empty()) return llvm::PreservedAnalyses::all();
  keep_long_moves(loops, analyses.getResult<llvm::ScalarEvolutionAnalysis>(function));
  Sizes sizes(loops, analyses.getResult<llvm::ScalarEvolutionAnalysis>(function));
  std::uint64_t unrolled = 0;
  for (const llvm::Loop* loop : loops) sizes.size(*loop, unrolled);
  return llvm::LoopUnrollPass(llvm::LoopUnrollOptions(/*OptLevel=*/2, /*OnlyWhenForced=*/unrolled > kMostOfAll)
                                  .setPartial(false)
                                  .setPeeling(false)
                                  .setRuntime(false)
                                  .setUpperBound(false)
                                  .setProfileBasedPeeling(0))
      .run(function, analyses);
}

}  // namespace weft::compiler::simt
