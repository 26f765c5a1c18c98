// Where a kernel of many barriers is cut once more, so that its regions do not all hold the same code.
#pragma once

namespace llvm {
class Function;
}  // namespace llvm

namespace weft::compiler::simt {

/// A region holds what its barrier reaches up to the next barriers. Behind barriers under run-time conditions, n of them one
/// after the other, the last code is in n regions: code that grows with the square. Where that is much, puts barriers of
/// its own at places that every work-item passes exactly once, which needs no other reason to be right.
void cut_regions(llvm::Function& item);

}  // namespace weft::compiler::simt
