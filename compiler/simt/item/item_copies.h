// Copies of an item function, on which a pass tries what may gain nothing.
#pragma once

namespace llvm {
class BasicBlock;
class Function;
class StringRef;
}

namespace weft::compiler::simt {

class Analyses;

/// A copy of `item`, whose name has `suffix` behind `item`'s.
llvm::Function* copy_item(llvm::Function& item, llvm::StringRef suffix);
void erase_function(llvm::Function& function, Analyses& analyses);

/// Moves all blocks of `from`, another copy of the same item function, behind those of `to`, and erases `from`. Returns the first of them.
llvm::BasicBlock* splice_copy(llvm::Function& to, llvm::Function& from, Analyses& analyses);

/// Puts `copy` in the place of `item`, which is erased, under its name.
void replace_item(llvm::Function*& item, llvm::Function& copy, Analyses& analyses);

}  // namespace weft::compiler::simt
