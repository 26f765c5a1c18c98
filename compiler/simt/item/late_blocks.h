// Groups of which it turns out late that they keep nothing to themselves run side by side as one block, as others do from lower-args on.
#pragma once

#include <cstdint>

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

/// Whether `item`, an item function, may run for several groups along x at once: it has no barrier and no local memory, and asks of its group for no
/// more than ids.
bool may_become_block(const llvm::Function& item);

/// Makes `item`, of groups of `local_size` work-items along x, the code of blocks of `groups` such groups: the group and the local id that the program
/// knows follow from the lane's place in the block. `ids_fit_31_bits` as in Specialization.
void become_block(llvm::Function& item, std::uint32_t local_size, std::uint32_t groups, bool ids_fit_31_bits);

}  // namespace weft::compiler::simt
