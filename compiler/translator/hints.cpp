#include "compiler/translator/hints.h"

#include <algorithm>
#include <initializer_list>
#include <span>
#include <string_view>

namespace weft::translator {
namespace {

using Operands = std::span<const std::uint32_t>;

// Of extensions that headers of distributions do not have yet.
constexpr std::uint32_t kCapabilityFPMaxError = 6169, kCapabilityCacheControls = 6441;
constexpr std::uint32_t kDecorationFPMaxError = 6170, kDecorationCacheControlLoad = 6442, kDecorationCacheControlStore = 6443;

bool is_one_of(std::uint32_t value, std::initializer_list<std::uint32_t> values) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

bool is_hint(std::uint32_t op, Operands operands) {
  switch (op) {
    case spv::OpAliasDomainDeclINTEL:
    case spv::OpAliasScopeDeclINTEL:
    case spv::OpAliasScopeListDeclINTEL: return true;
    case spv::OpCapability:
      return !operands.empty() &&
             is_one_of(operands[0], {spv::CapabilityMemoryAccessAliasingINTEL, kCapabilityFPMaxError, kCapabilityCacheControls});
    case spv::OpExtension: {
      const std::string_view name = string_at(operands, 0);
      return name == "SPV_INTEL_memory_access_aliasing" || name == "SPV_INTEL_fp_max_error" || name == "SPV_INTEL_cache_controls";
    }
    case spv::OpDecorate:
    case spv::OpDecorateId:
      return operands.size() > 1 &&
             is_one_of(operands[1], {spv::DecorationAliasScopeINTEL, spv::DecorationNoAliasINTEL, kDecorationFPMaxError,
                                     kDecorationCacheControlLoad, kDecorationCacheControlStore});
    default: return false;
  }
}

/// Where the memory operands (SPIR-V §3.26) of an instruction begin, which may be behind its last; 0: it has none.
std::size_t memory_operands(std::uint32_t op) {
  switch (op) {
    case spv::OpStore:
    case spv::OpCopyMemory: return 2;
    case spv::OpLoad:
    case spv::OpCopyMemorySized: return 3;
    default: return 0;
  }
}

/// Appends `operands`, at most two sets of memory operands, each without the lists of scopes.
void append_memory_operands(Operands operands, Words& out) {
  const std::uint32_t kept =
      spv::MemoryAccessAlignedMask | spv::MemoryAccessMakePointerAvailableMask | spv::MemoryAccessMakePointerVisibleMask;
  const std::uint32_t hints = spv::MemoryAccessAliasScopeINTELMaskMask | spv::MemoryAccessNoAliasINTELMaskMask;
  for (std::size_t at = 0; at < operands.size();) {
    const std::uint32_t mask = operands[at++];
    out.push_back(mask & ~hints);
    // Each of these bits has a word, in order of the bits.
    for (std::uint32_t bit = 1; bit != 0 && at < operands.size(); bit <<= 1) {
      if (!(mask & bit & (kept | hints))) continue;
      if (bit & kept) out.push_back(operands[at]);
      ++at;
    }
  }
}

}  // namespace

Words without_hints(const std::uint32_t* words, std::size_t num_words) {
  std::size_t at = std::min(num_words, kHeaderWords);
  Words result(words, words + at);
  result.reserve(num_words);
  while (at < num_words) {
    const std::size_t size = words[at] >> spv::WordCountShift;
    if (size == 0 || size > num_words - at) break;
    const std::uint32_t op = words[at] & spv::OpCodeMask;
    const Operands operands(words + at + 1, size - 1);
    at += size;
    if (is_hint(op, operands)) continue;
    const std::size_t first = result.size(), fixed = memory_operands(op);
    result.push_back(op);
    if (fixed == 0 || operands.size() <= fixed) {
      result.insert(result.end(), operands.begin(), operands.end());
    } else {
      result.insert(result.end(), operands.begin(), operands.begin() + static_cast<std::ptrdiff_t>(fixed));
      append_memory_operands(operands.subspan(fixed), result);
    }
    result[first] |= static_cast<std::uint32_t>(result.size() - first) << spv::WordCountShift;
  }
  result.insert(result.end(), words + at, words + num_words);
  return result;
}

}  // namespace weft::translator
