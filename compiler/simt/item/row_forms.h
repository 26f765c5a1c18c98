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

  static Path of(const llvm::Function& item);
};

bool is_id_of_row(const llvm::Instruction& instruction);
bool only_returns(const llvm::BasicBlock& block);

/// `item` runs `rows` rows, one after the other.
void run_rows_in_turn(llvm::Function& item, unsigned rows, bool ids_fit_31_bits);

/// Runs them along `path`, at once where all rows take it; else in turn, or, if that is not null, `shorter` in turn, another copy of `item`, which is
/// erased. Returns the block that runs all rows.
llvm::BasicBlock* run_rows_at_once(llvm::Function& item, const Path& path, llvm::Function* shorter, unsigned rows, bool ids_fit_31_bits, Analyses& analyses);

}  // namespace weft::compiler::simt
