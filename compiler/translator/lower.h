// What SPIR-V 1.4 to 1.6 brought, and what else older translators do not take, in words that they know.
#pragma once

#include <cstdint>

#include "compiler/translator/parsed_module.h"

namespace weft::translator {

/// The words of a valid module, without OpCopyLogical, OpPtrEqual, OpPtrNotEqual, OpPtrDiff, decorations by strings, casts of pointers
/// by OpBitcast, the memory operands of OpCopyMemory's source, hints on image operands and OpCompositeConstruct (which LLVM 15's
/// translator takes of constants alone): other instructions stand for them. Its version is at most `newest`.
Words lower(const ParsedModule& module, std::uint32_t newest);

}  // namespace weft::translator
