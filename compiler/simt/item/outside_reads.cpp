#include "compiler/simt/item/outside_reads.h"

#include <llvm/ADT/APInt.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>
#include <cstdint>

namespace weft::compiler::simt {
namespace {

/// Bytes behind a table up to which a loop is taken to go a few steps too far; more are an index of which little is known.
constexpr std::uint64_t kMostBehind = 256;

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

/// The table of constants that `load` reads an element of, by a number that is known when the program runs; null: none.
llvm::GlobalVariable* table_of(const llvm::LoadInst& load) {
  auto* table = llvm::dyn_cast<llvm::GlobalVariable>(const_cast<llvm::Value*>(llvm::getUnderlyingObject(load.getPointerOperand())));
  const bool is_known = table && table->isConstant() && table->hasDefinitiveInitializer();
  return is_known && llvm::isa<llvm::ArrayType>(table->getValueType()) ? table : nullptr;
}

/// `table` with zeros behind it, up to `bytes`, in its place.
void pad(llvm::GlobalVariable& table, std::uint64_t bytes, const llvm::DataLayout& layout) {
  auto* type = llvm::cast<llvm::ArrayType>(table.getValueType());
  llvm::Type* element = type->getElementType();
  llvm::SmallVector<llvm::Constant*, 64> elements;
  for (unsigned i = 0; i < type->getNumElements(); ++i) elements.push_back(table.getInitializer()->getAggregateElement(i));
  elements.resize(llvm::divideCeil(bytes, layout.getTypeAllocSize(element).getFixedValue()), llvm::Constant::getNullValue(element));
  auto* padded = llvm::ConstantArray::get(llvm::ArrayType::get(element, elements.size()), elements);
  auto* made = new llvm::GlobalVariable(*table.getParent(), padded->getType(), /*isConstant=*/true, table.getLinkage(), padded, "", &table,
                                        table.getThreadLocalMode(), table.getAddressSpace());
  made->copyAttributesFrom(&table);
  made->takeName(&table);
  table.replaceAllUsesWith(made);
  table.eraseFromParent();
}

}  // namespace

llvm::PreservedAnalyses PaddedTablesPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  if (analyses.getResult<llvm::LoopAnalysis>(function).empty()) return llvm::PreservedAnalyses::all();
  const llvm::DataLayout& layout = function.getDataLayout();
  llvm::MapVector<llvm::GlobalVariable*, std::uint64_t> short_tables;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    llvm::GlobalVariable* table = load ? table_of(*load) : nullptr;
    if (!table || table == load->getPointerOperand()) continue;
    auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
    const llvm::SCEV* offset = evolution.getMinusSCEV(evolution.getSCEV(load->getPointerOperand()), evolution.getSCEV(table));
    if (llvm::isa<llvm::SCEVCouldNotCompute>(offset)) continue;
    const std::uint64_t size = layout.getTypeAllocSize(table->getValueType()).getFixedValue();
    const std::uint64_t last = evolution.getUnsignedRangeMax(offset).getLimitedValue(~std::uint64_t{0} >> 1);
    const std::uint64_t end = last + layout.getTypeStoreSize(load->getType()).getFixedValue();
    if (end > size && end - size <= kMostBehind) short_tables[table] = std::max(short_tables[table], end);
  }
  if (short_tables.empty()) return llvm::PreservedAnalyses::all();
  for (const auto& [table, bytes] : short_tables) pad(*table, bytes, layout);
  return llvm::PreservedAnalyses::none();
}

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
