// CL_PROGRAM_BINARIES: a container of our own. Any altered, truncated or foreign one is told from a good one.
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
  std::vector<compiler::KernelInfo> kernels;  ///< of an executable
  compiler::Bytes bitcode;
};
WEFT_FIELDS(ProgramBinary, type, options, kernels, bitcode)

compiler::Bytes encode(const ProgramBinary& binary);

/// nullopt: not a binary that this compiler made (CL_INVALID_BINARY).
std::optional<ProgramBinary> decode(std::span<const std::uint8_t> data);

}  // namespace weft::runtime
