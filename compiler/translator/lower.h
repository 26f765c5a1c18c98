// What SPIR-V 1.4 to 1.6 brought, and what else older translators do not take, in words that they know.
#pragma once

#include <cstdint>

#include "compiler/translator/parsed_module.h"

namespace weft::translator {

/// The words of a valid module, at most of version `newest`. Other instructions stand for OpCopyLogical, OpPtrEqual, OpPtrNotEqual,
/// OpPtrDiff, casts of pointers by OpBitcast, the memory operands of OpCopyMemory's source, and for what LLVM 15's translator takes
/// in part: OpCompositeConstruct (of constants), OpVectorShuffle (of vectors of one size), OpConstantNull (but scalars). Decorations by strings, assumptions,
/// expectations and hints on image operands are left out.
Words lower(const ParsedModule& module, std::uint32_t newest);

}  // namespace weft::translator
