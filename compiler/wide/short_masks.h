// Works around a fault of LLVM 19 on AVX-512: masked accesses to 8 bytes.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::wide {

/// LLVM makes an access of 16 bytes, and a mask of 16 lanes, of a masked load or store of <8 x i8>. Where the mask is the first eight lanes of
/// a longer one, as a row of eight work-items is of a body's, it may leave the longer one's next eight in place of zeros: a store then writes
/// 8 bytes too many, of lanes that have another place. Makes these accesses of 16 bytes itself, and their masks of integers, whose zeros stay.
void widen_short_masks(llvm::Function& function);

}  // namespace weft::compiler::wide
