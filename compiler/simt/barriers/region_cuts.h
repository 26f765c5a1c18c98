// Cuts kernels with many barriers at further places, so that their regions do not all hold the same code.
#pragma once

namespace llvm {
class Function;
}  // namespace llvm

namespace weft::compiler::simt {

class Analyses;

/// A region holds the code from its barrier to the next ones. Behind n barriers under run-time conditions, one after the
/// other, the code is in n regions, so code size grows with the square of n. Where that is too much, inserts barriers in
/// blocks that every work-item passes exactly once. A barrier is correct there; but not where some may have gone round a barrier
/// of the program's and come to no further one, since others that wait at the first need not wait for these (regions.h).
void cut_regions(llvm::Function& item, Analyses& analyses);

}  // namespace weft::compiler::simt
