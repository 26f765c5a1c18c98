// OpenCL C source to LLVM bitcode, with Clang in process.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/compiler_api.h"
#include "compiler/frontend/options.h"

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace weft::compiler::frontend {

/// Compiles `source`. The module targets spir64 and is unlinked and not optimized. Null on error; `log` gets
/// Clang's diagnostics either way, `dependencies` what was looked for on disk.
std::unique_ptr<llvm::Module> compile_to_module(const std::string& source, const std::vector<Header>& headers,
                                                const CompileOptions& options, llvm::LLVMContext& context,
                                                std::string& log, std::vector<Dependency>& dependencies);

/// Metadata on a kernel: its attributes as CL_KERNEL_ATTRIBUTES wants them, one string.
inline constexpr char kAttributesMetadata[] = "weft.attributes";
/// Named metadata of an object whose launches have groups of one size (KernelInfo::has_uniform_groups), and so of all that it is linked to.
inline constexpr char kUniformGroupsMetadata[] = "weft.uniform_groups";
/// Function attributes of a kernel, of NvidiaOptions: a number; none.
inline constexpr char kMaxRegistersAttribute[] = "weft-max-registers";
inline constexpr char kVerboseAttribute[] = "weft-verbose";
/// Of a kernel that was compiled with -cl-denorms-are-zero.
inline constexpr char kFlushDenormalsAttribute[] = "weft-denorms-are-zero";

/// Keeps `options` with the kernels of `module` that have none yet.
void mark_kernels(llvm::Module& module, const NvidiaOptions& options);

/// Notes in `module` what of `options` the linker and the passes ask for.
void note_options(llvm::Module& module, const CompileOptions& options);

/// Ends a compilation, of whatever front end: `module` becomes the object of `result`.
void write_object(llvm::Module& module, const CompileOptions& options, CompileResult& result);

/// Api::compile, without the thread and the exception barrier around it.
CompileResult compile(const std::string& source, const std::vector<Header>& headers,
                      const std::string& options, bool line_tables, bool* invalid_options);

/// The same for a source that is linked next, alone: the object's module, or null. `context` loses the names of values.
std::unique_ptr<llvm::Module> compile_for_link(const std::string& source, const std::vector<Header>& headers, const std::string& options,
                                               bool line_tables, llvm::LLVMContext& context, std::string& log,
                                               std::vector<Dependency>& dependencies, bool* invalid_options);

}  // namespace weft::compiler::frontend
