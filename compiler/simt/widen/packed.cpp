#include "compiler/simt/widen/packed.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

#include <bit>
#include <numeric>

#include "compiler/simt/ir/component_permutes.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/ir/transpose.h"
#include "compiler/simt/widen/component_permutes.h"
#include "compiler/simt/widen/primitives.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

/// `lanes`, a number a lane, for each component of a packed value of `type`.
Value* for_each_component(Widening& w, Value* lanes, llvm::Type* type) {
  const unsigned count = llvm::cast<llvm::FixedVectorType>(type)->getNumElements();
  llvm::SmallVector<int, 256> mask;
  for (unsigned i = 0; i < w.lanes * count; ++i) mask.push_back(static_cast<int>(i / count));
  return w.builder.CreateShuffleVector(lanes, mask);
}

}  // namespace

Value* widen_packed(Widening& w, llvm::Instruction& instruction) {
  using llvm::Instruction;
  const unsigned opcode = instruction.getOpcode();
  auto operand = [&](unsigned i) { return w.values.as_in_memory(instruction.getOperand(i)); };
  Value* value = nullptr;
  if (auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) {
    value = w.builder.CreateBinOp(binary->getOpcode(), operand(0), operand(1), instruction.getName());
  } else if (llvm::isa<llvm::UnaryOperator>(instruction)) {
    value = w.builder.CreateUnOp(static_cast<Instruction::UnaryOps>(opcode), operand(0), instruction.getName());
  } else if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) {
    value = cast->getOpcode() == Instruction::AddrSpaceCast
                ? operand(0)
                : w.builder.CreateCast(cast->getOpcode(), operand(0), w.packed_type(instruction.getType()));
  } else if (auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction)) {
    const auto mask = shuffle->getShuffleMask();
    const int count = static_cast<int>(mask.size()), lanes = static_cast<int>(w.lanes);
    llvm::SmallVector<int, 256> places;
    for (int lane = 0; lane < lanes; ++lane)
      for (const int from : mask) places.push_back(from < 0 ? -1 : from < count ? lane * count + from : (lanes + lane) * count + from - count);
    value = w.builder.CreateShuffleVector(operand(0), operand(1), places);
  } else if (opcode == Instruction::Freeze) {
    value = w.builder.CreateFreeze(operand(0));
  } else if (auto* comparison = llvm::dyn_cast<llvm::CmpInst>(&instruction)) {
    value = w.builder.CreateCmp(comparison->getPredicate(), operand(0), operand(1), instruction.getName());
  } else if (opcode == Instruction::Select) {
    Value* condition = instruction.getOperand(0);
    Value* chosen = condition->getType()->isVectorTy() ? w.values.packed(condition)
                    : w.is_uniform(condition)          ? w.values.uniform(condition)
                                                       : for_each_component(w, w.values.vector1(condition), instruction.getType());
    value = w.builder.CreateSelect(chosen, operand(1), operand(2));
  } else if (called_name(instruction).starts_with(primitive::kSlotLoad)) {
    return load_packed_slot(w, llvm::cast<llvm::CallBase>(instruction));
  } else if (called_name(instruction).starts_with(primitive::kLanes)) {
    return shuffle_packed_lanes(w, llvm::cast<llvm::CallBase>(instruction));
  } else if (is_component_permute(instruction)) {
    const auto count = llvm::cast<llvm::FixedVectorType>(instruction.getType())->getNumElements();
    return permuted_packed(w, operand(0), operand(1), count);
  } else {
    auto& call = llvm::cast<llvm::IntrinsicInst>(instruction);
    const auto id = call.getIntrinsicID();
    llvm::SmallVector<Value*, 3> arguments;
    llvm::SmallVector<llvm::Type*, 2> overloads;
    if (llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, -1)) overloads.push_back(w.packed_type(call.getType()));
    for (unsigned i = 0; i < call.arg_size(); ++i) {
      arguments.push_back(llvm::isVectorIntrinsicWithScalarOpAtArg(id, i) ? call.getArgOperand(i) : operand(i));
      if (llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, static_cast<int>(i))) overloads.push_back(arguments.back()->getType());
    }
    llvm::CallInst* made = w.builder.CreateCall(llvm::Intrinsic::getDeclaration(w.scalar.getParent(), id, overloads), arguments);
    if (llvm::isa<llvm::FPMathOperator>(call) && llvm::isa<llvm::FPMathOperator>(made)) made->copyFastMathFlags(&call);
    return made;
  }
  if (auto* made = llvm::dyn_cast<llvm::Instruction>(value); made && made->getOpcode() == opcode) made->copyIRFlags(&instruction);
  return value;
}

namespace {

/// Components of numbers in registers whose halves unpack apart (AVX2), four or more of them: LLVM's shuffles would go from one half to the
/// other for each register that they make, where unpacking within halves and an exchange of these do for all.
class HalvedRegisters {
 public:
  HalvedRegisters(Emitter& emitter, llvm::Type& type, unsigned count, unsigned lanes)
      : emitter_(emitter), unit_(static_cast<unsigned>(emitter.layout.getTypeStoreSize(&type))), component_bits_(llvm::Log2_32(count)),
        lane_bits_(llvm::Log2_32(lanes)), inner_(unit_ ? llvm::Log2_32(emitter.traits.register_bits / 8 / unit_) : 0) {
    serve_ = emitter.traits.register_bits == 2 * 8 * LaneRegisters::kUnpackedBytes && std::has_single_bit(unit_) && unit_ <= 8 && count >= 4 &&
             llvm::isPowerOf2_32(count) && llvm::isPowerOf2_32(lanes) && lane_bits_ >= inner_ && !type.isPointerTy() &&
             LaneRegisters::can_arrange(unit_, inner_, side_by_side(), apart()) && LaneRegisters::can_arrange(unit_, inner_, by_component(), first(0));
  }
  explicit operator bool() const { return serve_; }

  Parts deinterleave(Value* vector) {
    LaneRegisters registers(emitter_.builder, pieces(vector, 1u << (component_bits_ + lane_bits_ - inner_)), unit_, 1, inner_, side_by_side());
    registers.arrange(apart());
    const unsigned count = 1u << component_bits_;
    llvm::SmallVector<llvm::SmallVector<Value*, 16>, 8> parts(count, llvm::SmallVector<Value*, 16>(1u << (lane_bits_ - inner_)));
    for (unsigned k = 0; k < registers.registers().size(); ++k) {
      const unsigned number = registers.lane(k, 0);
      parts[number % count][(number / count) >> inner_] = registers.registers()[k];
    }
    Parts result;
    for (const auto& part : parts) result.push_back(llvm::concatenateVectors(emitter_.builder, part));
    return result;
  }

  Value* interleave(llvm::ArrayRef<Value*> parts) {
    const unsigned blocks = 1u << (lane_bits_ - inner_);
    LaneRegisters::Registers by_part;
    for (Value* part : parts) llvm::append_range(by_part, pieces(part, blocks));
    LaneRegisters::Registers ordered(by_part.size());
    for (unsigned k = 0; k < by_part.size(); ++k) ordered[((k % blocks) << component_bits_) | (k / blocks)] = by_part[k];
    LaneRegisters registers(emitter_.builder, ordered, unit_, 1, inner_, by_component());
    registers.arrange(first(0));
    LaneRegisters::Registers result(ordered.size());
    for (unsigned k = 0; k < result.size(); ++k) result[registers.lane(k, 0) >> inner_] = registers.registers()[k];
    return llvm::concatenateVectors(emitter_.builder, result);
  }

 private:
  /// Bits of an element's number, lane after lane with all their components, from `from` on.
  LanePlaces first(unsigned from) const {
    LanePlaces bits(inner_);
    std::iota(bits.begin(), bits.end(), from);
    return bits;
  }
  LanePlaces apart() const { return first(component_bits_); }
  LanePlaces side_by_side() const {
    LanePlaces places(component_bits_ + lane_bits_);
    std::iota(places.begin(), places.end(), 0);
    return places;
  }
  LanePlaces by_component() const {
    LanePlaces places = apart();
    for (unsigned bit = 0; bit < component_bits_; ++bit) places.push_back(bit);
    for (unsigned bit = component_bits_ + inner_; bit < component_bits_ + lane_bits_; ++bit) places.push_back(bit);
    return places;
  }

  LaneRegisters::Registers pieces(Value* vector, unsigned count) {
    LaneRegisters::Registers result;
    for (unsigned k = 0; k < count; ++k) {
      llvm::SmallVector<int, 8> mask(1u << inner_);
      std::iota(mask.begin(), mask.end(), k << inner_);
      result.push_back(emitter_.builder.CreateShuffleVector(vector, mask));
    }
    return result;
  }

  Emitter& emitter_;
  const unsigned unit_, component_bits_, lane_bits_, inner_;
  bool serve_;
};

/// `vector` as numbers of `unit` elements each where these are parts of words and no more than a word; null else. Of shuffles of bytes after shuffles of
/// bytes LLVM makes one from the whole vector for each result.
Value* in_groups(Emitter& emitter, Value* vector, unsigned unit) {
  auto* type = llvm::cast<llvm::FixedVectorType>(vector->getType());
  const unsigned bits = type->getElementType()->isPointerTy() ? 0 : type->getScalarSizeInBits();
  if (unit == 1 || (bits != 8 && bits != 16) || unit * bits > 64) return nullptr;
  return emitter.builder.CreateBitCast(vector, llvm::FixedVectorType::get(emitter.builder.getIntNTy(unit * bits), type->getNumElements() / unit));
}

/// What two elements of `type` are as a number, where the halves of `count` elements are no words (6 bytes, say: of numbers of 24 bits LLVM takes vectors
/// apart); null else.
llvm::Type* pair_of(Emitter& emitter, llvm::Type& type, unsigned count) {
  const unsigned bits = type.isPointerTy() ? 0 : type.getScalarSizeInBits();
  return count % 2 == 0 && !llvm::isPowerOf2_32(count) && (bits == 8 || bits == 16) ? emitter.builder.getIntNTy(2 * bits) : nullptr;
}

/// The elements of `vector` as such of `type`, which is twice or half as large.
Value* as_elements(Emitter& emitter, Value* vector, llvm::Type* type) {
  const unsigned bits = static_cast<unsigned>(vector->getType()->getPrimitiveSizeInBits().getFixedValue());
  return emitter.builder.CreateBitCast(vector, llvm::FixedVectorType::get(type, bits / type->getScalarSizeInBits()));
}

/// Of each lane's elements, `groups` groups of `unit`, number `group`.
Value* group_of(Emitter& emitter, Value* vector, unsigned unit, unsigned groups, unsigned group) {
  auto* type = llvm::cast<llvm::FixedVectorType>(vector->getType());
  const unsigned lanes = type->getNumElements() / unit / groups;
  if (Value* numbers = in_groups(emitter, vector, unit))
    return emitter.builder.CreateBitCast(emitter.builder.CreateShuffleVector(numbers, llvm::createStrideMask(group, groups, lanes)),
                                         llvm::FixedVectorType::get(type->getElementType(), lanes * unit));
  llvm::SmallVector<int, 256> mask;
  for (unsigned lane = 0; lane < lanes; ++lane)
    for (unsigned i = 0; i < unit; ++i) mask.push_back(static_cast<int>((lane * groups + group) * unit + i));
  return emitter.builder.CreateShuffleVector(vector, mask);
}

}  // namespace

Parts deinterleave(Emitter& emitter, Value* vector, unsigned count) {
  if (count == 1) return {vector};
  auto* whole = llvm::cast<llvm::FixedVectorType>(vector->getType());
  if (HalvedRegisters halved(emitter, *whole->getElementType(), count, whole->getNumElements() / count); halved) return halved.deinterleave(vector);
  Parts parts;
  if (llvm::Type* pair = pair_of(emitter, *whole->getElementType(), count)) {
    for (Value* two : deinterleave(emitter, as_elements(emitter, vector, pair), count / 2))
      parts.append(deinterleave(emitter, as_elements(emitter, two, whole->getElementType()), 2));
    return parts;
  }
  // By halves where the count is even: each step shuffles two registers into one.
  const unsigned groups = count % 2 == 0 ? 2 : count;
  const unsigned unit = count / groups;
  for (unsigned group = 0; group < groups; ++group) parts.append(deinterleave(emitter, group_of(emitter, vector, unit, groups, group), unit));
  return parts;
}

Value* interleave(Emitter& emitter, llvm::ArrayRef<Value*> parts) {
  const unsigned count = static_cast<unsigned>(parts.size());
  const unsigned lanes = llvm::cast<llvm::FixedVectorType>(parts.front()->getType())->getNumElements();
  if (count == 1) return parts.front();
  if (HalvedRegisters halved(emitter, *parts.front()->getType()->getScalarType(), count, lanes); halved) return halved.interleave(parts);
  llvm::Type* const element = parts.front()->getType()->getScalarType();
  if (llvm::Type* pair = pair_of(emitter, *element, count)) {
    llvm::SmallVector<Value*, 8> pairs;
    for (unsigned k = 0; k < count; k += 2) pairs.push_back(as_elements(emitter, interleave(emitter, parts.slice(k, 2)), pair));
    return as_elements(emitter, interleave(emitter, pairs), element);
  }
  llvm::SmallVector<int, 256> mask;
  if (count % 2 == 0) {
    const unsigned unit = count / 2;
    Value* low = interleave(emitter, parts.take_front(unit));
    Value* high = interleave(emitter, parts.drop_front(unit));
    if (Value* groups = in_groups(emitter, low, unit)) {
      Value* both = emitter.builder.CreateShuffleVector(groups, in_groups(emitter, high, unit), llvm::createInterleaveMask(lanes, 2));
      return emitter.builder.CreateBitCast(both, llvm::FixedVectorType::get(parts.front()->getType()->getScalarType(), lanes * count));
    }
    for (unsigned lane = 0; lane < lanes; ++lane)
      for (unsigned half = 0; half < 2; ++half)
        for (unsigned i = 0; i < unit; ++i) mask.push_back(static_cast<int>((half * lanes + lane) * unit + i));
    return emitter.builder.CreateShuffleVector(low, high, mask);
  }
  for (unsigned lane = 0; lane < lanes; ++lane)
    for (unsigned c = 0; c < count; ++c) mask.push_back(static_cast<int>(c * lanes + lane));
  return emitter.builder.CreateShuffleVector(llvm::concatenateVectors(emitter.builder, parts), mask);
}

}  // namespace weft::compiler::simt
