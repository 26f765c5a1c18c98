// Divisions of remainders and of quotients.
//
// Of `y = id % (ny * nz) / nz` or `y = id / nz % ny` the second division is of a number that jumps where a row ends. The id counts, so a division of
// it costs a warp one of a scalar and a comparison (widen/counted_quotients.h): these are id / nz - ny * (id / (ny * nz)).
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

/// Divisions of `item`, a simplified item function, whose dividend is a remainder of a multiple, or a quotient where the quotient by the product is there as well,
/// become such of the first number. None is added that another one does not make needless. Returns whether there were any.
bool divide_directly(llvm::Function& item);

}  // namespace weft::compiler::simt
