// What functions that stay calls (kept_calls.h) ask of the work-item and the launch, as arguments.
#pragma once

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace weft::compiler::simt {

/// A primitive without arguments that is the work-item's place or a size of the launch: get_global_id and its like.
bool is_asked_value(const llvm::Function& function);

/// Gives kept calls of `module` such values as arguments, since they run in one lane and have no other way to ask: their callers, and in the
/// end kernels, call the primitives. All else is inlined already.
void hand_over_asked_values(llvm::Module& module);

}  // namespace weft::compiler::simt
