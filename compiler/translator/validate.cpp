#include "compiler/translator/validate.h"

#include <spirv-tools/libspirv.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>
#include <vector>

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

/// Without structured control flow, which kernels have as hints alone and which producers write for loops that are not structured, and
/// with each function's blocks behind those that dominate them.
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

/// With all variables in the interface of every entry point, as SPIR-V 1.4 and newer asks for those that it uses (§2.17): translators of
/// some versions name those of built-in inputs alone.
ParsedModule with_whole_interfaces(const ParsedModule& module) {
  constexpr std::uint32_t kNeedsAll = 0x00010400;  // SPIR-V 1.4
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
    const std::size_t name_words = string_at(each.words, name).size() / sizeof(std::uint32_t) + 1;
    const auto interface = each.words.begin() + static_cast<std::ptrdiff_t>(name + name_words);
    Words missing;
    std::copy_if(variables.begin(), variables.end(), std::back_inserter(missing),
                 [&](Id variable) { return std::find(interface, each.words.end(), variable) == each.words.end(); });
    if (each.words.size() + missing.size() > 0xffff) continue;  // more than an instruction can name
    each.words.insert(each.words.end(), missing.begin(), missing.end());
    each.words[0] = static_cast<std::uint32_t>(each.words.size()) << spv::WordCountShift | each.op;
  }
  return result;
}

/// With the capability of a required sub-group size, which LLVM's translator of some versions does not declare.
ParsedModule with_sub_group_sizes(const ParsedModule& module) {
  const auto requires_size = [](const Instruction& each) {
    return each.op == spv::OpExecutionMode && each.words[2] == spv::ExecutionModeSubgroupSize;
  };
  if (std::none_of(module.instructions.begin(), module.instructions.end(), requires_size)) return module;
  ParsedModule result = module;
  // It may be there twice.
  result.instructions.insert(result.instructions.begin(), make_instruction(spv::OpCapability, 0, 0, {spv::CapabilitySubgroupDispatch}));
  return result;
}

/// With the extensions that its capabilities are of: LLVM's translator of some versions declares the capability alone.
ParsedModule with_extensions(const ParsedModule& module) {
  static const std::map<std::uint32_t, const char*> extensions = {
      {spv::CapabilitySubgroupShuffleINTEL, "SPV_INTEL_subgroups"},
      {spv::CapabilitySubgroupBufferBlockIOINTEL, "SPV_INTEL_subgroups"},
      {spv::CapabilitySubgroupImageBlockIOINTEL, "SPV_INTEL_subgroups"},
      {spv::CapabilityFPFastMathModeINTEL, "SPV_INTEL_fp_fast_math_mode"},
  };
  const auto is_capability = [](const Instruction& each) { return each.op == spv::OpCapability; };
  const auto behind = std::find_if_not(module.instructions.begin(), module.instructions.end(), is_capability);
  ParsedModule result{module.header, {module.instructions.begin(), behind}};
  for (auto each = module.instructions.begin(); each != behind; ++each)
    if (const auto found = extensions.find(each->words[1]); found != extensions.end())
      result.instructions.push_back(make_instruction(spv::OpExtension, 0, 0, string_words(found->second)));  // it may be there twice
  result.instructions.insert(result.instructions.end(), behind, module.instructions.end());
  return result;
}

/// With pointers to integers in place of those to functions (SPV_INTEL_function_pointers), which SPIRV-Tools of some versions do not
/// take even as what a struct has and nobody reads. Functions whose addresses are taken are still refused.
ParsedModule without_function_pointers(const ParsedModule& module) {
  ParsedModule result = module;
  std::set<Id> function_types;
  Id integer = 0;
  for (Instruction& each : result.instructions) {
    if (each.op == spv::OpTypeFunction) function_types.insert(each.result);
    else if (each.op == spv::OpTypeInt) integer = each.result;
    else if (each.op == spv::OpTypePointer && integer && function_types.contains(each.words[3])) each.words[3] = integer;
  }
  return result;
}

}  // namespace

std::string validate(const ParsedModule& module) {
  std::string log;
  spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_6);
  tools.SetMessageConsumer([&](spv_message_level_t level, const char*, const spv_position_t&, const char* message) {
    if (level <= SPV_MSG_ERROR) log += std::string("error: SPIR-V: ") + message + "\n";
  });
  const ParsedModule checked = with_extensions(with_sub_group_sizes(with_whole_interfaces(without_function_pointers(without_structure(module)))));
  if (!tools.IsValid() || (!tools.Validate(to_words(checked)) && log.empty())) log = "error: the SPIR-V module is not valid\n";
  for (const Instruction& instruction : module.instructions)
    if (log.empty() && instruction.op == spv::OpMemoryModel && instruction.words[1] == spv::AddressingModelPhysical32)
      log = "error: the SPIR-V module is for addresses of 32 bits, the device has 64\n";
  return log;
}

}  // namespace weft::translator
