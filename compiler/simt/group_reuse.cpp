#include "compiler/simt/group_reuse.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "compiler/simt/address_spaces.h"
#include "compiler/simt/uniformity.h"

namespace weft::compiler::simt {
namespace {

constexpr unsigned kAlongX = 1;
constexpr unsigned kAlongY = 2;
constexpr llvm::StringLiteral kGroupId = "__weft_group_id_";  // + x, y, z

/// Dimensions of the group's place that each instruction is computed from. Bits; what branches decide is left out.
class GroupDimensions {
 public:
  explicit GroupDimensions(const llvm::Function& kernel) {
    // Only loops need a second time.
    for (bool changed = true; changed;) {
      changed = false;
      for (const llvm::Instruction& instruction : llvm::instructions(kernel)) {
        const unsigned bits = of_instruction(instruction);
        unsigned& known = bits_[&instruction];
        changed |= known != bits;
        known = bits;
      }
    }
  }

  unsigned operator[](const llvm::Value& value) const { return bits_.lookup(&value); }

 private:
  unsigned of_instruction(const llvm::Instruction& instruction) const {
    if (const llvm::StringRef name = called_name(instruction);
        name.starts_with(primitive::kGlobalId) || name.starts_with(kGroupId))
      return 1u << (name.back() - 'x');
    unsigned bits = 0;
    for (const llvm::Value* operand : instruction.operands()) bits |= (*this)[*operand];
    return bits;
  }

  llvm::DenseMap<const llvm::Value*, unsigned> bits_;
};

}  // namespace

bool shares_rows_and_columns(const llvm::Function& kernel) {
  // The analysis wants a function that it could change, and does not change it.
  const llvm::DominatorTree dominators(const_cast<llvm::Function&>(kernel));
  const llvm::LoopInfo loops(dominators);
  if (loops.empty()) return false;
  const GroupDimensions dimensions(kernel);
  bool by_row = false;
  bool by_column = false;
  for (const llvm::Instruction& instruction : llvm::instructions(kernel)) {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (!load || load->getPointerAddressSpace() != kGlobalSpace || !loops.getLoopFor(load->getParent())) continue;
    const unsigned place = dimensions[*load->getPointerOperand()] & (kAlongX | kAlongY);
    by_row |= place == kAlongY;
    by_column |= place == kAlongX;
  }
  return by_row && by_column;
}

}  // namespace weft::compiler::simt
