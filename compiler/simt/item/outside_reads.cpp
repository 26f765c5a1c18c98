#include "compiler/simt/item/outside_reads.h"

#include <llvm/ADT/APInt.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>

namespace weft::compiler::simt {
namespace {

/// Whether all that `load` reads lies outside of the private variable that its address is made of, by a constant.
bool is_outside(const llvm::LoadInst& load, const llvm::DataLayout& layout) {
  llvm::APInt offset(layout.getIndexTypeSizeInBits(load.getPointerOperandType()), 0);
  const llvm::Value* base = load.getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(base);
  if (!variable || offset.getBitWidth() > 64) return false;
  const auto size = variable->getAllocationSize(layout);
  const llvm::TypeSize read = layout.getTypeStoreSize(load.getType());
  if (!size || size->isScalable() || read.isScalable()) return false;
  const std::int64_t first = offset.getSExtValue();
  return first >= static_cast<std::int64_t>(size->getFixedValue()) || first <= -static_cast<std::int64_t>(read.getFixedValue());
}

}  // namespace

llvm::PreservedAnalyses OutsideReadsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool found = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (!load || !is_outside(*load, function.getDataLayout())) continue;
    load->replaceAllUsesWith(llvm::Constant::getNullValue(load->getType()));
    load->eraseFromParent();
    found = true;
  }
  if (!found) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

}  // namespace weft::compiler::simt
