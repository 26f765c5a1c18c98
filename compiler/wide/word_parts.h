// Bytes and halves of words that are all computed alike.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::wide {

/// Replaces words put together of parts, each taken out of one word and changed as all the others are (`texel = 255 - texel` of four bytes),
/// by the same operations on the parts as they lie in memory. Each part would be shifted down, narrowed, widened and shifted back, all of
/// them instructions that cross lanes. Runs after LLVM's InstCombine, which leaves each part in one form.
void compute_parts_in_words(llvm::Function& function);

}  // namespace weft::compiler::wide
