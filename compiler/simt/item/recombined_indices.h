// Indices that kernels take apart and put together again.
//
// Programs that number all elements of a field along x find an element's coordinates by divisions, `z = id % nz, y = id / nz % ny, x = id / nz / ny`, to
// compare them with borders, and then make its place of them again, `(x * ny + y) * nz + z`. That is the id, and a neighbour's place is the id
// and a number that all lanes share, so warps load and store vectors there, wherever rows begin. As sums of remainders and quotients such
// places would be gathered.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

/// Writes sums of integers and places of `item`, a simplified item function, as sums without quotients and remainders where these cancel each other,
/// whatever the divisors are (address_key.h). The divisions remain, for what else uses them. Returns whether there were any.
bool recombine_indices(llvm::Function& item);

}  // namespace weft::compiler::simt
