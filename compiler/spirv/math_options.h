// What build options allow arithmetic.
#pragma once

namespace llvm {
class Module;
}  // namespace llvm

namespace weft::compiler::frontend {
struct CompileOptions;
}

namespace weft::compiler::spirv {

/// Modules say what each instruction may do; options of a build, as -cl-fast-relaxed-math, add to all what Clang gives those of a source.
void apply_math_options(llvm::Module& module, const frontend::CompileOptions& options);

}  // namespace weft::compiler::spirv
