#include "compiler/translator/loop_names.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>

namespace weft::translator {
namespace {

/// Of the sections that stand before a module's annotations (SPIR-V §2.4), or a name.
bool is_before_annotations(spv::Op op) {
  switch (op) {
    case spv::OpCapability:
    case spv::OpExtension:
    case spv::OpExtInstImport:
    case spv::OpMemoryModel:
    case spv::OpEntryPoint:
    case spv::OpExecutionMode:
    case spv::OpExecutionModeId:
    case spv::OpString:
    case spv::OpSource:
    case spv::OpSourceContinued:
    case spv::OpSourceExtension:
    case spv::OpName:
    case spv::OpMemberName: return true;
    default: return false;
  }
}

}  // namespace

ParsedModule with_named_loops(ParsedModule module) {
  std::map<Id, std::string> names;
  std::map<Id, Id> merges;
  Id block = 0;
  for (const Instruction& each : module.instructions) {
    if (each.op == spv::OpLabel) block = each.result;
    if (each.op == spv::OpLoopMerge && each.words.size() > 1) merges[block] = each.words[1];
  }
  for (const auto& [header, merge] : merges) {
    names[header] = "weft.loop." + std::to_string(header) + "." + std::to_string(merge);
    if (!merges.contains(merge)) names[merge] = "weft.loop." + std::to_string(merge);
  }
  if (names.empty()) return module;
  auto& all = module.instructions;
  std::erase_if(all, [&](const Instruction& each) { return each.op == spv::OpName && each.words.size() > 1 && names.contains(each.words[1]); });
  std::vector<Instruction> made;
  for (const auto& [label, name] : names) {
    Words operands = string_words(name);
    operands.insert(operands.begin(), label);
    made.push_back(make_instruction(spv::OpName, 0, 0, std::move(operands)));
  }
  const auto place = std::ranges::find_if_not(all, [](const Instruction& each) { return is_before_annotations(each.op); });
  all.insert(place, std::make_move_iterator(made.begin()), std::make_move_iterator(made.end()));
  return module;
}

}  // namespace weft::translator
