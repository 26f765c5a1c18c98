// Forms of an item function that run several rows of a block in each lane: one after the other, or at once.
#pragma once

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
}

namespace weft::compiler::simt {

class Analyses;

/// The block that warps run which meet no condition, of a function that has such a form.
struct Path {
  const llvm::BasicBlock* block = nullptr;
  bool when = true;  ///< the front's condition there
  /// Of a function that has two copies of its work (inside_bounds.h): the block of the second, or null; and where that is run under a condition, as what an
  /// image's write needs is, the block in front of it, which asks.
  const llvm::BasicBlock *rim = nullptr, *rim_front = nullptr;
  bool rim_when = true;

  static Path of(const llvm::Function& item);
};

/// Blocks that run several rows, each row's instructions beside the others'.
struct RowBlocks {
  llvm::BasicBlock *path = nullptr, *rim = nullptr;
};

bool is_id_of_row(const llvm::Instruction& instruction);
bool only_returns(const llvm::BasicBlock& block);

/// `item` runs `rows` rows, one after the other.
void run_rows_in_turn(llvm::Function& item, unsigned rows, bool ids_fit_31_bits);

/// Runs them along `path`, at once where all rows take it; else at once along its rim, if it has one that all rows take, or in turn; or, if that is not
/// null, `shorter` in turn, another copy of `item`, which is erased. Returns the blocks that run all rows.
RowBlocks run_rows_at_once(llvm::Function& item, const Path& path, llvm::Function* shorter, unsigned rows, bool ids_fit_31_bits, Analyses& analyses);

}  // namespace weft::compiler::simt
