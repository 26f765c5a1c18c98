// Instructions that older translators do not take, or not whole, as calls of functions of the OpenCL C library or of spirv/blocks.h.
#pragma once

#include "compiler/translator/parsed_module.h"

namespace weft::translator {

/// The module with calls of imported functions, by the names that OpenCL C mangles, for dot products of four bytes
/// (SPV_KHR_integer_dot_product, SPIR-V 1.6), atomic sums of half (SPV_EXT_shader_atomic_float16_add) and clocks (SPV_KHR_shader_clock),
/// without the extensions and capabilities that announce them and without non-semantic instructions (SPV_KHR_non_semantic_info). Of a valid module.
ParsedModule with_calls(const ParsedModule& module);

}  // namespace weft::translator
