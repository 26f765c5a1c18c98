// What the compiler is given, written down for weftc (WEFT_DUMP).
#pragma once

#include <string>

#include "compiler/compiler_api.h"
#include "runtime/hash.h"

namespace weft::runtime {

/// Each does nothing unless the option names a folder, and failures to write are nobody's concern.
/// `HASH.cl` and `HASH.options`.
void dump_source(const Hash& key, const std::string& source, const std::string& options);
/// `HASH.bc`, the linked program, and a line in `kernels` with weftc's command for the kernel.
void dump_kernel(const Hash& program_hash, const compiler::Bytes& program, const std::string& kernel,
                 const compiler::Specialization& spec);

}  // namespace weft::runtime
