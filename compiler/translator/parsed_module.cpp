#include "compiler/translator/parsed_module.h"

#include <spirv-tools/libspirv.hpp>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <utility>

namespace weft::translator {
namespace {

/// A range of a function's instructions, from a label to what ends the block.
struct Block {
  std::size_t begin, end;
};

/// The labels that a block's last instruction names.
std::vector<Id> targets(const Instruction& last) {
  const Words& words = last.words;
  switch (last.op) {
    case spv::OpBranch: return {words[1]};
    case spv::OpBranchConditional: return {words[2], words[3]};
    // Which words of it are labels hangs on the selector's width: those that are no block's are sorted out by whoever looks.
    case spv::OpSwitch: return {words.begin() + 2, words.end()};
    default: return {};
  }
}

/// Appends the blocks from `first` to `last` in reverse post-order, unreachable ones behind.
void append_in_order(const std::vector<Instruction>& instructions, const std::vector<Block>& blocks, std::vector<Instruction>& out) {
  std::map<Id, std::size_t> by_label;
  for (std::size_t i = 0; i < blocks.size(); ++i) by_label[instructions[blocks[i].begin].result] = i;
  std::vector<std::size_t> order;
  std::vector<bool> seen(blocks.size());
  std::vector<std::pair<std::size_t, std::vector<Id>>> path;  // blocks that are being visited, and what is left of their targets
  const auto enter = [&](std::size_t block) {
    seen[block] = true;
    path.emplace_back(block, targets(instructions[blocks[block].end - 1]));
  };
  if (!blocks.empty()) enter(0);
  while (!path.empty()) {
    auto& [block, left] = path.back();
    if (left.empty()) {
      order.push_back(block);
      path.pop_back();
      continue;
    }
    const auto found = by_label.find(left.back());
    left.pop_back();
    if (found != by_label.end() && !seen[found->second]) enter(found->second);
  }
  std::reverse(order.begin(), order.end());
  for (std::size_t i = 0; i < blocks.size(); ++i)
    if (!seen[i]) order.push_back(i);
  for (const std::size_t block : order)
    out.insert(out.end(), instructions.begin() + static_cast<std::ptrdiff_t>(blocks[block].begin),
               instructions.begin() + static_cast<std::ptrdiff_t>(blocks[block].end));
}

}  // namespace

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

ParsedModule without_structure(const ParsedModule& module) {
  std::vector<Instruction> kept;
  std::copy_if(module.instructions.begin(), module.instructions.end(), std::back_inserter(kept),
               [](const Instruction& i) { return i.op != spv::OpLoopMerge && i.op != spv::OpSelectionMerge; });
  ParsedModule result{module.header, {}};
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i].op == spv::OpLabel) {
      blocks.push_back({i, i + 1});
    } else if (kept[i].op == spv::OpFunctionEnd || blocks.empty()) {
      append_in_order(kept, blocks, result.instructions);
      blocks.clear();
      result.instructions.push_back(kept[i]);
    } else {
      blocks.back().end = i + 1;
    }
  }
  append_in_order(kept, blocks, result.instructions);
  return result;
}

ParsedModule with_whole_interfaces(const ParsedModule& module) {
  constexpr std::uint32_t kNeedsAll = 0x00010400;
  ParsedModule result = module;
  if (module.header.size() < kHeaderWords || module.header[1] < kNeedsAll) return result;
  Words variables;
  for (const Instruction& each : module.instructions) {
    if (each.op == spv::OpFunction) break;
    if (each.op == spv::OpVariable) variables.push_back(each.result);
  }
  for (Instruction& each : result.instructions) {
    if (each.op != spv::OpEntryPoint) continue;
    const std::size_t name = 3;
    const auto interface = each.words.begin() + static_cast<std::ptrdiff_t>(name + string_at(each.words, name).size() / sizeof(std::uint32_t) + 1);
    Words missing;
    std::copy_if(variables.begin(), variables.end(), std::back_inserter(missing),
                 [&](Id variable) { return std::find(interface, each.words.end(), variable) == each.words.end(); });
    if (each.words.size() + missing.size() > 0xffff) continue;  // more than an instruction can name
    each.words.insert(each.words.end(), missing.begin(), missing.end());
    each.words[0] = static_cast<std::uint32_t>(each.words.size()) << spv::WordCountShift | each.op;
  }
  return result;
}

}  // namespace weft::translator
