// Private arrays of a few elements as so many values.
//
// `int at[4]` with `at[order[2]] = z`, whose index nobody knows, stays in memory, where each access is one for each lane if lanes differ, and keeps
// loops from running side by side that would. Of four elements each is a value of its own: a store is a choice for each of them, a load one among them.
#pragma once

namespace llvm {
class Function;
}  // namespace llvm

namespace weft::compiler::simt {

/// Makes variables of one element each of the private arrays of `item` that have few elements and are accessed, element by element and in no other way,
/// a few times at indices that are not known. True if there are any; SROA makes values of them.
bool keep_few_elements(llvm::Function& item);

}  // namespace weft::compiler::simt
