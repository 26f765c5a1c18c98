// Turns the program's `restrict` promises, and what launches say of their buffers, into alias scopes, which outlive the arguments.
#pragma once

#include "compiler/argument_formats.h"

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

/// Whether a kernel, linked and scalar-optimized, may gain by knowing which of its buffers are apart: it stores to global memory in a
/// loop, or keeps the least or greatest there, or several numbers of 8 or 16 bits with loads between them, or components of vectors, or
/// 16 bytes and more at once, or copies to local memory, and has more pointers than one. What else stands outside of loops is moved nowhere.
bool scopes_serve(const llvm::Function& kernel);

/// Marks the pointers of which `formats` says that no other argument has a byte of their memory, where scopes serve, and all of them as starts of buffers
/// (kStartAttribute), which they are, too, and of small ones (kSmallAttribute). True if there are any.
bool mark_buffers_apart(llvm::Function& kernel, const ArgumentFormats& formats);

/// Gives the loads, stores and atomics of `kernel` alias scopes, one for each `restrict` argument and each buffer that is marked as apart:
/// memory reached through it is reached through no other argument. The argument itself says so only until lower_args makes it a load. All
/// calls are inlined, so the promise holds for the whole kernel and no scope needs a declaration. It is about different pointers
/// only: accesses through one pointer keep their order, as lockstep requires. A pointer that the kernel loads may lead into a buffer that
/// is apart, though not into memory behind `restrict`. True if anything changed.
bool scope_restrict_arguments(llvm::Function& kernel);

}  // namespace weft::compiler::simt
