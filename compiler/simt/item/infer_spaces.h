// Generic pointers (OpenCL C 3.0 §6.7.1) become pointers of the space that they are known to point into.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

class Analyses;

/// Replaces generic pointers of `kernel`, in which everything is inlined, by those that they were cast from, and answers
/// primitive::kKnownSpace. True if anything changed. What stays generic may point anywhere: the passes behind this one take an
/// access through it for one of shared memory.
bool infer_spaces(llvm::Function& kernel, Analyses& analyses);

}  // namespace weft::compiler::simt
