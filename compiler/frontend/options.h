// The option string of clBuildProgram, clCompileProgram and clLinkProgram (OpenCL 3.0 API §5.8.6, §5.8.7).
// Knows no LLVM: the runtime looks at options before it loads the compiler.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace weft::compiler::frontend {

/// NVIDIA's own (cl_nv_compiler_options), of those that mean something here.
struct NvidiaOptions {
  unsigned max_registers = 0;  ///< of a work-item, for estimates of occupancy; 0: no bound
  bool is_verbose = false;     ///< the log says what each kernel takes
};

struct CompileOptions {
  std::string language = "CL1.2";         ///< what -cl-std= says
  int language_version = 120;             ///< __OPENCL_C_VERSION__, or that whose features C++ for OpenCL has: 100, 110, 120, 200, 300 or 310
  std::vector<std::string> preprocessor;  ///< -D and -I, joined with their values, in order
  std::vector<std::string> clang_flags;   ///< flags that Clang takes under the same name
  std::string source_name;                ///< of -s; what diagnostics and debug information call the source
  bool debug_info = false;
  bool explains_enqueue = false;  ///< -g: what enqueue_kernel returns says why it failed
  bool optimize = true;  ///< false with -cl-opt-disable
  bool flushes_denormals = false;  ///< -cl-denorms-are-zero
  bool has_uniform_groups = false;  ///< -cl-uniform-work-group-size
  NvidiaOptions nvidia;
};

struct LinkOptions {
  bool create_library = false;
  bool enable_link_options = false;
  NvidiaOptions nvidia;
};

/// Splits at white space; double quotes group (and are removed), a backslash escapes the next `"`, `\` or blank.
/// Nullopt when a quote is not closed.
std::optional<std::vector<std::string>> split_options(const std::string& text);

/// Nullopt with `error` set when an option is unknown, malformed or lacks its value.
std::optional<CompileOptions> parse_compile_options(const std::string& text, std::string& error);
std::optional<LinkOptions> parse_link_options(const std::string& text, std::string& error);

}  // namespace weft::compiler::frontend
