#include "compiler/translator/parsed_module.h"

#include <spirv-tools/libspirv.hpp>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

namespace weft::translator {

std::optional<ParsedModule> parse(const std::uint32_t* words, std::size_t num_words, std::string& error) {
  ParsedModule parsed;
  parsed.header.assign(words, words + std::min(num_words, kHeaderWords));
  const auto note = [](void* to, const spv_parsed_instruction_t* instruction) {
    static_cast<ParsedModule*>(to)->instructions.push_back({static_cast<spv::Op>(instruction->opcode), instruction->type_id,
                                                            instruction->result_id,
                                                            Words(instruction->words, instruction->words + instruction->num_words)});
    return SPV_SUCCESS;
  };
  const std::unique_ptr<spv_context_t, decltype(&spvContextDestroy)> context(spvContextCreate(SPV_ENV_UNIVERSAL_1_6), &spvContextDestroy);
  spv_diagnostic diagnostic = nullptr;
  const spv_result_t result = spvBinaryParse(context.get(), &parsed, words, num_words, nullptr, note, &diagnostic);
  if (result != SPV_SUCCESS) error = std::string("error: SPIR-V: ") + (diagnostic ? diagnostic->error : "it cannot be parsed") + "\n";
  spvDiagnosticDestroy(diagnostic);
  if (result != SPV_SUCCESS) return std::nullopt;
  return parsed;
}

Instruction make_instruction(spv::Op op, Id type, Id result, Words operands) {
  operands.insert(operands.begin(), static_cast<std::uint32_t>(operands.size() + 1) << spv::WordCountShift | op);
  return {op, type, result, std::move(operands)};
}

Words string_words(std::string_view text) {
  Words words(text.size() / sizeof(std::uint32_t) + 1);
  std::memcpy(words.data(), text.data(), text.size());
  return words;
}

std::string_view string_at(std::span<const std::uint32_t> words, std::size_t at) {
  if (at >= words.size()) return {};
  const char* text = reinterpret_cast<const char*>(&words[at]);
  return {text, strnlen(text, (words.size() - at) * sizeof words[0])};
}

Words to_words(const ParsedModule& module) {
  Words result = module.header;
  for (const Instruction& instruction : module.instructions) result.insert(result.end(), instruction.words.begin(), instruction.words.end());
  return result;
}

}  // namespace weft::translator
