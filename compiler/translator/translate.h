// libweft-spirv.so: SPIR-V to LLVM bitcode, by SPIRV-Tools and the SPIR-V/LLVM translator that the system has.
//
// A shared object of its own, since the translator may be built for another LLVM than the compiler, and older ones' bitcode is
// all that the two need to share. Knows nothing of Weft. This header knows no LLVM.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weft::translator {

/// + a number: `T* (T* parameter, i32 size, i32 align)`, in the translated module: the parameter of OpEnqueueKernel and what it says of it.
inline constexpr char kBlockParameter[] = "__weft_block_parameter_";

/// A specialization constant (SPIR-V §2.12): `value` in the low bytes.
struct SpecConstant {
  std::uint32_t id;
  std::uint64_t value;
};

/// A module: SPIR-V words in this machine's byte order.
struct Module {
  const std::uint32_t* words;
  std::size_t num_words;
  const SpecConstant* constants;
  std::size_t num_constants;
};

/// Takes the results; each is called at most once.
struct Sink {
  void* to;
  void (*bitcode)(void* to, const char* data, std::size_t bytes);
  void (*log)(void* to, const char* text, std::size_t bytes);  ///< lines that begin with "error: "
};

/// Validates the module and translates it, functions of the OpenCL C library named as OpenCL C 2.0 mangles them. False, with a
/// log, if it is not valid, or is nothing that the translator knows. On what the validator lets through, the translator may
/// end the process.
using Translate = bool (*)(const Module& module, const Sink& sink);

}  // namespace weft::translator

extern "C" bool weft_translate_spirv(const weft::translator::Module& module, const weft::translator::Sink& sink);
