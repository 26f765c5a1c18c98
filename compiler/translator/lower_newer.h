// What SPIR-V 1.4 to 1.6 brought, in the words of 1.3, which every translator knows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weft::translator {

/// A valid module without OpCopyLogical, OpPtrEqual, OpPtrNotEqual, OpPtrDiff, decorations by strings, casts of pointers by
/// OpBitcast, the memory operands of OpCopyMemory's source and hints on image operands: other instructions stand for
/// them. Its version is at most `newest`. None, with a reason in `error`, if it is not for a device of 64-bit addresses.
std::optional<std::vector<std::uint32_t>> lower_newer(const std::uint32_t* words, std::size_t num_words, std::uint32_t newest,
                                                      std::string& error);

}  // namespace weft::translator
