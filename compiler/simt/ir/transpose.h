// Transposing a block of lanes in registers.
//
// A block of 2^a columns and 2^b rows of lanes fills registers by rows and is wanted by columns, or the reverse. Both are
// orders of the bits of a lane's number, so each step swaps a bit of the place in a register for a bit of the register's
// number. The steps are `unpck` and exchanges of halves and quarters, the processor's cheapest shuffles of two registers.
#pragma once

#include <optional>

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/SmallVector.h>

namespace llvm {
class IRBuilderBase;
class Value;
}  // namespace llvm

namespace weft::compiler::simt {

/// The bits of a lane's number by place: the lowest places number the units in a register, the others the registers.
using LanePlaces = llvm::SmallVector<unsigned, 10>;

class LaneRegisters {
 public:
  using Registers = llvm::SmallVector<llvm::Value*, 16>;
  static constexpr unsigned kUnpackedBytes = 16;  ///< `unpck` works within so many bytes

  /// A register holds 2^`inner` units of `unit` bytes; a unit is `pieces` elements of the vector.
  LaneRegisters(llvm::IRBuilderBase& builder, Registers registers, unsigned unit, unsigned pieces, unsigned inner,
                LanePlaces places);

  /// Whether `arrange` would succeed.
  static bool can_arrange(unsigned unit, unsigned inner, LanePlaces places, llvm::ArrayRef<unsigned> wanted);
  /// Brings the bits `wanted`, at most `inner` of them, to the lowest places, in this order. False if the steps cannot do so.
  bool arrange(llvm::ArrayRef<unsigned> wanted);

  llvm::ArrayRef<llvm::Value*> registers() const { return registers_; }
  /// The lane that unit `index` of register `number` holds.
  unsigned lane(unsigned number, unsigned index) const;

 private:
  LaneRegisters(unsigned unit, unsigned inner, LanePlaces places);
  unsigned place_of(unsigned bit) const;
  void unpack(unsigned place);
  void exchange(unsigned outer, unsigned place);
  void rotate_quarters(unsigned outer);
  void shuffle_pairs(unsigned outer, llvm::ArrayRef<int> first, llvm::ArrayRef<int> second);

  llvm::IRBuilderBase* builder_ = nullptr;  ///< null: `arrange` only tracks the places
  Registers registers_;
  LanePlaces places_;
  unsigned pieces_ = 1;
  unsigned inner_;  ///< places within a register
  unsigned near_;   ///< of those, the ones within 16 bytes
};

}  // namespace weft::compiler::simt
