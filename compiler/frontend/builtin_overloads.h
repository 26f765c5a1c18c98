// A program's own overloads stand beside the builtins of the same name.
#pragma once

#include <memory>

#include "clang/AST/ASTConsumer.h"

namespace weft::compiler::frontend {

/// Clang declares an OpenCL builtin's overloads when it looks up the name and finds nothing else. After a program has declared
/// `__attribute__((overloadable)) ulong atom_add(volatile global ulong*, ulong)` it finds that, and the builtin's own overloads
/// are gone. This consumer declares them at the program's first function of that name, except those whose parameters the program
/// has declared too. Only a function without the attribute that has a builtin's own parameters hides the rest, as functions do in
/// C; other compilers refuse it.
///
/// It must be the first of several consumers, and FrontendOptions::SkipFunctionBodies set: Clang then asks it before each
/// function's body, where the overloads are needed already. No body is skipped.
std::unique_ptr<clang::ASTConsumer> make_builtin_overloads();

}  // namespace weft::compiler::frontend
