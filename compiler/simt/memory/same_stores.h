// Stores whose order among lanes nobody can tell.
#pragma once

namespace llvm {
class Function;
class Loop;
}  // namespace llvm

namespace weft::compiler::simt {

class Analyses;

/// Whether all stores of `loop` to memory that others see write one value, the same in all lanes and iterations, where nothing in the loop reads it: the marks
/// of a sieve, a row that is filled. Whichever lane stores first, and how often, memory is the same behind the loop.
///
/// A load may read what is stored if all that follows from it is whether the same is stored there, as in `if (level[v] < 0) { level[v] = next; *more = 1; }`
/// of a search in a graph: who finds it done finds all of it done.
///
/// Two stores that may meet are of one type and aligned to their size, or of a value whose bytes are all the same. A load reads something else if it is of
/// another address space, or of another `restrict` argument or buffer.
bool stores_one_value(const llvm::Loop& loop, llvm::Function& region, Analyses& analyses);

/// Whether all that `loop` writes to memory that others see, by atomic updates of one kind, is the least or the greatest of what it finds there and a number, where
/// the program does not ask what was there and nothing in the loop reads it: relaxations of a graph's edges. In any order they leave the same.
bool keeps_least(const llvm::Loop& loop);

/// Whether all that `loop` writes to memory that others see are sums by atomic updates, and stores to places that such a sum has told its lane, as in
/// `out[atomic_inc(count)] = i`: where the loop finds something, each lane's goes to a place of its own, in an order that nobody may rely on. Nothing in the
/// loop reads any of that, and what an update returns decides stores alone, not how often a lane goes round: no lane waits for another.
bool takes_own_places(const llvm::Loop& loop);

}  // namespace weft::compiler::simt
