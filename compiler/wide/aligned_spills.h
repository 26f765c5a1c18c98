// A stack on which vectors that the registers do not hold lie in one line of the cache each.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::wide {

/// Has the frame of `function` aligned for vectors where these are wider than the ABI's alignment of the stack and outgrow the
/// registers. LLVM settles how a frame is aligned before it knows what it will spill: every spill of 512 bits would lie across two
/// lines. Where nothing spills the frame stays as it is, since aligning takes a register.
void align_spills(llvm::Function& function);

}  // namespace weft::compiler::wide
