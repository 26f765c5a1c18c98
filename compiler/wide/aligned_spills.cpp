#include "compiler/wide/aligned_spills.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include "compiler/target/target.h"
#include "compiler/wide/splittable_range.h"

namespace weft::compiler::wide {
namespace {

/// How a caller leaves the stack, by the ABI.
constexpr unsigned kStackAlignmentBits = 128;

/// Whether values that `block` makes or uses take more registers at some place of it than there are. What only passes through it is
/// not seen, so that this takes one walk.
bool outgrows_registers(const llvm::BasicBlock& block) {
  llvm::DenseSet<const llvm::Value*> live;
  unsigned registers = 0;
  const auto add = [&](const llvm::Value& value) {
    if (!llvm::isa<llvm::Constant>(value) && live.insert(&value).second) registers += registers_of(*value.getType());
  };
  for (const llvm::Instruction& instruction : block)
    if (llvm::any_of(instruction.users(), [&](const llvm::User* user) {
          const auto& place = *llvm::cast<llvm::Instruction>(user);
          return place.getParent() != &block || llvm::isa<llvm::PHINode>(place);
        }))
      add(instruction);
  for (const llvm::Instruction& instruction : llvm::reverse(block)) {
    if (registers > target::vectors().registers) return true;
    if (live.erase(&instruction)) registers -= registers_of(*instruction.getType());
    if (llvm::isa<llvm::PHINode>(instruction)) continue;
    for (const llvm::Value* operand : instruction.operands()) {
      // What is loaded once for one instruction is most often its operand in memory.
      const bool in_memory = llvm::isa<llvm::LoadInst>(operand) && operand->hasOneUse();
      if (operand->getType()->isVectorTy() && !in_memory) add(*operand);
    }
  }
  return false;
}

}  // namespace

void align_spills(llvm::Function& function) {
  if (target::vectors().register_bits > kStackAlignmentBits && llvm::any_of(function, outgrows_registers))
    function.addFnAttr("stackrealign");
}

}  // namespace weft::compiler::wide
