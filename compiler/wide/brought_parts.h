// Parts of values, loaded and shuffled where they are used.
#pragma once

namespace llvm {
class BasicBlock;
}

namespace weft::compiler::wide {

/// Moves what is loaded and shuffled in `block` to the first of its users there: lanes' rows that are loaded and transposed, all in front of what is
/// computed of them, come to the register block that they are for (register_blocking.h), and live in registers no longer than that. No load moves past
/// what may write.
void bring_to_users(llvm::BasicBlock& block);

}  // namespace weft::compiler::wide
