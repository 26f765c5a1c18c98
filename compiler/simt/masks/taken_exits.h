// The exits of loops that the front end kept within them (frontend/loop_exits.h), once who executes what together is settled.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

/// `region` is linearized: its branches on `__weft_leaves()` are taken.
void take_exits(llvm::Function& region);

}  // namespace weft::compiler::simt
