// Functions that Clang does not know: those of cl_intel_subgroups with _char, _short and _long (builtins/sub_group_intel.cl) and of
// cl_khr_extended_async_copies (builtins/async_copy.cl), and vloada_half and vstorea_half of one element (builtins/vector_memory_half.cl).
#pragma once

#include <memory>

namespace clang {
class ASTConsumer;
}

namespace weft::compiler::frontend {

/// Clang's table of builtins has none of these functions, and a header of all their overloads would take longer to read than most
/// programs. So they are declared at a program's first use of their name.
std::unique_ptr<clang::ASTConsumer> make_extension_functions();

}  // namespace weft::compiler::frontend
