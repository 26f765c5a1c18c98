// What kernels do with queues and events of the device becomes calls of the functions of the launch's abi::DeviceQueues.
#pragma once

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace weft::compiler::simt {

/// Lowers the calls of primitive::kEnqueue and kQueueCall in `item`, whose first argument is the launch: they get it as a further
/// argument, and are calls of functions that this defines in `module`.
void lower_enqueue(llvm::Module& module, llvm::Function& item);

}  // namespace weft::compiler::simt
