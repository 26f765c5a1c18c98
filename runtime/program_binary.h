// CL_PROGRAM_BINARIES: a container of our own. One that was altered by chance, truncated or foreign is told from a good one; one
// that was made by hand is not (docs/trust.md). So it holds no machine code, and nothing that this process relies on: what
// describes the kernels is read from the bitcode again, by the compiler.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compiler/fields.h"
#include "runtime/opencl.h"

namespace weft::runtime {

struct ProgramBinary {
  /// COMPILED_OBJECT, LIBRARY or EXECUTABLE.
  cl_program_binary_type type = CL_PROGRAM_BINARY_TYPE_NONE;
  std::string options;
  compiler::Bytes bitcode;
};
WEFT_FIELDS(ProgramBinary, type, options, bitcode)

compiler::Bytes encode(const ProgramBinary& binary);

/// nullopt: not a binary that this compiler made (CL_INVALID_BINARY).
std::optional<ProgramBinary> decode(std::span<const std::uint8_t> data);

}  // namespace weft::runtime
