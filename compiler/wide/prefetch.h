// Prefetches for loads that the processor's own prefetchers do not follow.
#pragma once

namespace llvm {
class Function;
class TargetMachine;
}  // namespace llvm

namespace weft::compiler::wide {

/// Asks for the lines that a load in a loop will read some iterations later, where they lie too far from those that it
/// reads now for hardware to foresee: a row down a matrix whose pitch the program learns when it runs, or a constant step
/// of half a page and more. `function` is wide and optimized; to be run last.
void insert_prefetches(llvm::Function& function, const llvm::TargetMachine& machine);

}  // namespace weft::compiler::wide
