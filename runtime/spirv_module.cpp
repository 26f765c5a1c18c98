#include "runtime/spirv_module.h"

#include <vector>

#include "compiler/spirv_words.h"

namespace weft::runtime {
namespace {

// SPIR-V §3.42, §3.20.
enum Opcode : std::uint16_t {
  kOpTypeBool = 20,
  kOpTypeInt = 21,
  kOpTypeFloat = 22,
  kOpSpecConstantTrue = 48,
  kOpSpecConstantFalse = 49,
  kOpSpecConstant = 50,
  kOpDecorate = 71,
};
constexpr std::uint32_t kDecorationSpecId = 1;

}  // namespace

std::map<std::uint32_t, std::size_t> spec_constants(std::span<const std::uint8_t> module) {
  const std::vector<std::uint32_t> words = compiler::spirv_words(module);
  std::map<std::uint32_t, std::uint32_t> spec_ids;   // by the constant's id
  std::map<std::uint32_t, std::size_t> type_bytes;   // by the type's id
  std::map<std::uint32_t, std::size_t> result;
  for (std::size_t at = compiler::kSpirvHeaderWords; at < words.size();) {
    const std::size_t length = words[at] >> 16;
    if (length == 0 || length > words.size() - at) return result;
    const std::uint32_t* operands = &words[at] + 1;
    const std::size_t count = length - 1;
    const auto note = [&](std::uint32_t constant, std::size_t bytes) {
      if (const auto found = spec_ids.find(constant); found != spec_ids.end()) result[found->second] = bytes;
    };
    switch (words[at] & 0xffff) {
      case kOpDecorate:
        if (count >= 3 && operands[1] == kDecorationSpecId) spec_ids[operands[0]] = operands[2];
        break;
      case kOpTypeBool:
        if (count >= 1) type_bytes[operands[0]] = 1;
        break;
      case kOpTypeInt:
      case kOpTypeFloat:
        if (count >= 2) type_bytes[operands[0]] = operands[1] / 8;
        break;
      case kOpSpecConstantTrue:
      case kOpSpecConstantFalse:
        if (count >= 2) note(operands[1], 1);
        break;
      case kOpSpecConstant:
        if (count >= 2) note(operands[1], type_bytes[operands[0]]);
        break;
      default: break;
    }
    at += length;
  }
  return result;
}

}  // namespace weft::runtime
