// Transposing a block of lanes in registers.
//
// A block of 2^a columns and 2^b rows, each lane a number, fills registers in one order, row after row, and is wanted in the
// other. Both are orders of the bits of a lane's number, so each step exchanges a bit of where in a register a lane is for one of
// which register that is: `unpck` and exchanges of halves and quarters, the processor's cheapest shuffles of two registers.
#pragma once

#include <optional>

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/SmallVector.h>

namespace llvm {
class IRBuilderBase;
class Value;
}  // namespace llvm

namespace weft::compiler::simt {

/// The bits of a lane's number by where the lane is: the lowest places count units in a register, the others registers.
using LanePlaces = llvm::SmallVector<unsigned, 10>;

class LaneRegisters {
 public:
  using Registers = llvm::SmallVector<llvm::Value*, 16>;
  static constexpr unsigned kUnpackedBytes = 16;  ///< what `unpck` takes from

  /// Registers of 2^`inner` units of `unit` bytes, each of `pieces` elements of a vector.
  LaneRegisters(llvm::IRBuilderBase& builder, Registers registers, unsigned unit, unsigned pieces, unsigned inner,
                LanePlaces places);

  /// Whether `arrange` would succeed.
  static bool can_arrange(unsigned unit, unsigned inner, LanePlaces places, llvm::ArrayRef<unsigned> wanted);
  /// Brings the bits `wanted`, as many as `inner` at most, to the lowest places, in this order. False where the steps do not lead there.
  bool arrange(llvm::ArrayRef<unsigned> wanted);

  llvm::ArrayRef<llvm::Value*> registers() const { return registers_; }
  /// The number of the lane that is unit `index` of register `number`.
  unsigned lane(unsigned number, unsigned index) const;

 private:
  LaneRegisters(unsigned unit, unsigned inner, LanePlaces places);
  unsigned place_of(unsigned bit) const;
  void unpack(unsigned place);
  void exchange(unsigned outer, unsigned place);
  void rotate_quarters(unsigned outer);
  void shuffle_pairs(unsigned outer, llvm::ArrayRef<int> first, llvm::ArrayRef<int> second);

  llvm::IRBuilderBase* builder_ = nullptr;  ///< null: only the places count
  Registers registers_;
  LanePlaces places_;
  unsigned pieces_ = 1;
  unsigned inner_;  ///< places in a register
  unsigned near_;   ///< of those, the ones in the same 16 bytes
};

}  // namespace weft::compiler::simt
