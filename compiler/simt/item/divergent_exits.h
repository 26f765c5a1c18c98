// Work-items that call a function of their sub-group under a condition in a loop, and may leave the loop behind it:
//
//   for (uint i = 0; i < n; ++i) {
//     if (key == i) {
//       sum = sub_group_reduce_add(x);  // of the work-items with this key
//       found = true;
//     }
//     if (found) break;
//   }
//
// A clean-up that sees where the first branch leads to may send it straight out of the loop. The call is no part of the loop then, and all
// lanes would meet there once each had left. So each exit behind such a call gets a way back that nobody takes (frontend/loop_exits.h).
// Not those that all lanes come to in every iteration and agree on: who is still in the loop leaves together. And not where the call is in
// every iteration, since then it is in the loop as long as there is one.
#pragma once

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace weft::compiler::simt {

class Analyses;

/// Of all functions that are to be inlined, whose private variables are registers. What their callers give them is not known: all exits count as
/// those on which lanes disagree.
void keep_exits_of_functions(llvm::Module& module, Analyses& analyses);

/// `kernel` has been inlined, and its private variables are registers; nothing has changed its branches yet.
void keep_divergent_exits(llvm::Function& kernel, Analyses& analyses);

}  // namespace weft::compiler::simt
