// Shuffles of what was compared, as shuffles of what is compared.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::wide {

/// Moves each shuffle that takes lanes out of a mask, not all of them side by side, in front of the comparisons (and what joins these) that the
/// mask is made of. LLVM's InstCombine moves it behind them, one shuffle in place of two; but a lane of a mask is a bit, and processors with mask
/// registers shuffle no bits. (tripled_masks.h is of those that repeat lanes.)
void shuffle_what_is_compared(llvm::Function& function);

}  // namespace weft::compiler::wide
