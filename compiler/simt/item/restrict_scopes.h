// What the program promises by `restrict`, kept beyond the arguments.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

/// Gives the loads, stores and atomics of `kernel` alias scopes, one for each `restrict` argument: what is reached through
/// it is reached through nothing else. An argument says so itself only as long as it is one; lower_args makes it a load.
/// All is inlined, so the promise holds for the whole kernel and no scope needs a declaration. It speaks of
/// different pointers only: accesses through one keep their order, as lockstep asks. True when anything changed.
bool scope_restrict_arguments(llvm::Function& kernel);

}  // namespace weft::compiler::simt
