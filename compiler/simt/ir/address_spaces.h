// The address spaces of kernels' IR: Clang's numbers of OpenCL's for SPIR (SPIRDefIsPrivMap in its lib/Basic/Targets/SPIR.h), which
// stay when a module is retargeted to the host.
#pragma once

namespace weft::compiler::simt {

inline constexpr unsigned kPrivateSpace = 0;
inline constexpr unsigned kGlobalSpace = 1;
inline constexpr unsigned kConstantSpace = 2;
inline constexpr unsigned kLocalSpace = 3;
inline constexpr unsigned kGenericSpace = 4;

}  // namespace weft::compiler::simt
