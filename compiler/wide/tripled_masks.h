// Masks of three elements for each lane, made of bits.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::wide {

/// A masked load or store of each lane's three elements side by side has a mask in which each lane stands three times. As a shuffle of a mask register LLVM
/// makes it bit by bit, some three hundred instructions for 32 lanes. Such accesses become one for each register, whose masks are pieces of an integer into
/// which the lanes' bits are deposited three apart, times seven. For processors with mask registers.
void split_tripled_masks(llvm::Function& function);

}  // namespace weft::compiler::wide
