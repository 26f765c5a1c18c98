// What a work-item does in front of its only barrier and behind it, each as a function of its own.
//
// Passes that take an item function apart know nothing of barriers. A kernel that fills a tile, waits for the others and works on the tile is two
// such functions one after the other: what is behind the barrier needs ids and arguments, which it can ask for itself.
#pragma once

#include <optional>

namespace llvm {
class CallInst;
class Function;
}

namespace weft::compiler::simt {

class Analyses;

struct BarrierHalves {
  llvm::Function *before = nullptr, *behind = nullptr;  ///< both return where they end
};

/// Copies of the two halves of `item`; nothing if it has another number of barriers than one, if not every way through it meets the barrier just
/// once, or if behind it something is used that was made in front of it and cannot be made again (made_again.h).
std::optional<BarrierHalves> split_at_barrier(llvm::Function& item, Analyses& analyses);

/// Puts `halves.behind` behind the returns of `halves.before`, with a barrier like that of `item` between the two. It is no function of its own then.
void join_at_barrier(const BarrierHalves& halves, const llvm::Function& item, Analyses& analyses);

}  // namespace weft::compiler::simt
