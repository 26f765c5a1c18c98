// Where each kernel argument lies in LaunchInfo::arguments.
//
// The code that reads arguments (lower_args) and the runtime that writes them (KernelArg::offset) share one rule:
// each argument lies at the next offset aligned to its own ABI alignment.
#pragma once

#include <cstdint>
#include <vector>

namespace llvm {
class Function;
}

namespace weft::compiler::simt {

/// One argument's place, in bytes. A `__local` pointer and a buffer take 8, a struct by value its size.
struct ArgSlot {
  std::uint32_t offset = 0;
  std::uint32_t size = 0;
  std::uint32_t align = 1;
};

/// Lays out `kernel`'s arguments in order, by its module's data layout. `kernel` must have the signature that
/// Clang gave it.
std::vector<ArgSlot> layout_arguments(const llvm::Function& kernel);

/// Bytes of the whole block, a multiple of 8.
std::uint32_t argument_bytes(const std::vector<ArgSlot>& slots);

}  // namespace weft::compiler::simt
