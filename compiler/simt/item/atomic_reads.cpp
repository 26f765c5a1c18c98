#include "compiler/simt/item/atomic_reads.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "compiler/simt/ir/memory_order.h"

namespace weft::compiler::simt {
namespace {

using llvm::AtomicCmpXchgInst;
using llvm::AtomicRMWInst;
using llvm::Instruction;
using llvm::Value;

/// What another update orders beside it, a load does not.
bool is_relaxed(llvm::AtomicOrdering ordering) { return !llvm::isStrongerThanMonotonic(ordering); }

llvm::LoadInst* load_before(Instruction& atomic, Value& pointer, llvm::Type& type, llvm::Align alignment) {
  return llvm::IRBuilder<>(&atomic).CreateAlignedLoad(&type, &pointer, alignment, /*isVolatile=*/true);
}

bool replace(AtomicRMWInst& update) {
  if (!is_relaxed(update.getOrdering()) || !leaves_what_it_finds(update)) return false;
  llvm::LoadInst* load = load_before(update, *update.getPointerOperand(), *update.getType(), update.getAlign());
  load->takeName(&update);
  update.replaceAllUsesWith(load);
  update.eraseFromParent();
  return true;
}

bool replace(AtomicCmpXchgInst& exchange) {
  Value* expected = exchange.getCompareOperand();
  if (!is_relaxed(exchange.getMergedOrdering()) || expected != exchange.getNewValOperand() || !expected->getType()->isIntegerTy()) return false;
  if (!llvm::all_of(exchange.users(), [](const llvm::User* user) { return llvm::isa<llvm::ExtractValueInst>(user); })) return false;
  llvm::LoadInst* load = load_before(exchange, *exchange.getPointerOperand(), *expected->getType(), exchange.getAlign());
  for (llvm::User* user : llvm::make_early_inc_range(exchange.users())) {
    auto& part = llvm::cast<llvm::ExtractValueInst>(*user);
    part.replaceAllUsesWith(part.getIndices().front() == 0 ? load : llvm::IRBuilder<>(&exchange).CreateICmpEQ(load, expected));
    part.eraseFromParent();
  }
  exchange.eraseFromParent();
  return true;
}

}  // namespace

bool read_without_updates(llvm::Function& item) {
  llvm::SmallVector<Instruction*, 8> atomics;
  for (Instruction& instruction : llvm::instructions(item))
    if (llvm::isa<AtomicRMWInst, AtomicCmpXchgInst>(instruction)) atomics.push_back(&instruction);
  bool any = false;
  for (Instruction* instruction : atomics) {
    auto* update = llvm::dyn_cast<AtomicRMWInst>(instruction);
    any |= update ? replace(*update) : replace(llvm::cast<AtomicCmpXchgInst>(*instruction));
  }
  return any;
}

}  // namespace weft::compiler::simt
