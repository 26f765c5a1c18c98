#include "compiler/wide/near_places.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/Local.h>

#include <map>
#include <optional>

#include "compiler/simt/analysis/address_key.h"

namespace weft::compiler::wide {
namespace {

using llvm::Instruction;
using llvm::Value;
using simt::AddressKeys;

constexpr unsigned kMostDepth = 16;

/// Whether `value` is the number that its sums and products are without a limit, of what AddressKeys takes for atoms.
bool is_exact(const Value& value, unsigned depth = 0) {
  const auto* operation = llvm::dyn_cast<Instruction>(&value);
  if (!operation) return true;
  if (depth > kMostDepth) return false;
  switch (operation->getOpcode()) {
    case Instruction::Or:
      if (!llvm::cast<llvm::PossiblyDisjointInst>(operation)->isDisjoint()) return true;
      break;
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
    case Instruction::Shl:
      if (!operation->hasNoSignedWrap()) return false;
      break;
    default: return true;
  }
  return is_exact(*operation->getOperand(0), depth + 1) && is_exact(*operation->getOperand(1), depth + 1);
}

bool is_shift_right(const Value& value) {
  const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  return operation && (operation->getOpcode() == Instruction::AShr || operation->getOpcode() == Instruction::LShr);
}

class NearPlaces {
 public:
  explicit NearPlaces(llvm::Function& function) : layout_(function.getParent()->getDataLayout()) {}

  void run(llvm::BasicBlock& block) {
    first_.clear();
    llvm::SmallVector<llvm::WeakTrackingVH, 16> unused;
    for (Instruction& instruction : block) {
      const Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
      const std::optional<Place> place = pointer ? place_of(*pointer) : std::nullopt;
      if (!place) continue;
      const auto [first, is_new] = first_.try_emplace(place->kind, Known{pointer, place->offset});
      if (is_new || first->second.pointer == pointer) continue;
      const std::int64_t distance = place->offset - first->second.offset;
      if (!llvm::isInt<32>(distance)) continue;
      llvm::IRBuilder<> builder(&instruction);
      auto* base = const_cast<Value*>(first->second.pointer);
      const unsigned operand = llvm::isa<llvm::LoadInst>(instruction) ? 0 : 1;
      unused.emplace_back(instruction.getOperand(operand));
      instruction.setOperand(operand, builder.CreateGEP(builder.getInt8Ty(), base, builder.getInt64(static_cast<std::uint64_t>(distance))));
    }
    // Keys are of values' addresses: none may be used again for another.
    for (llvm::WeakTrackingVH& value : unused)
      if (auto* place = llvm::dyn_cast_or_null<Instruction>(static_cast<Value*>(value))) unused_.push_back(place);
  }

  void erase_unused() { llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(unused_); }

 private:
  struct Place {
    AddressKeys::Key kind;
    std::int64_t offset = 0;  ///< bytes from what all of a kind start from
  };
  struct Known {
    const Value* pointer = nullptr;
    std::int64_t offset = 0;
  };

  static void add_part(AddressKeys::Key& kind, const char* sign, const AddressKeys::Key& part, const llvm::APInt& scale) {
    kind += sign;
    kind += part;
    kind += "*";
    kind += std::to_string(scale.getSExtValue());
  }

  /// Of a place that one sum at least, which is extended, is part of.
  std::optional<Place> place_of(const Value& pointer) {
    const auto* place = llvm::dyn_cast<llvm::GEPOperator>(&pointer);
    llvm::MapVector<Value*, llvm::APInt> parts;
    llvm::APInt constant(64, 0);
    if (!place || place->getType()->isVectorTy() || layout_.getIndexTypeSizeInBits(place->getType()) != 64 ||
        !place->collectOffset(layout_, 64, parts, constant))
      return std::nullopt;
    Place result{keys_.key(*place->getPointerOperand()), constant.getSExtValue()};
    bool has_constant_inside = false;
    for (const auto& [index, scale] : parts) {
      const auto* extension = llvm::dyn_cast<llvm::CastInst>(index);
      const bool is_positive = extension && extension->getOpcode() == Instruction::ZExt && extension->hasNonNeg();
      const bool is_number = is_positive || (extension && extension->getOpcode() == Instruction::SExt && is_exact(*extension->getOperand(0)));
      if (!is_number || extension->getSrcTy()->getIntegerBitWidth() != 32 || extension->getType()->getIntegerBitWidth() != 64) {
        add_part(result.kind, "+", keys_.key(*index), scale);
        continue;
      }
      AddressKeys::Sum sum = keys_.sum(*extension->getOperand(0));
      const std::int64_t steps = AddressKeys::take_constant(sum);
      const llvm::APInt bytes(64, static_cast<std::uint64_t>(steps), true);
      bool overflows = false;
      const llvm::APInt inside = bytes.smul_ov(scale, overflows);
      if (overflows || !inside.isSignedIntN(32)) return std::nullopt;
      result.offset += inside.getSExtValue();
      add_part(result.kind, is_positive ? "+u" : "+s", AddressKeys::name(sum), scale);
      has_constant_inside = true;
    }
    if (!has_constant_inside) return std::nullopt;
    return result;
  }

  const llvm::DataLayout& layout_;
  // What truncations and shifts leave out is lost to sums that are exact.
  AddressKeys keys_{[](const Value& value) { return llvm::isa<llvm::TruncInst>(value) || is_shift_right(value); }};
  std::map<AddressKeys::Key, Known> first_;
  llvm::SmallVector<llvm::WeakTrackingVH, 16> unused_;
};

}  // namespace

void join_near_places(llvm::Function& function) {
  NearPlaces places(function);
  for (llvm::BasicBlock& block : function) places.run(block);
  places.erase_unused();
}

}  // namespace weft::compiler::wide
