// Which data work-groups have in common.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

/// `kernel` is linked and scalar-optimized. True if in its loops it reads memory by the groups' place along y but not
/// along x, and memory by their place along x but not along y: a matrix product. Groups of a row then share the one,
/// groups of a column the other, and neighbours should run near each other in time both ways.
bool shares_rows_and_columns(const llvm::Function& kernel);

}  // namespace weft::compiler::simt
