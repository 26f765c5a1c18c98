#include "compiler/codegen/sunk_addresses.h"

#include <memory>

#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Pass.h"

namespace weft::compiler::codegen {
namespace {

using llvm::Instruction;

/// Brings operands of `user` that are computed behind it in its block in front of it, each behind its own.
bool order_operands(Instruction& user) {
  bool changed = false;
  for (llvm::Value* value : user.operands()) {
    auto* operand = llvm::dyn_cast<Instruction>(value);
    if (!operand || operand->getParent() != user.getParent() || operand->comesBefore(&user)) continue;
    if (operand == &user || llvm::isa<llvm::PHINode>(operand) || operand->mayReadOrWriteMemory() || operand->isTerminator()) continue;
    operand->moveBefore(&user);
    order_operands(*operand);
    changed = true;
  }
  return changed;
}

class SunkAddresses : public llvm::FunctionPass {
 public:
  SunkAddresses() : FunctionPass(id_) {}

  llvm::StringRef getPassName() const override { return "Sunk addresses"; }
  void getAnalysisUsage(llvm::AnalysisUsage& usage) const override { usage.setPreservesAll(); }

  bool runOnFunction(llvm::Function& function) override {
    bool changed = false;
    for (llvm::BasicBlock& block : function)
      for (Instruction& instruction : block)
        if (!llvm::isa<llvm::PHINode>(instruction)) changed |= order_operands(instruction);
    return changed;
  }

 private:
  static inline char id_ = 0;
};

}  // namespace

void order_sunk_addresses(llvm::TargetPassConfig& config) {
  // LLVM's headers do not have the pass's name.
  static const llvm::AnalysisID prepare = std::unique_ptr<llvm::FunctionPass>(llvm::createCodeGenPrepareLegacyPass())->getPassID();
  config.insertPass(prepare, new SunkAddresses);
}

}  // namespace weft::compiler::codegen
