// Address spaces in kernel IR. Clang gives OpenCL's address spaces these numbers for SPIR (SPIRDefIsPrivMap in its
// lib/Basic/Targets/SPIR.h), and retargeting a module to the host keeps them.
#pragma once

namespace weft::compiler::simt {

inline constexpr unsigned kPrivateSpace = 0;
inline constexpr unsigned kGlobalSpace = 1;
inline constexpr unsigned kConstantSpace = 2;
inline constexpr unsigned kLocalSpace = 3;
inline constexpr unsigned kGenericSpace = 4;

}  // namespace weft::compiler::simt
