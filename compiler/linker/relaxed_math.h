// Functions of relaxed math.
#pragma once

namespace llvm {
class Module;
}  // namespace llvm

namespace weft::compiler::linker {

/// Calls of math and geometric functions of float that may be approximate and whose arguments and results are finite, which is what
/// -cl-fast-relaxed-math says of all calls, become calls of functions within OpenCL's bounds for that (builtins/math_native.cl,
/// geometric.cl). A function of that name that the program defines itself stays.
void relax_calls(llvm::Module& module);

}  // namespace weft::compiler::linker
