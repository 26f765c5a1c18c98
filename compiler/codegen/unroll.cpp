#include "compiler/codegen/unroll.h"

#include <algorithm>
#include <cstdint>

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace weft::compiler::codegen {
namespace {

/// No processor divides vectors of integers: an element is taken out, divided and put back, one after the other.
bool divides_elements(const llvm::Instruction& instruction) {
  return instruction.isIntDivRem() && instruction.getType()->isVectorTy() && !llvm::isa<llvm::Constant>(instruction.getOperand(1));
}

/// Of an access or an element that is put into a vector one, of arithmetic one each 64 bytes; addresses, casts and shuffles may be free.
std::uint64_t size_of(const llvm::Instruction& instruction) {
  if (divides_elements(instruction)) return 4 * llvm::cast<llvm::FixedVectorType>(instruction.getType())->getNumElements();
  if (instruction.mayReadOrWriteMemory() || llvm::isa<llvm::InsertElementInst>(instruction)) return 1;
  const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  const bool is_arithmetic = intrinsic ? llvm::isTriviallyVectorizable(intrinsic->getIntrinsicID())
                                       : llvm::isa<llvm::BinaryOperator, llvm::CmpInst, llvm::SelectInst>(instruction);
  if (!is_arithmetic) return 0;
  const llvm::Type* type = llvm::isa<llvm::CmpInst>(instruction) ? instruction.getOperand(0)->getType() : instruction.getType();
  return std::max<std::uint64_t>(1, type->getPrimitiveSizeInBits().getFixedValue() / 512);
}

/// Beside so many operations of a widened loop its branch is nothing. LLVM would unroll larger ones where a processor keeps thousands of
/// decoded instructions (Zen).
constexpr std::uint64_t kLargestBody = 48;
/// Of all iterations, where there are few at most: LLVM's bound is 150, which may double where much folds.
constexpr std::uint64_t kMostUnrolled = 300;

bool is_large(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  std::uint64_t size = 0;
  for (const llvm::BasicBlock* block : loop.blocks())
    for (const llvm::Instruction& instruction : *block) size += size_of(instruction);
  if (size <= kLargestBody) return false;
  const unsigned iterations = evolution.getSmallConstantMaxTripCount(&loop);
  return iterations == 0 || size * iterations > kMostUnrolled;
}

void set_metadata(const llvm::Loop& loop, llvm::MDNode* metadata) {
  llvm::SmallVector<llvm::BasicBlock*, 4> latches;
  loop.getLoopLatches(latches);
  for (llvm::BasicBlock* latch : latches) latch->getTerminator()->setMetadata(llvm::LLVMContext::MD_loop, metadata);
}

}  // namespace

llvm::PreservedAnalyses UnrollPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  llvm::LoopInfo& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  if (loops.empty()) return llvm::PreservedAnalyses::all();
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  // A loop that is marked stays one: what lies around it is larger still.
  llvm::SmallVector<std::pair<llvm::Loop*, llvm::MDNode*>, 8> marked;
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (llvm::hasUnrollTransformation(loop) != llvm::TM_Unspecified || !is_large(*loop, evolution)) continue;
    marked.emplace_back(loop, loop->getLoopID());
    loop->setLoopAlreadyUnrolled();
  }
  llvm::PreservedAnalyses preserved = llvm::LoopUnrollPass(llvm::LoopUnrollOptions(/*OptLevel=*/2).setPeeling(false)).run(function, analyses);
  for (const auto& [loop, metadata] : marked) set_metadata(*loop, metadata);
  return preserved;
}

}  // namespace weft::compiler::codegen
