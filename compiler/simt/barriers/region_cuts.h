// Cuts kernels with many barriers at further places, so that their regions do not all hold the same code.
#pragma once

namespace llvm {
class Function;
}  // namespace llvm

namespace weft::compiler::simt {

/// A region holds the code from its barrier to the next ones. Behind n barriers under run-time conditions, one after the
/// other, the code is in n regions, so code size grows with the square of n. Where that is too much, inserts barriers in
/// blocks that every work-item passes exactly once; a barrier is always correct there.
void cut_regions(llvm::Function& item);

}  // namespace weft::compiler::simt
