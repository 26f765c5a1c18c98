#include "compiler/simt/item/complete_unroll.h"

#include <cstdint>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
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
/// Steps of a loop that copies elements of variables that stay in memory: unrolled, more take long to compile and run no faster. As kMaxChosenFields
/// of expand_copies.cpp, which does not make such a loop of fewer fields.
constexpr unsigned kMostSteps = 32;

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

/// Whether `offset` is constant once all loops are unrolled that can be.
bool becomes_constant(const llvm::SCEV* offset, llvm::ScalarEvolution& evolution) {
  return !llvm::SCEVExprContains(offset, [&](const llvm::SCEV* part) {
    const auto* step = llvm::dyn_cast<llvm::SCEVAddRecExpr>(part);
    return llvm::isa<llvm::SCEVUnknown, llvm::SCEVCouldNotCompute>(part) || (step && evolution.getSmallConstantTripCount(step->getLoop()) == 0);
  });
}

/// Whether `variable` stays in memory whatever is unrolled: some access has an index that the program computes.
bool stays_in_memory(const llvm::AllocaInst& variable, llvm::ScalarEvolution& evolution) {
  const llvm::SCEV* base = evolution.getSCEV(const_cast<llvm::AllocaInst*>(&variable));
  llvm::SmallVector<const llvm::Value*, 16> places = {&variable};
  for (std::size_t i = 0; i < places.size(); ++i)
    for (const llvm::User* user : places[i]->users()) {
      if (!llvm::isa<llvm::GetElementPtrInst>(user)) continue;
      places.push_back(user);
      if (!becomes_constant(evolution.getMinusSCEV(evolution.getSCEV(const_cast<llvm::User*>(user)), base), evolution)) return true;
    }
  return false;
}

/// Whether `loop` copies elements between memory of several work-items and variables that stay in memory, so that to unroll it gains nothing.
bool copies_memory(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  if (moved_bytes(loop) == 0) return false;
  bool has_variable = false, has_shared = false, has_load = false;
  for (const llvm::BasicBlock* block : loop.blocks())
    for (const llvm::Instruction& instruction : *block) {
      const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
      if (!pointer) continue;
      has_load |= llvm::isa<llvm::LoadInst>(instruction);
      const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer));
      if (variable && !stays_in_memory(*variable, evolution)) return false;
      (variable ? has_variable : has_shared) = true;
    }
  return has_variable && has_shared && has_load;
}

/// Loops as long shift registers of FPGAs' kernels have them stay loops, though the program asks to unroll them: there it costs no time to move all at once.
/// So do long copies of variables of which the program chooses elements elsewhere: they are no registers, whatever is unrolled.
void keep_long_moves(llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution) {
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    const llvm::TransformationMode asked = llvm::hasUnrollTransformation(loop);
    const unsigned count = evolution.getSmallConstantTripCount(loop);
    const bool is_long = asked == llvm::TM_ForcedByUser ? moved_bytes(*loop) * count > kMostMoved
                                                        : asked == llvm::TM_Unspecified && count > kMostSteps && copies_memory(*loop, evolution);
    if (is_long) loop->setLoopAlreadyUnrolled();
  }
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
