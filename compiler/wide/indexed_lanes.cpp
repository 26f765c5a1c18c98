#include "compiler/wide/indexed_lanes.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

namespace weft::compiler::wide {
namespace {

using llvm::Value;
using Extracts = llvm::SmallVector<llvm::ExtractElementInst*, 4>;

/// Bytes on the stack, all vectors together.
constexpr std::uint64_t kMostBytes = 8192;

/// Whether `extract` takes an element that memory could hand out: whole bytes, an index that a mask keeps within the vector.
bool is_indexed(const llvm::ExtractElementInst& extract) {
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(extract.getVectorOperandType());
  return type && !llvm::isa<llvm::Constant>(extract.getIndexOperand()) && !llvm::isa<llvm::Constant>(extract.getVectorOperand()) &&
         llvm::isPowerOf2_32(type->getNumElements()) && type->getScalarSizeInBits() >= 8 &&
         llvm::isPowerOf2_32(type->getScalarSizeInBits());
}

/// Stores `vector` where it is made, and lets the loops take elements of that.
void keep(llvm::Function& function, Value& vector, llvm::ArrayRef<llvm::ExtractElementInst*> extracts) {
  auto* type = llvm::cast<llvm::FixedVectorType>(vector.getType());
  llvm::IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  const llvm::DataLayout& layout = function.getParent()->getDataLayout();
  const llvm::Align align = std::min(layout.getPrefTypeAlign(type), llvm::Align(64));
  llvm::AllocaInst* lanes = builder.CreateAlloca(type, nullptr, "lanes");
  lanes->setAlignment(align);
  if (auto* made = llvm::dyn_cast<llvm::Instruction>(&vector)) builder.SetInsertPoint(*made->getInsertionPointAfterDef());
  builder.CreateAlignedStore(&vector, lanes, align);
  for (llvm::ExtractElementInst* extract : extracts) {
    builder.SetInsertPoint(extract);
    Value* index = builder.CreateZExtOrTrunc(extract->getIndexOperand(), builder.getInt64Ty());
    index = builder.CreateAnd(index, type->getNumElements() - 1);
    Value* address = builder.CreateInBoundsGEP(type->getElementType(), lanes, index);
    Value* element = builder.CreateAlignedLoad(type->getElementType(), address, layout.getABITypeAlign(type->getElementType()));
    element->takeName(extract);
    extract->replaceAllUsesWith(element);
    extract->eraseFromParent();
  }
}

}  // namespace

void keep_indexed_lanes(llvm::Function& function) {
  Extracts indexed;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(&instruction); extract && is_indexed(*extract)) indexed.push_back(extract);
  if (indexed.empty()) return;
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  llvm::MapVector<Value*, Extracts> taken;
  for (llvm::ExtractElementInst* extract : indexed) {
    const llvm::Loop* loop = loops.getLoopFor(extract->getParent());
    if (loop && loop->isLoopInvariant(extract->getVectorOperand())) taken[extract->getVectorOperand()].push_back(extract);
  }
  std::uint64_t bytes = 0;
  for (const auto& [vector, extracts] : taken) {
    bytes += vector->getType()->getPrimitiveSizeInBits().getFixedValue() / 8;
    if (bytes > kMostBytes) return;
    keep(function, *vector, extracts);
  }
}

}  // namespace weft::compiler::wide
