#include "compiler/codegen/mask_moves.h"

#include <array>
#include <utility>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

namespace weft::compiler::codegen {
namespace {

/// Moves and what replaces them, by names: LLVM's headers do not have their numbers.
constexpr std::array<std::pair<llvm::StringLiteral, llvm::StringLiteral>, 3> kReplacements = {
    {{"KMOVBkk", "KORBrr"}, {"KMOVWkk", "KORWrr"}, {"KMOVDkk", "KORDrr"}}};

/// Numbers of moves and of what replaces them.
llvm::SmallDenseMap<unsigned, unsigned> replacements(const llvm::TargetInstrInfo& instructions) {
  llvm::StringMap<unsigned> numbers;
  for (unsigned number = 0; number < instructions.getNumOpcodes(); ++number) numbers[instructions.getName(number)] = number;
  llvm::SmallDenseMap<unsigned, unsigned> found;
  for (const auto& [from, to] : kReplacements)
    if (numbers.contains(from) && numbers.contains(to)) found[numbers[from]] = numbers[to];
  return found;
}

class MaskMoves : public llvm::MachineFunctionPass {
 public:
  MaskMoves() : MachineFunctionPass(id_) {}

  llvm::StringRef getPassName() const override { return "Mask moves"; }

  void getAnalysisUsage(llvm::AnalysisUsage& usage) const override {
    usage.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(usage);
  }

  bool runOnMachineFunction(llvm::MachineFunction& function) override {
    const llvm::TargetInstrInfo& instructions = *function.getSubtarget().getInstrInfo();
    static const auto by_move = replacements(instructions);
    bool changed = false;
    for (llvm::MachineBasicBlock& block : function)
      for (llvm::MachineInstr& move : block) {
        if (!move.isMoveReg()) continue;
        const auto replacement = by_move.find(move.getOpcode());
        if (replacement == by_move.end()) continue;
        move.setDesc(instructions.get(replacement->second));
        move.addOperand(function, llvm::MachineOperand::CreateReg(move.getOperand(1).getReg(), /*isDef=*/false));
        changed = true;
      }
    return changed;
  }

 private:
  static inline char id_ = 0;
};

}  // namespace

llvm::FunctionPass* make_mask_moves_pass() { return new MaskMoves; }

}  // namespace weft::compiler::codegen
