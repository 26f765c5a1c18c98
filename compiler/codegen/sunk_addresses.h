// Addresses that LLVM computes behind their first use.
//
// CodeGenPrepare of LLVM 19 computes an address again in the block of each access, in front of the access that it comes to first, for all of them. It may look
// at a block several times, and then gives an access further up what stands further down: that is stored to wherever a register points.
#pragma once

namespace llvm {
class TargetPassConfig;
}

namespace weft::compiler::codegen {

/// Behind CodeGenPrepare, brings what stands behind a use in its block, and what that is computed from, in front of it.
void order_sunk_addresses(llvm::TargetPassConfig& config);

}  // namespace weft::compiler::codegen
