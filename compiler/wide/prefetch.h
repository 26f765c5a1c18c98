// Prefetches for loads and stores that the processor's own prefetchers do not follow.
#pragma once

namespace llvm {
class Function;
class TargetMachine;
}  // namespace llvm

namespace weft::compiler::wide {

/// Prefetches the lines that a load in a loop will read some iterations later, if they are too far from the current ones
/// for hardware to predict: the next row of a matrix whose pitch is only known at run time, or a constant step of half a
/// page or more. Such a loop asks for the lines that it will write, too. A loop that does little else, as a sum by strides of the
/// grid, asks only where its run goes over more memory than caches hold, and early: into the second-level cache. Where lanes each go along
/// a row of their own and load OpenCL vectors of it, at addresses that come out of vectors, it asks for the rows' next lines if the rows are more
/// than a processor follows. In front of a load of many lines outside of loops it asks for them from the first to the last where there are few
/// registers. `function` is wide and optimized.
void insert_prefetches(llvm::Function& function, const llvm::TargetMachine& machine);

}  // namespace weft::compiler::wide
