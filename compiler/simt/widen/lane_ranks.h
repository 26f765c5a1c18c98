// Which of a warp's lanes come first: ranks, and elements moved together.
#pragma once

namespace llvm {
class Value;
}

namespace weft::compiler::simt {

class Widening;

/// <32 x i32>: for each lane of a warp how many of the lanes before it are in `bits`, an i32.
llvm::Value* ranks_in(Widening& w, llvm::Value* bits);

/// Lanes of a register that AVX2 permutes, and such registers of a warp.
inline constexpr unsigned kTogetherLanes = 8, kTogetherParts = 4;

/// Whether move_together() is code for the processor: it permutes registers of eight words by variable indices (AVX2).
bool can_move_together(const Widening& w);

/// Elements of 32 bits, as integers, of some of a warp's lanes: a row.
struct Together {
  llvm::Value* parts[kTogetherParts];   ///< <8 x i32>: those of eight lanes each, from the first element on; anything behind them
  llvm::Value* before[kTogetherParts];  ///< i32: elements of the row in front of the part's
  llvm::Value* last;                    ///< <8 x i32>: the last eight elements; fewer are the last of the register
  llvm::Value* count;                   ///< i32: elements of the row
};

/// Those of `value`, 32 elements of 32 bits, whose lanes are in `bits`, an i32.
Together move_together(Widening& w, llvm::Value* value, llvm::Value* bits);

/// `row`, <8 x i32>, with element i at i - `distance`, an i32, all of it modulo eight.
llvm::Value* rotate(Widening& w, llvm::Value* row, llvm::Value* distance);

/// <8 x i1>: the lanes below `count`, an i32.
llvm::Value* first_lanes(Widening& w, llvm::Value* count);

}  // namespace weft::compiler::simt
