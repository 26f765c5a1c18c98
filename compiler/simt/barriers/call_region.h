// Functions that stay calls (item/kept_calls.h) for all lanes of a body at once.
//
// Such a function becomes a region of its own, which is widened as those of a kernel are. Its frame has in slots what the call hands over:
// which lanes run it, the arguments, and, as it ends, the result (widen/wide_call.h).
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Function.h>

#include "compiler/simt/barriers/regions.h"

namespace llvm {
class CallBase;
}  // namespace llvm

namespace weft::compiler::simt {

/// The slots of a call's frame.
inline constexpr unsigned kRunsSlot = 0, kFirstArgumentSlot = 1;
inline unsigned result_slot(const llvm::Function& callee) { return kFirstArgumentSlot + static_cast<unsigned>(callee.arg_size()); }

/// The function that `call` calls, if it stays a call; else null.
llvm::Function* kept_callee(const llvm::CallBase& call);

/// Whether all lanes at once are faster than one after the other: where the code goes straight on. Of what branches at every turn, as a switch of
/// many cases does, all lanes would go through each side that one of them takes.
bool pays_as_region(const llvm::Function& callee);

/// Whether `kernel` has calls that pay so of functions that no loop of it calls.
bool calls_outside_loops(const llvm::Function& kernel);

/// `callee` as the region NAME.region.0, with attributes as those of `caller`, a region that calls it. `uniform`: of each argument, whether it is
/// the same in all lanes wherever it is called.
RegionSet make_call_region(llvm::Function& callee, const llvm::Function& caller, llvm::ArrayRef<bool> uniform, llvm::StringRef name);

}  // namespace weft::compiler::simt
