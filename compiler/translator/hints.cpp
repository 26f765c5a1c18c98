#include "compiler/translator/hints.h"

#include <string_view>

namespace weft::translator {
namespace {

bool is_hint(const Instruction& each) {
  switch (each.op) {
    case spv::OpAliasDomainDeclINTEL:
    case spv::OpAliasScopeDeclINTEL:
    case spv::OpAliasScopeListDeclINTEL: return true;
    case spv::OpCapability: return each.words[1] == spv::CapabilityMemoryAccessAliasingINTEL;
    case spv::OpExtension: return string_at(each.words, 1) == "SPV_INTEL_memory_access_aliasing";
    case spv::OpDecorate:
    case spv::OpDecorateId: return each.words[2] == spv::DecorationAliasScopeINTEL || each.words[2] == spv::DecorationNoAliasINTEL;
    default: return false;
  }
}

/// Appends the memory operands (SPIR-V §3.26) of `words` from `at` on, at most two sets of them, each without the lists of scopes.
void append_memory_operands(const Words& words, std::size_t at, Words& out) {
  const std::uint32_t kNamesOne = spv::MemoryAccessAlignedMask | spv::MemoryAccessMakePointerAvailableMask | spv::MemoryAccessMakePointerVisibleMask;
  const std::uint32_t kHints = spv::MemoryAccessAliasScopeINTELMaskMask | spv::MemoryAccessNoAliasINTELMaskMask;
  while (at < words.size()) {
    const std::uint32_t mask = words[at++];
    out.push_back(mask & ~kHints);
    // Each of these bits has a word, in order of the bits: the hints' are the last.
    for (std::uint32_t bit = 1; bit != 0; bit <<= 1) {
      if (!(mask & bit & (kNamesOne | kHints)) || at >= words.size()) continue;
      if (bit & kNamesOne) out.push_back(words[at]);
      ++at;
    }
  }
}

Instruction without_lists(const Instruction& each) {
  std::size_t operands = 0;
  switch (each.op) {
    case spv::OpStore:
    case spv::OpCopyMemory: operands = 3; break;
    case spv::OpLoad:
    case spv::OpCopyMemorySized: operands = 4; break;
    default: return each;
  }
  if (each.words.size() <= operands) return each;
  Instruction result{each.op, each.type, each.result, Words(each.words.begin(), each.words.begin() + static_cast<std::ptrdiff_t>(operands))};
  append_memory_operands(each.words, operands, result.words);
  result.words[0] = static_cast<std::uint32_t>(result.words.size()) << 16 | each.op;
  return result;
}

}  // namespace

ParsedModule without_hints(const ParsedModule& module) {
  ParsedModule result{module.header, {}};
  result.instructions.reserve(module.instructions.size());
  for (const Instruction& each : module.instructions)
    if (!is_hint(each)) result.instructions.push_back(without_lists(each));
  return result;
}

}  // namespace weft::translator
