// What Clang and LLVM take and this compiler has no code for: refused when a program is built, not when it is launched.
#pragma once

#include <cstdint>

#include "llvm/Support/Error.h"

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace weft::compiler::linker {

/// Fails for linked objects with something that no pass knows: aliases, assembly, calls through pointers.
llvm::Error check_objects(const llvm::Module& module);

/// Fails for a program, once prepared, whose kernels ask for what cannot be laid out: private memory of a size that is not known,
/// arguments of more than kMaxArgumentBytes, sub-groups of sizes that are not there (kSubGroupSizes).
llvm::Error check_kernels(const llvm::Module& module);

/// What intel_reqd_sub_group_size says of a kernel; 0: it has no such attribute.
std::uint32_t required_sub_group_size(const llvm::Function& kernel);

/// Far above CL_DEVICE_MAX_PARAMETER_SIZE, far below what overflows an offset.
inline constexpr unsigned kMaxArgumentBytes = 1u << 20;

/// Whether `kernel` has an instruction of which it is not known that machine code can be made: the build tries it then.
bool is_unusual(const llvm::Function& kernel);

}  // namespace weft::compiler::linker
