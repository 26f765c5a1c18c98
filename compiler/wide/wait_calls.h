// Waiting for other groups.
#pragma once

namespace llvm {
class Function;
}

namespace weft::compiler::wide {

/// Makes calls of abi::Services::wait of the marks of waiting in `function` (simt/item/marked_waits.h), whose first argument is the launch.
void call_waits(llvm::Function& function);

}  // namespace weft::compiler::wide
