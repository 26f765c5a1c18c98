// cl_intel_subgroups, _char, _short and _long: declarations of what builtins/sub_group_intel.cl defines.
#pragma once

#include <memory>

namespace clang {
class ASTConsumer;
}

namespace weft::compiler::frontend {

/// Clang's table of builtins has none of these functions, and a header of all their overloads would take longer to read than most
/// programs. So they are declared at a program's first use of their name.
std::unique_ptr<clang::ASTConsumer> make_intel_sub_groups();

}  // namespace weft::compiler::frontend
