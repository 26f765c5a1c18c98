#include "compiler/translator/lower.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <set>

namespace weft::translator {
namespace {

class Lowering {
 public:
  explicit Lowering(const ParsedModule& parsed) : parsed_(parsed), next_(parsed.header[3]) {
    for (const Instruction& instruction : parsed.instructions) {
      if (instruction.op == spv::OpDecorate && instruction.words[2] == spv::DecorationCPacked) packed_.insert(instruction.words[1]);
      if (!instruction.result) continue;
      definitions_[instruction.result] = &instruction;
      if (instruction.op == spv::OpTypeInt && instruction.words[2] == 64) ulong_ = instruction.result;
    }
  }

  Words run(std::uint32_t newest) {
    Words body;
    bool in_functions = false;
    for (const Instruction& instruction : parsed_.instructions) {
      if (instruction.op == spv::OpFunction && !in_functions) {
        in_functions = true;
        declare(body);
      }
      out_ = &body;
      rewrite(instruction);
    }
    Words result = parsed_.header;
    result[1] = std::min(result[1], newest);
    result[3] = next_;
    result.insert(result.end(), body.begin(), body.end());
    return result;
  }

 private:
  const Instruction& definition(Id id) const { return *definitions_.at(id); }
  spv::Op type_op(Id type) const { return definition(type).op; }
  Id type_of(Id value) const { return definition(value).type; }
  bool is_pointer(Id type) const { return type_op(type) == spv::OpTypePointer; }

  void emit(spv::Op op, std::initializer_list<std::uint32_t> operands) { emit(op, Words(operands)); }
  void emit(spv::Op op, const Words& operands) {
    out_->push_back(static_cast<std::uint32_t>(operands.size() + 1) << 16 | op);
    out_->insert(out_->end(), operands.begin(), operands.end());
  }
  void copy(const Instruction& instruction) { out_->insert(out_->end(), instruction.words.begin(), instruction.words.end()); }

  /// The types and constants that the instructions below stand on, in front of the first function.
  void declare(Words& body) {
    out_ = &body;
    for (const Instruction& instruction : parsed_.instructions) {
      const bool casts = instruction.op == spv::OpBitcast && is_pointer(instruction.type) != is_pointer(type_of(instruction.words[3]));
      const bool differs = instruction.op == spv::OpPtrDiff;
      if (!casts && !differs && instruction.op != spv::OpPtrEqual && instruction.op != spv::OpPtrNotEqual) continue;
      if (!ulong_) emit(spv::OpTypeInt, {ulong_ = next_++, 64, 0});
      if (!differs) continue;
      const std::uint64_t size = bytes(definition(type_of(instruction.words[3])).words[3]);
      if (Id& constant = sizes_[size]; !constant)
        emit(spv::OpConstant, {ulong_, constant = next_++, static_cast<std::uint32_t>(size), static_cast<std::uint32_t>(size >> 32)});
    }
  }

  /// Of a type in memory, as the OpenCL environment lays it out (OpenCL SPIR-V Environment §2).
  std::uint64_t bytes(Id type) const {
    const Instruction& made = definition(type);
    switch (made.op) {
      case spv::OpTypeInt:
      case spv::OpTypeFloat: return made.words[2] / 8;
      case spv::OpTypeBool: return 1;
      case spv::OpTypeVector: return bytes(made.words[2]) * (made.words[3] == 3 ? 4 : made.words[3]);
      case spv::OpTypeArray: return bytes(made.words[2]) * definition(made.words[3]).words[3];
      case spv::OpTypeStruct: {
        std::uint64_t size = 0;
        for (std::size_t i = 2; i < made.words.size(); ++i) {
          const std::uint64_t align = alignment(made.words[i]);
          size = (size + align - 1) / align * align + bytes(made.words[i]);
        }
        const std::uint64_t align = alignment(type);
        return (size + align - 1) / align * align;
      }
      default: return 8;  // pointers and what stands for them
    }
  }
  std::uint64_t alignment(Id type) const {
    const Instruction& made = definition(type);
    if (made.op == spv::OpTypeArray) return alignment(made.words[2]);
    if (made.op != spv::OpTypeStruct) return std::max<std::uint64_t>(bytes(type), 1);
    std::uint64_t result = 1;
    for (std::size_t i = 2; i < made.words.size() && !packed_.contains(type); ++i) result = std::max(result, alignment(made.words[i]));
    return result;
  }

  Id address(Id pointer) {
    emit(spv::OpConvertPtrToU, {ulong_, next_, pointer});
    return next_++;
  }

  /// `value` of type `from` as one of type `to`, which differs in the names of its parts' types alone.
  Id copy_logical(Id value, Id from, Id to) {
    if (from == to) return value;
    const Instruction& source = definition(from);
    const Instruction& target = definition(to);
    const bool is_struct = source.op == spv::OpTypeStruct;
    const std::uint32_t count = is_struct ? static_cast<std::uint32_t>(source.words.size() - 2) : definition(source.words[3]).words[3];
    Words parts;
    for (std::uint32_t i = 0; i < count; ++i) {
      const Id part_from = source.words[is_struct ? 2 + i : 2], part_to = target.words[is_struct ? 2 + i : 2];
      const Id part = next_++;
      emit(spv::OpCompositeExtract, {part_from, part, value, i});
      parts.push_back(copy_logical(part, part_from, part_to));
    }
    const Id result = next_++;
    construct(to, result, parts);
    return result;
  }

  /// `result` of `parts` put in one after the other; the parts of a vector are scalars.
  void construct(Id type, Id result, const Words& parts) {
    Id made = next_++;
    emit(spv::OpUndef, {type, made});
    for (std::uint32_t i = 0; i < parts.size(); ++i) {
      const Id next = i + 1 == parts.size() ? result : next_++;
      emit(spv::OpCompositeInsert, {type, next, parts[i], made, i});
      made = next;
    }
  }

  /// What OpCompositeConstruct names, each vector in a vector's place by its components.
  Words scalars(const Instruction& instruction) {
    Words result;
    for (std::size_t i = 3; i < instruction.words.size(); ++i) {
      const Id value = instruction.words[i];
      const Instruction& type = definition(type_of(value));
      if (type_op(instruction.type) != spv::OpTypeVector || type.op != spv::OpTypeVector) {
        result.push_back(value);
        continue;
      }
      for (std::uint32_t component = 0; component < type.words[3]; ++component) {
        emit(spv::OpCompositeExtract, {type.words[2], next_, value, component});
        result.push_back(next_++);
      }
    }
    return result;
  }

  /// The words of one set of memory operands that begin at `at`.
  static std::size_t memory_operands(const Words& words, std::size_t at) {
    if (at >= words.size()) return 0;
    return 1 + ((words[at] & spv::MemoryAccessAlignedMask) != 0);
  }

  void rewrite(const Instruction& instruction) {
    const Words& words = instruction.words;
    switch (instruction.op) {
      case spv::OpDecorateString:
      case spv::OpMemberDecorateString: return;  // for people
      case spv::OpAssumeTrueKHR: return;         // a hint
      case spv::OpExpectKHR: return emit(spv::OpCopyObject, {instruction.type, instruction.result, words[3]});
      case spv::OpPtrEqual:
      case spv::OpPtrNotEqual: {
        const Id a = address(words[3]), b = address(words[4]);
        return emit(instruction.op == spv::OpPtrEqual ? spv::OpIEqual : spv::OpINotEqual, {instruction.type, instruction.result, a, b});
      }
      case spv::OpPtrDiff: {
        const Id size = sizes_.at(bytes(definition(type_of(words[3])).words[3]));
        const Id a = address(words[3]), b = address(words[4]), difference = next_++;
        emit(spv::OpISub, {ulong_, difference, a, b});
        if (definition(instruction.type).words[2] == 64) return emit(spv::OpSDiv, {instruction.type, instruction.result, difference, size});
        const Id elements = next_++;
        emit(spv::OpSDiv, {ulong_, elements, difference, size});
        return emit(spv::OpSConvert, {instruction.type, instruction.result, elements});
      }
      case spv::OpBitcast: {
        const bool from = is_pointer(type_of(words[3])), to = is_pointer(instruction.type);
        if (from == to) return copy(instruction);
        const bool is_whole = type_op(from ? instruction.type : type_of(words[3])) == spv::OpTypeInt;
        if (is_whole) return emit(from ? spv::OpConvertPtrToU : spv::OpConvertUToPtr, {instruction.type, instruction.result, words[3]});
        const Id bits = next_++;
        emit(from ? spv::OpConvertPtrToU : spv::OpBitcast, {ulong_, bits, words[3]});
        return emit(from ? spv::OpBitcast : spv::OpConvertUToPtr, {instruction.type, instruction.result, bits});
      }
      case spv::OpCopyLogical: {
        // What it makes has a name of its own.
        const Id made = copy_logical(words[3], type_of(words[3]), instruction.type);
        return emit(spv::OpCopyObject, {instruction.type, instruction.result, made});
      }
      case spv::OpCompositeConstruct: {
        const Words parts = scalars(instruction);
        return parts.empty() ? copy(instruction) : construct(instruction.type, instruction.result, parts);
      }
      case spv::OpConstantNull: {
        const Instruction& type = definition(instruction.type);
        if (type.op == spv::OpTypeBool) return emit(spv::OpConstantFalse, {instruction.type, instruction.result});
        if (type.op != spv::OpTypeInt && type.op != spv::OpTypeFloat) return copy(instruction);
        Words number = {instruction.type, instruction.result};
        number.resize(2 + (type.words[2] + 31) / 32);
        return emit(spv::OpConstant, number);
      }
      case spv::OpVectorShuffle: {
        if (type_of(words[3]) == type_of(words[4])) return copy(instruction);
        const Instruction& first = definition(type_of(words[3]));
        Words parts;
        for (std::size_t i = 5; i < words.size(); ++i) {
          const Id part = next_++;
          const bool is_second = words[i] >= first.words[3];
          if (words[i] == ~0u) emit(spv::OpUndef, {first.words[2], part});
          else emit(spv::OpCompositeExtract, {first.words[2], part, words[is_second ? 4 : 3], words[i] - (is_second ? first.words[3] : 0)});
          parts.push_back(part);
        }
        return construct(instruction.type, instruction.result, parts);
      }
      case spv::OpCopyMemory: {
        const std::size_t first = memory_operands(words, 3), second = memory_operands(words, 3 + first);
        const Words target(words.begin() + 3, words.begin() + static_cast<std::ptrdiff_t>(3 + first));
        const Words source = second ? Words(words.begin() + static_cast<std::ptrdiff_t>(3 + first), words.end()) : target;
        Words load = {definition(type_of(words[2])).words[3], next_, words[2]}, store = {words[1], next_++};
        load.insert(load.end(), source.begin(), source.end());
        store.insert(store.end(), target.begin(), target.end());
        emit(spv::OpLoad, load);
        return emit(spv::OpStore, store);
      }
      case spv::OpCopyMemorySized: {
        const std::size_t kept = 4 + memory_operands(words, 4);
        return emit(instruction.op, Words(words.begin() + 1, words.begin() + static_cast<std::ptrdiff_t>(std::min(kept, words.size()))));
      }
      case spv::OpImageSampleExplicitLod:
      case spv::OpImageRead:
      case spv::OpImageWrite: {
        const std::size_t operands = instruction.op == spv::OpImageWrite ? 4 : 5;
        if (words.size() <= operands || !(words[operands] & spv::ImageOperandsNontemporalMask)) return copy(instruction);
        Words kept(words.begin() + 1, words.end());
        std::uint32_t& mask = kept[operands - 1];
        mask &= ~static_cast<std::uint32_t>(spv::ImageOperandsNontemporalMask);
        if (!mask) kept.pop_back();
        return emit(instruction.op, kept);
      }
      default: return copy(instruction);
    }
  }

  const ParsedModule& parsed_;
  Words* out_ = nullptr;
  Id next_;
  Id ulong_ = 0;
  std::map<Id, const Instruction*> definitions_;
  std::set<Id> packed_;                ///< structs without padding
  std::map<std::uint64_t, Id> sizes_;  ///< constants of these values
};

}  // namespace

Words lower(const ParsedModule& module, std::uint32_t newest) { return Lowering(module).run(newest); }

}  // namespace weft::translator
