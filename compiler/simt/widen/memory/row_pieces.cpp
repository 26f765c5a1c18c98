// Strategy "row-pieces".
// Matches: loads of OpenCL vectors of 16 bytes whose components are used one by one, in all lanes, wherever they lie: what
// walked-rows makes of lanes that walk along rows of their own. Each lane's is one load, and the lanes of a register are transposed by
// unpacking. Of lanes that repeat the first are loaded alone; addresses that lie evenly apart are computed as such, as far as they can be
// part of the loads. Costs: an access for each lane that differs.
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Module.h>

#include "compiler/simt/widen/memory/strategies.h"
#include "compiler/simt/widen/repeats.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

constexpr unsigned kPieceBits = 128;
/// Operations through which an address is followed.
constexpr unsigned kDeepest = 8;
/// Addresses of so many lanes are one address and multiples of a distance: as many as an operand of the processor can name, with 3 times
/// the distance in a register.
constexpr unsigned kNamedLanes = 4;

/// Of a value that grows evenly from lane to lane: what it is in the first one, and the distance, of 64 bits, both scalars.
struct Progression {
  Value* first;
  Value* step;
};

class Progressions {
 public:
  /// `lanes` of them.
  Progressions(Widening& w, unsigned lanes) : w_(w), lanes_(lanes) {}

  /// Whether `value` is one, as long as nothing in it wraps that says it does not.
  bool is_one(const Value& value, unsigned depth = 0) const {
    const Shape shape = w_.shape(&value);
    if (!llvm::isa<llvm::Instruction>(value)) return true;
    if (shape.is_affine()) return !shape.checked && shape.segment >= lanes_ && (shape.no_signed_wrap || is_address_wide(value));
    if (depth == kDeepest || value.getType()->isVectorTy()) return false;
    const auto& instruction = llvm::cast<llvm::Instruction>(value);
    const auto operand = [&](unsigned i) { return is_one(*instruction.getOperand(i), depth + 1); };
    switch (instruction.getOpcode()) {
      case llvm::Instruction::Add:
      case llvm::Instruction::Sub:
        return is_exact(instruction) && operand(0) && operand(1);
      case llvm::Instruction::Mul:
        return is_exact(instruction) && operand(0) && operand(1) &&
               (w_.is_uniform(instruction.getOperand(0)) || w_.is_uniform(instruction.getOperand(1)));
      case llvm::Instruction::Shl:
        return is_exact(instruction) && operand(0) && llvm::isa<llvm::ConstantInt>(instruction.getOperand(1));
      case llvm::Instruction::SExt:
        return operand(0);
      case llvm::Instruction::ZExt:
        return instruction.hasNonNeg() && operand(0);
      case llvm::Instruction::GetElementPtr: {
        const auto& gep = llvm::cast<llvm::GetElementPtrInst>(instruction);
        return gep.getNumIndices() == 1 && gep.getOperand(1)->getType()->isIntegerTy(64) && operand(0) && operand(1);
      }
      default:
        return false;
    }
  }

  /// `value`, which is one.
  Progression get(Value& value) {
    auto& builder = w_.builder;
    const Shape shape = w_.shape(&value);
    if (!llvm::isa<llvm::Instruction>(value) || shape.is_affine())
      return {w_.values.scalar_at(&value, 0),
              builder.getInt64(static_cast<std::uint64_t>(llvm::isa<llvm::Instruction>(value) ? shape.stride : 0))};
    auto& instruction = llvm::cast<llvm::Instruction>(value);
    const Progression a = get(*instruction.getOperand(0));
    switch (instruction.getOpcode()) {
      case llvm::Instruction::SExt:
      case llvm::Instruction::ZExt:
        return {builder.CreateSExt(a.first, value.getType()), a.step};
      case llvm::Instruction::Shl: {
        const std::uint64_t bits = llvm::cast<llvm::ConstantInt>(instruction.getOperand(1))->getZExtValue();
        return {builder.CreateShl(a.first, bits), builder.CreateShl(a.step, bits)};
      }
      case llvm::Instruction::GetElementPtr: {
        auto& gep = llvm::cast<llvm::GetElementPtrInst>(instruction);
        const Progression index = get(*gep.getOperand(1));
        Value* bytes = builder.getInt64(w_.layout.getTypeAllocSize(gep.getSourceElementType()).getFixedValue());
        return {builder.CreateGEP(gep.getSourceElementType(), a.first, index.first),
                builder.CreateAdd(a.step, builder.CreateMul(index.step, bytes))};
      }
      default:
        break;
    }
    const Progression b = get(*instruction.getOperand(1));
    const auto opcode = llvm::cast<llvm::BinaryOperator>(instruction).getOpcode();
    Value* first = builder.CreateBinOp(opcode, a.first, b.first);
    if (opcode != llvm::Instruction::Mul) return {first, builder.CreateBinOp(opcode, a.step, b.step)};
    const bool second_counts = w_.is_uniform(instruction.getOperand(0));
    Value* factor = builder.CreateSExt(second_counts ? a.first : b.first, builder.getInt64Ty());
    return {first, builder.CreateMul(second_counts ? b.step : a.step, factor)};
  }

 private:
  static bool is_address_wide(const Value& value) { return value.getType()->isPointerTy() || value.getType()->isIntegerTy(64); }
  static bool is_exact(const llvm::Instruction& instruction) { return is_address_wide(instruction) || instruction.hasNoSignedWrap(); }

  Widening& w_;
  const unsigned lanes_;
};

/// The addresses of the first `count` lanes.
llvm::SmallVector<Value*, 32> addresses(Widening& w, const Access& access, unsigned count) {
  llvm::SmallVector<Value*, 32> found;
  Progressions progressions(w, count);
  if (progressions.is_one(*access.pointer)) {
    const Progression pointer = progressions.get(*access.pointer);
    auto& builder = w.builder;
    for (unsigned lane = 0; lane < count; ++lane) {
      Value* from = pointer.first;
      if (lane >= kNamedLanes)
        from = builder.CreateGEP(builder.getInt8Ty(), from,
                                 builder.CreateMul(pointer.step, builder.getInt64(lane / kNamedLanes * kNamedLanes)));
      found.push_back(lane % kNamedLanes ? builder.CreateGEP(builder.getInt8Ty(), from,
                                                             builder.CreateMul(pointer.step, builder.getInt64(lane % kNamedLanes)))
                                         : from);
    }
    return found;
  }
  for (unsigned lane = 0; lane < count; ++lane) found.push_back(w.values.value_in_lane(access.pointer, lane));
  return found;
}

/// The components of as many pieces as a register of each has.
Parts transpose(Widening& w, llvm::ArrayRef<Value*> pieces, unsigned components) {
  auto& builder = w.builder;
  const auto lanes = static_cast<unsigned>(pieces.size()), groups = lanes / components;
  // Register r has those of lanes r, r + components, ...
  llvm::SmallVector<Value*, 4> rows;
  for (unsigned r = 0; r < components; ++r) {
    llvm::SmallVector<Value*, 4> of_row;
    for (unsigned g = 0; g < groups; ++g) of_row.push_back(pieces[g * components + r]);
    rows.push_back(groups == 1 ? of_row.front() : llvm::concatenateVectors(builder, of_row));
  }
  // Within each 16 bytes: first neighbours, then pairs.
  const auto unpack = [&](Value* a, Value* b, unsigned unit, bool high) {
    llvm::SmallVector<int, 16> mask;
    for (unsigned g = 0; g < groups; ++g)
      for (unsigned i = 0; i < components; ++i) {
        const unsigned pair = i / unit / 2 + (high ? components / unit / 2 : 0), second = i / unit % 2;
        mask.push_back(static_cast<int>(g * components + pair * unit + i % unit + second * lanes));
      }
    return builder.CreateShuffleVector(a, b, mask);
  };
  if (components == 2) return {unpack(rows[0], rows[1], 1, false), unpack(rows[0], rows[1], 1, true)};
  Parts parts;
  for (const bool high : {false, true}) {
    Value *even = unpack(rows[0], rows[1], 1, high), *odd = unpack(rows[2], rows[3], 1, high);
    for (const bool upper : {false, true}) parts.push_back(unpack(even, odd, 2, upper));
  }
  return parts;
}

Parts load_pieces(Widening& w, const Access& access, unsigned different) {
  auto& builder = w.builder;
  const unsigned each = w.traits.register_bits / (kPieceBits / access.count);
  llvm::SmallVector<Value*, 32> pieces;
  for (Value* address : addresses(w, access, different)) {
    llvm::LoadInst* load = builder.CreateAlignedLoad(access.type, address, access.align, access.instruction.getName());
    copy_alias_metadata(*load, access.instruction);
    pieces.push_back(load);
  }
  llvm::SmallVector<llvm::SmallVector<Value*, 4>, 4> components(access.count);
  for (unsigned first = 0; first < different; first += each)
    for (const auto& [number, part] : llvm::enumerate(transpose(w, llvm::ArrayRef(pieces).slice(first, each), access.count)))
      components[number].push_back(part);
  llvm::SmallVector<int, 256> repeated;
  for (unsigned lane = 0; lane < w.lanes; ++lane) repeated.push_back(static_cast<int>(lane % different));
  Parts parts;
  for (const auto& registers : components) {
    Value* all = registers.size() == 1 ? registers.front() : llvm::concatenateVectors(builder, registers);
    parts.push_back(different == w.lanes ? all : builder.CreateShuffleVector(all, repeated));
  }
  return parts;
}

}  // namespace

std::optional<AccessPlan> plan_row_pieces(Widening& w, const Access& access) {
  if (!access.is_load() || w.mask || access.is_volatile || access.is_seldom || !access.type->isVectorTy() || access.bits != kPieceBits)
    return std::nullopt;
  if (access.count != 2 && access.count != 4) return std::nullopt;
  const bool is_taken_apart =
      llvm::all_of(access.instruction.users(), [](const llvm::User* user) { return llvm::isa<llvm::ExtractElementInst>(user); });
  if (!is_taken_apart || w.memory.many_lane_accesses) return std::nullopt;
  const unsigned each = w.traits.register_bits / (kPieceBits / access.count);
  const unsigned different = std::max(repeats_after(w, *access.pointer), each);
  AccessPlan plan{.cost = different,
                  .emit = {},
                  .fall_back = different == w.lanes ? "one lane after the other" : "one lane after the other, until they repeat"};
  plan.emit = [&w, &access, different]() -> Parts { return load_pieces(w, access, different); };
  return plan;
}

}  // namespace weft::compiler::simt
