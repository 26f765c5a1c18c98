// Texels of four halves as what they are.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

/// Clean-up makes of the two words of such a texel, which the builtins hold as four, eight halves and takes four of them. As a
/// cast of the two they keep the form in which memory has them (widen/packed.h): one conversion for each vector that is loaded.
void cast_half_texels(llvm::Function& item);

}  // namespace weft::compiler::simt
