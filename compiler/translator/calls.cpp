#include "compiler/translator/calls.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "compiler/translator/translate.h"

namespace weft::translator {
namespace {

std::string itanium_name(std::string_view name, std::string_view parameters) {
  return "_Z" + std::to_string(name.size()) + std::string(name) + std::string(parameters);
}

class Calls {
 public:
  explicit Calls(const ParsedModule& module) : module_(module), next_(module.header[3]) {
    for (const Instruction& each : module.instructions) {
      if (each.result) definitions_[each.result] = &each;
      if (const std::size_t at = range_operand(each.op)) ranges_.try_emplace(each.words[at], 0);
      if (each.op == spv::OpExtInstImport && string_at(each.words, 2).starts_with("NonSemantic.")) non_semantic_.insert(each.result);
    }
  }

  ParsedModule run() {
    std::vector<Instruction> body;
    for (const Instruction& each : module_.instructions) {
      if (is_left_out(each)) continue;
      if (each.op == spv::OpFunction) entry_at_ = 0;
      if (each.op == spv::OpLabel && entry_at_ == 0) entry_at_ = body.size() + 1;
      if (each.op == spv::OpBuildNDRange && ranges_.contains(each.result)) {
        keep_range(each, body);
      } else if (range_operand(each.op)) {
        body.push_back(with_operands(each, body));
      } else {
        body.push_back(replaced(each));
      }
    }
    ParsedModule result{module_.header, {}};
    // Annotations stand in front of all types, declarations of functions in front of definitions.
    bool annotated = false, declared = false;
    for (Instruction& each : body) {
      if (each.op >= spv::OpTypeVoid && each.op <= spv::OpTypeForwardPointer) {
        if (!annotated) append(result, annotations_);
        annotated = true;
      }
      if (each.op == spv::OpFunction) {
        if (!declared) {
          append(result, types_);
          append(result, declarations_);
        }
        declared = true;
      }
      result.instructions.push_back(std::move(each));
    }
    if (!functions_.empty())
      result.instructions.insert(result.instructions.begin(), make_instruction(spv::OpCapability, 0, 0, {spv::CapabilityLinkage}));
    result.header[3] = next_;
    return result;
  }

 private:
  struct Function {
    std::string name;  ///< mangled
    std::size_t num_arguments;
  };

  static void append(ParsedModule& module, const std::vector<Instruction>& more) {
    module.instructions.insert(module.instructions.end(), more.begin(), more.end());
  }

  const Instruction& type_of(Id value) const { return *definitions_.at(definitions_.at(value)->type); }

  bool is_left_out(const Instruction& each) const {
    switch (each.op) {
      case spv::OpCapability:
        switch (each.words[1]) {
          case spv::CapabilityShaderClockKHR:
          case spv::CapabilityDotProductKHR:
          case spv::CapabilityDotProductInput4x8BitKHR:
          case spv::CapabilityDotProductInput4x8BitPackedKHR:
          case spv::CapabilityAtomicFloat16AddEXT: return true;
          default: return false;
        }
      case spv::OpExtension: {
        const std::string_view name = string_at(each.words, 1);
        return name == "SPV_KHR_integer_dot_product" || name == "SPV_EXT_shader_atomic_float16_add" || name == "SPV_KHR_shader_clock" ||
               name == "SPV_KHR_non_semantic_info";
      }
      case spv::OpExtInstImport: return non_semantic_.contains(each.result);
      case spv::OpExtInst: return non_semantic_.contains(each.words[3]);
      case spv::OpName: return non_semantic_.contains(each.words[1]);
      default: return false;
    }
  }

  /// Nothing of other sizes than four bytes, which no capability of the device's stands for.
  std::optional<Function> dot_product(const Instruction& each) const {
    const bool accumulates = each.op == spv::OpSDotAccSat || each.op == spv::OpUDotAccSat || each.op == spv::OpSUDotAccSat;
    const bool first_signed = each.op != spv::OpUDot && each.op != spv::OpUDotAccSat;
    const bool second_signed = each.op == spv::OpSDot || each.op == spv::OpSDotAccSat;
    const Instruction& operand = type_of(each.words[3]);
    const bool is_packed = operand.op == spv::OpTypeInt;
    const Instruction& result = *definitions_.at(each.type);
    if (result.words[2] != 32) return std::nullopt;
    if (!is_packed && (operand.words[3] != 4 || definitions_.at(operand.words[2])->words[2] != 8)) return std::nullopt;
    std::string name = accumulates ? "dot_acc_sat" : "dot", parameters;
    if (is_packed) {
      name += "_4x8packed_";
      name += first_signed ? 's' : 'u';
      name += second_signed ? 's' : 'u';
      name += first_signed ? "_int" : "_uint";
      parameters = "jj";
    } else {
      parameters = first_signed ? "Dv4_c" : "Dv4_h";
      parameters += first_signed == second_signed ? "S_" : second_signed ? "Dv4_c" : "Dv4_h";
    }
    if (accumulates) parameters += first_signed ? 'i' : 'j';
    return Function{itanium_name(name, parameters), accumulates ? 3u : 2u};
  }

  std::optional<Function> sum_of_half(const Instruction& each) const {
    if (definitions_.at(each.type)->words[2] != 16) return std::nullopt;
    switch (type_of(each.words[3]).words[2]) {
      case spv::StorageClassCrossWorkgroup: return Function{itanium_name("atomic_fetch_add", "PU3AS1VU7_AtomicDhDh"), 2};
      case spv::StorageClassWorkgroup: return Function{itanium_name("atomic_fetch_add", "PU3AS3VU7_AtomicDhDh"), 2};
      case spv::StorageClassGeneric: return Function{itanium_name("atomic_fetch_add", "PU3AS4VU7_AtomicDhDh"), 2};
      default: return std::nullopt;
    }
  }

  /// All scopes have the same clock.
  Function clock(const Instruction& each) const {
    const bool is_vector = definitions_.at(each.type)->op == spv::OpTypeVector;
    return {itanium_name(is_vector ? "clock_read_hilo_device" : "clock_read_device", "v"), 0};
  }

  Instruction replaced(const Instruction& each) {
    std::optional<Function> function;
    Words arguments;
    switch (each.op) {
      case spv::OpSDot:
      case spv::OpUDot:
      case spv::OpSUDot:
      case spv::OpSDotAccSat:
      case spv::OpUDotAccSat:
      case spv::OpSUDotAccSat:
        if ((function = dot_product(each)))
          arguments.assign(each.words.begin() + 3, each.words.begin() + 3 + static_cast<std::ptrdiff_t>(function->num_arguments));
        break;
      case spv::OpReadClockKHR: function = clock(each); break;
      case spv::OpAtomicFAddEXT:
        // Between pointer and value stand scope and order: there is one memory, and sums are sequentially consistent.
        if ((function = sum_of_half(each))) arguments = {each.words[3], each.words[6]};
        break;
      default: break;
    }
    if (!function) return each;
    Words call = {each.type, each.result, declared(function->name, each.type, arguments)};
    call.insert(call.end(), arguments.begin(), arguments.end());
    return make_instruction(spv::OpFunctionCall, each.type, each.result, std::move(call));
  }

  /// The place of the range among the words of an instruction that takes one; 0 for any other.
  static std::size_t range_operand(spv::Op op) {
    switch (op) {
      case spv::OpEnqueueKernel: return 5;
      case spv::OpGetKernelNDrangeSubGroupCount:
      case spv::OpGetKernelNDrangeMaxSubGroupSize: return 3;
      default: return 0;
    }
  }

  /// Translators know a range as what is stored in a variable, whose address is the operand.
  void keep_range(const Instruction& each, std::vector<Instruction>& body) {
    const Id pointer = next_++, variable = next_++;
    types_.push_back(make_instruction(spv::OpTypePointer, 0, pointer, {pointer, spv::StorageClassFunction, each.type}));
    body.insert(body.begin() + static_cast<std::ptrdiff_t>(entry_at_),
                make_instruction(spv::OpVariable, pointer, variable, {pointer, variable, spv::StorageClassFunction}));
    body.push_back(each);
    body.push_back(make_instruction(spv::OpStore, 0, 0, {variable, each.result}));
    ranges_[each.result] = variable;
  }

  /// An instruction with a range. Translators do not say how large the parameter of what is enqueued is: it becomes what a function
  /// returns that is told.
  Instruction with_operands(const Instruction& each, std::vector<Instruction>& body) {
    Instruction changed = each;
    Id& range = changed.words[range_operand(each.op)];
    if (const Id variable = ranges_.at(range)) range = variable;
    if (each.op != spv::OpEnqueueKernel) return changed;
    constexpr std::size_t kParameter = 10;
    const Words arguments(each.words.begin() + kParameter, each.words.begin() + kParameter + 3);  // itself, its size, its alignment
    const Id type = definitions_.at(arguments[0])->type, result = next_++;
    Words call = {type, result, declared(kBlockParameter + std::to_string(type), type, arguments)};
    call.insert(call.end(), arguments.begin(), arguments.end());
    body.push_back(make_instruction(spv::OpFunctionCall, type, result, std::move(call)));
    changed.words[kParameter] = result;
    return changed;
  }

  /// The imported function of this mangled name.
  Id declared(const std::string& name, Id result, const Words& arguments) {
    Id& function = functions_[name];
    if (function) return function;
    function = next_++;
    Words linkage = {function, spv::DecorationLinkageAttributes};
    const Words text = string_words(name);
    linkage.insert(linkage.end(), text.begin(), text.end());
    linkage.push_back(spv::LinkageTypeImport);
    annotations_.push_back(make_instruction(spv::OpDecorate, 0, 0, std::move(linkage)));
    const Id type = next_++;
    Words signature = {type, result};
    for (const Id argument : arguments) signature.push_back(definitions_.at(argument)->type);
    types_.push_back(make_instruction(spv::OpTypeFunction, 0, type, std::move(signature)));
    declarations_.push_back(make_instruction(spv::OpFunction, result, function, {result, function, spv::FunctionControlMaskNone, type}));
    for (const Id argument : arguments) {
      const Id parameter = next_++;
      const Id parameter_type = definitions_.at(argument)->type;
      declarations_.push_back(make_instruction(spv::OpFunctionParameter, parameter_type, parameter, {parameter_type, parameter}));
    }
    declarations_.push_back(make_instruction(spv::OpFunctionEnd, 0, 0, {}));
    return function;
  }

  const ParsedModule& module_;
  Id next_;
  std::map<Id, const Instruction*> definitions_;
  std::set<Id> non_semantic_;
  std::map<Id, Id> ranges_;    ///< that instructions take, and the variables that have them; 0: none
  std::size_t entry_at_ = 0;  ///< in the body: behind the label of a function's entry
  std::map<std::string, Id> functions_;
  std::vector<Instruction> annotations_, types_, declarations_;
};

}  // namespace

ParsedModule with_calls(const ParsedModule& module) { return Calls(module).run(); }

}  // namespace weft::translator
