#include "compiler/simt/item/unit_strides.h"

#include <map>
#include <utility>

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/simt/ir/primitives.h"

namespace weft::compiler::simt {
namespace {

using llvm::Instruction;
using llvm::Value;

/// Values to look at before what they come from counts as unknown.
constexpr std::size_t kMostValues = 64;

bool is_place(const Value& value) {
  const llvm::StringRef name = called_name(value);
  return name == "__weft_local_id_x" || name == "__weft_global_id_x" || name == primitive::kBlockId;
}

/// Whether `value` is made by adding, multiplying and converting of something that `is_source`.
bool follows(const Value& value, bool through_multiples, llvm::function_ref<bool(const Value&)> is_source) {
  llvm::SmallPtrSet<const Value*, 16> seen;
  llvm::SmallVector<const Value*, 16> left = {&value};
  while (!left.empty() && seen.size() < kMostValues) {
    const Value* const one = left.pop_back_val();
    if (!seen.insert(one).second) continue;
    if (is_source(*one)) return true;
    const auto* const instruction = llvm::dyn_cast<Instruction>(one);
    if (!instruction) continue;
    switch (instruction->getOpcode()) {
      case Instruction::Mul:
      case Instruction::Shl:
        if (!through_multiples) break;
        [[fallthrough]];
      case Instruction::Add:
      case Instruction::Sub:
      case Instruction::Or:
      case Instruction::SExt:
      case Instruction::ZExt:
      case Instruction::Trunc:
      case Instruction::Freeze:
      case Instruction::GetElementPtr:
      case Instruction::PHI:
        left.append(instruction->value_op_begin(), instruction->value_op_end());
        break;
      case Instruction::URem:
      case Instruction::SRem:
        // A place in a row that has no end in common with the launch's.
        left.push_back(instruction->getOperand(0));
        break;
      default:
        break;
    }
  }
  return false;
}

/// Whether `value` is a sum, or a multiple, of a work-item's place along x.
bool follows_place(const Value& value) { return follows(value, /*through_multiples=*/true, is_place); }

/// Whether a multiple of a work-item's place along x is part of the sum or address `value`: rows, one for each lane.
bool lies_apart(const Value& value) {
  return follows(value, /*through_multiples=*/false, [](const Value& part) {
    const auto* const product = llvm::dyn_cast<Instruction>(&part);
    return product && (product->getOpcode() == Instruction::Mul || product->getOpcode() == Instruction::Shl) && follows_place(*product);
  });
}

/// Whether `user` is the next value of `of`, which a loop carries: a number or a pointer, and something added.
bool is_next(const Instruction& user, const llvm::PHINode& of) {
  const bool adds = user.getOpcode() == Instruction::Add || user.getOpcode() == Instruction::GetElementPtr;
  return adds && llvm::is_contained(user.operand_values(), &of) && llvm::is_contained(of.incoming_values(), &user);
}

/// Whether `value` counts a loop's iterations.
bool is_counter(const Value& value) {
  const auto* const phi = llvm::dyn_cast<llvm::PHINode>(&value);
  return phi && llvm::any_of(phi->incoming_values(), [&](const Value* next) {
           const auto* const instruction = llvm::dyn_cast<Instruction>(next);
           return instruction && is_next(*instruction, *phi);
         });
}

/// Whether `product` is a multiple of a loop's counter, and part of an address in a row of the lane's own.
bool walks_along_row(const Instruction& product, const Value& counter) {
  if (!follows(counter, /*through_multiples=*/false, is_counter)) return false;
  llvm::SmallPtrSet<const Value*, 16> seen;
  llvm::SmallVector<const Instruction*, 16> left = {&product};
  while (!left.empty() && seen.size() < kMostValues) {
    const Instruction* const one = left.pop_back_val();
    if (!seen.insert(one).second) continue;
    for (const llvm::User* user : one->users()) {
      const auto* const sum = llvm::dyn_cast<Instruction>(user);
      if (!sum) continue;
      if (llvm::isa<llvm::GetElementPtrInst>(sum) && lies_apart(*sum)) return true;
      if (sum->getOpcode() == Instruction::Add || llvm::isa<llvm::SExtInst, llvm::ZExtInst, llvm::TruncInst>(sum)) left.push_back(sum);
    }
  }
  return false;
}

/// Whether a loop goes on by `step` in each of its iterations, from somewhere in a row of the lane's own.
bool is_step(const Instruction& sum, const Value& step) {
  return llvm::any_of(sum.operand_values(), [&](const Value* operand) {
    const auto* const phi = llvm::dyn_cast<llvm::PHINode>(operand);
    return phi && phi != &step && is_next(sum, *phi) && lies_apart(*phi);
  });
}

/// Whether `value` is a work-item's place along y or z.
bool is_row(const Value& value) {
  const Value* one = &value;
  while (llvm::isa<llvm::SExtInst, llvm::ZExtInst, llvm::TruncInst>(one)) one = llvm::cast<Instruction>(one)->getOperand(0);
  const llvm::StringRef name = called_name(*one);
  return name == "__weft_global_id_y" || name == "__weft_global_id_z";
}

/// Whether what `first` is, a multiple of `count`, and `count` are added up: where the rows end that a work-item begins at `first`.
bool has_end(const Instruction& first, const Value& count) {
  return llvm::any_of(first.users(), [&](const llvm::User* user) {
    const auto* sum = llvm::dyn_cast<Instruction>(user);
    return sum && sum->getOpcode() == Instruction::Add && llvm::is_contained(sum->operand_values(), &count);
  });
}

/// Whether `number` is multiplied by a place, or added by a loop, as stride_in says.
bool is_stride(const Value& number) {
  llvm::SmallVector<const Value*, 4> same = {&number};  // in other types
  while (!same.empty()) {
    const Value* const value = same.pop_back_val();
    for (const llvm::Use& use : value->uses()) {
      const auto* const user = llvm::dyn_cast<Instruction>(use.getUser());
      if (!user) continue;
      if (llvm::isa<llvm::SExtInst, llvm::ZExtInst, llvm::TruncInst, llvm::FreezeInst>(user)) same.push_back(user);
      if (is_step(*user, *value)) return true;
      if (user->getOpcode() != Instruction::Mul) continue;
      const Value& place = *user->getOperand(1 - use.getOperandNo());
      if (follows_place(place) || (is_row(place) && has_end(*user, *value)) || walks_along_row(*user, place)) return true;
    }
  }
  return false;
}

/// Whether nothing writes to `pointer`, or may.
bool is_only_read(const Value& pointer) {
  return llvm::all_of(pointer.uses(), [](const llvm::Use& use) {
    if (const auto* place = llvm::dyn_cast<llvm::GetElementPtrInst>(use.getUser())) return is_only_read(*place);
    const auto* copy = llvm::dyn_cast<llvm::MemCpyInst>(use.getUser());
    return llvm::isa<llvm::LoadInst>(use.getUser()) || (copy && &use == &copy->getRawSourceUse());
  });
}

/// The loads of integers in the struct that `argument` points to, if nobody writes there, by where they are in it, and of how many bytes.
std::map<std::pair<std::uint32_t, std::uint32_t>, llvm::SmallVector<llvm::LoadInst*, 2>> fields_of(const llvm::Argument& argument) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, llvm::SmallVector<llvm::LoadInst*, 2>> fields;
  if (!is_only_read(argument)) return fields;
  const llvm::DataLayout& layout = argument.getParent()->getDataLayout();
  const auto add = [&](const llvm::User* user, std::uint64_t offset) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(const_cast<llvm::User*>(user));
    if (load && load->getType()->isIntegerTy() && offset < UINT16_MAX)
      fields[{static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(layout.getTypeStoreSize(load->getType()))}].push_back(load);
  };
  for (const llvm::User* user : argument.users()) {
    add(user, 0);
    const auto* place = llvm::dyn_cast<llvm::GetElementPtrInst>(user);
    llvm::APInt offset(64, 0);
    if (!place || !place->accumulateConstantOffset(layout, offset)) continue;
    for (const llvm::User* load : place->users()) add(load, offset.getZExtValue());
  }
  return fields;
}

}  // namespace

std::optional<ArgumentField> stride_in(const llvm::Argument& argument) {
  if (argument.getType()->isIntegerTy())
    return is_stride(argument) ? std::optional(ArgumentField{0, argument.getType()->getIntegerBitWidth() / 8}) : std::nullopt;
  if (!argument.hasByValAttr()) return std::nullopt;
  for (const auto& [field, loads] : fields_of(argument))
    if (llvm::any_of(loads, [](const llvm::LoadInst* load) { return is_stride(*load); })) return ArgumentField{field.first, field.second};
  return std::nullopt;
}

namespace {

std::size_t images_and_samplers(const llvm::Function& kernel) {
  const auto has_word = [](const llvm::Argument& argument) { return argument.getType()->isTargetExtTy(); };
  return static_cast<std::size_t>(llvm::count_if(kernel.args(), has_word));
}

}  // namespace

std::uint32_t facts_word(const llvm::Function& kernel, const ArgumentFormats& formats) { return formats.at(images_and_samplers(kernel)); }
std::uint32_t bounds_word(const llvm::Function& kernel, const ArgumentFormats& formats) { return formats.at(images_and_samplers(kernel) + 1); }

bool set_unit_strides(llvm::Function& kernel, const ArgumentFormats& formats, bool turned) {
  const std::uint32_t strides = facts_word(kernel, formats);
  for (llvm::Argument& argument : kernel.args()) {
    if (argument.getArgNo() >= ArgumentFormats::kMostFacts || !(strides >> argument.getArgNo() & 1)) continue;
    const auto field = argument.hasByValAttr() && !turned ? stride_in(argument) : std::nullopt;
    if (argument.getType()->isIntegerTy()) argument.replaceAllUsesWith(llvm::ConstantInt::get(argument.getType(), 1));
    if (!field) continue;
    for (llvm::LoadInst* load : fields_of(argument)[{field->offset, field->size}]) load->replaceAllUsesWith(llvm::ConstantInt::get(load->getType(), 1));
  }
  return strides != 0;
}

}  // namespace weft::compiler::simt
