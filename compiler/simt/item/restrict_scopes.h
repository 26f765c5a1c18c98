// Turns the program's `restrict` promises into alias scopes, which outlive the arguments.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

/// Gives the loads, stores and atomics of `kernel` alias scopes, one for each `restrict` argument: memory reached through
/// it is reached through nothing else. The argument itself says so only until lower_args makes it a load. All calls are
/// inlined, so the promise holds for the whole kernel and no scope needs a declaration. It is about different pointers
/// only: accesses through one pointer keep their order, as lockstep requires. True if anything changed.
bool scope_restrict_arguments(llvm::Function& kernel);

}  // namespace weft::compiler::simt
