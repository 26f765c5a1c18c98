#include "compiler/simt/widen/packed.h"

#include <llvm/ADT/EquivalenceClasses.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

#include <cmath>
#include <numeric>

#include "compiler/simt/ir/transpose.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

bool has_truth_values(const llvm::Type* type) { return type->isVectorTy() && type->getScalarType()->isIntegerTy(1); }

/// A comparison of vectors that only selects follow: masks would be hard to take apart.
bool is_condition_of_selects(const llvm::Instruction& instruction) {
  return llvm::isa<llvm::CmpInst>(instruction) && !has_truth_values(instruction.getOperand(0)->getType()) &&
         llvm::all_of(instruction.uses(),
                      [](const llvm::Use& use) { return llvm::isa<llvm::SelectInst>(use.getUser()) && use.getOperandNo() == 0; });
}

/// Whether `instruction` does the same to every component, wherever it lies, and all its operands have a packed form.
bool can_be_packed(const Widening& w, const llvm::Instruction& instruction) {
  auto* type = llvm::dyn_cast<llvm::FixedVectorType>(instruction.getType());
  if (!type) return false;
  if (has_truth_values(type)) return is_condition_of_selects(instruction);
  switch (instruction.getOpcode()) {
    case llvm::Instruction::Load: return !llvm::cast<llvm::LoadInst>(instruction).isAtomic();
    case llvm::Instruction::UDiv:
    case llvm::Instruction::SDiv:
    case llvm::Instruction::URem:
    case llvm::Instruction::SRem: return false;
    case llvm::Instruction::PHI:
    case llvm::Instruction::Freeze: return true;
    case llvm::Instruction::ShuffleVector: return instruction.getOperand(0)->getType() == type;
    case llvm::Instruction::Select: {
      const Value* condition = instruction.getOperand(0);
      return condition->getType()->isVectorTy() || w.is_uniform(condition);
    }
    case llvm::Instruction::Call: {
      const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (!intrinsic || !llvm::isTriviallyVectorizable(intrinsic->getIntrinsicID())) return false;
      for (const Value* argument : intrinsic->args())
        if (!argument->getType()->isVectorTy()) return false;
      return true;
    }
    default: break;
  }
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) {
    auto* source = llvm::dyn_cast<llvm::FixedVectorType>(cast->getSrcTy());
    // The parts of a word lie in it as its packed form has them.
    return source ? !has_truth_values(source) : llvm::isa<llvm::BitCastInst>(cast);
  }
  return llvm::isa<llvm::BinaryOperator>(instruction) || llvm::isa<llvm::UnaryOperator>(instruction);
}

/// A word of the components, which lies as their packed form does.
bool becomes_scalar(const llvm::User& user) { return llvm::isa<llvm::BitCastInst>(user) && !user.getType()->isVectorTy(); }

/// Whether all that is made of `value` stays packed until it is stored, or a scalar again.
bool ends_whole(const Value& value, const llvm::DenseSet<const Value*>& packed, llvm::SmallPtrSetImpl<const Value*>& seen) {
  return llvm::all_of(value.users(), [&](const llvm::User* user) {
    if (llvm::isa<llvm::StoreInst>(user) || becomes_scalar(*user)) return true;
    return packed.contains(user) && (!seen.insert(user).second || ends_whole(*user, packed, seen));
  });
}

/// A scalar's parts as a vector, or components in another order, that are used one by one: by shifts, and by names, they are had for less.
bool is_taken_apart(const llvm::Instruction& instruction, const llvm::DenseSet<const Value*>& packed) {
  const bool is_cut = llvm::isa<llvm::BitCastInst>(instruction) && !instruction.getOperand(0)->getType()->isVectorTy();
  if (!is_cut && !llvm::isa<llvm::ShuffleVectorInst>(instruction)) return false;
  llvm::SmallPtrSet<const Value*, 8> seen;
  return !ends_whole(instruction, packed, seen);
}

using Packed = llvm::DenseSet<const Value*>;

/// Leaves arithmetic unpacked whose results would be taken apart more often than what is loaded for it and stored of it: a point
/// loaded in front of a loop, whose difference to others is squared and added up in it.
void leave_what_is_taken_apart(llvm::Function& function, Packed& chosen) {
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  /// How often a block runs: a loop counts as ten iterations.
  const auto times = [&](const llvm::Instruction& place) { return std::pow(10.0, loops.getLoopDepth(place.getParent())); };
  const auto is_arithmetic = [&](const Value* value) { return chosen.contains(value) && !llvm::isa<llvm::LoadInst>(value); };
  llvm::EquivalenceClasses<const Value*> together;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    if (!is_arithmetic(&instruction)) continue;
    together.insert(&instruction);
    for (const Value* operand : instruction.operands())
      if (is_arithmetic(operand)) together.unionSets(&instruction, operand);
  }
  for (auto part = together.begin(); part != together.end(); ++part) {
    if (!part->isLeader()) continue;
    const auto members = llvm::make_range(together.member_begin(part), together.member_end());
    double packed = 0, unpacked = 0;
    llvm::DenseSet<const Value*> loaded;
    for (const Value* member : members) {
      const auto& instruction = *llvm::cast<llvm::Instruction>(member);
      bool taken_apart = false;
      for (const llvm::User* user : instruction.users()) {
        if (chosen.contains(user)) continue;
        if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) unpacked += times(*store);
        else if (becomes_scalar(*user)) unpacked += times(*llvm::cast<llvm::Instruction>(user));
        else taken_apart = true;
      }
      if (taken_apart) packed += times(instruction);
      for (const Value* operand : instruction.operands())
        if (chosen.contains(operand) && llvm::isa<llvm::LoadInst>(operand) && loaded.insert(operand).second)
          unpacked += times(*llvm::cast<llvm::LoadInst>(operand));
    }
    if (packed <= unpacked) continue;
    for (const Value* member : members) chosen.erase(member);
  }
}

}  // namespace

llvm::DenseSet<const Value*> values_to_pack(const Widening& w) {
  Packed chosen;
  for (llvm::Instruction& instruction : llvm::instructions(w.scalar))
    if (!w.shape(&instruction).is_affine() && can_be_packed(w, instruction)) chosen.insert(&instruction);
  auto fits = [&](const Value* operand) {
    return !operand->getType()->isVectorTy() || chosen.contains(operand) || w.is_uniform(operand);
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (llvm::Instruction& instruction : llvm::instructions(w.scalar)) {
      if (!chosen.contains(&instruction) || llvm::isa<llvm::LoadInst>(instruction)) continue;
      const bool users_fit = has_truth_values(instruction.getType())
                                 ? llvm::all_of(instruction.users(), [&](const llvm::User* user) { return chosen.contains(user); })
                                 : !is_taken_apart(instruction, chosen);
      if (users_fit && llvm::all_of(instruction.operands(), [&](const llvm::Use& use) { return fits(use.get()); })) continue;
      chosen.erase(&instruction);
      changed = true;
    }
  }
  if (!chosen.empty()) leave_what_is_taken_apart(w.scalar, chosen);
  return chosen;
}

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
    Value* chosen = condition->getType()->isVectorTy() ? w.values.packed(condition) : w.values.uniform(condition);
    value = w.builder.CreateSelect(chosen, operand(1), operand(2));
  } else {
    auto& call = llvm::cast<llvm::IntrinsicInst>(instruction);
    const auto id = call.getIntrinsicID();
    llvm::SmallVector<Value*, 3> arguments;
    llvm::SmallVector<llvm::Type*, 2> overloads;
    if (llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, -1)) overloads.push_back(w.packed_type(call.getType()));
    for (unsigned i = 0; i < call.arg_size(); ++i) {
      arguments.push_back(operand(i));
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

/// Components of words in registers whose halves unpack apart (AVX2), four or more of them: LLVM's shuffles would go from one half to the
/// other for each register that they make, where unpacking within halves and an exchange of these do for all.
class HalvedRegisters {
 public:
  HalvedRegisters(Emitter& emitter, llvm::Type& type, unsigned count, unsigned lanes)
      : emitter_(emitter), unit_(static_cast<unsigned>(emitter.layout.getTypeStoreSize(&type))), component_bits_(llvm::Log2_32(count)),
        lane_bits_(llvm::Log2_32(lanes)), inner_(unit_ ? llvm::Log2_32(emitter.traits.register_bits / 8 / unit_) : 0) {
    serve_ = emitter.traits.register_bits == 2 * 8 * LaneRegisters::kUnpackedBytes && (unit_ == 4 || unit_ == 8) && count >= 4 &&
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

}  // namespace

Parts deinterleave(Emitter& emitter, Value* vector, unsigned count) {
  if (count == 1) return {vector};
  auto* whole = llvm::cast<llvm::FixedVectorType>(vector->getType());
  if (HalvedRegisters halved(emitter, *whole->getElementType(), count, whole->getNumElements() / count); halved) return halved.deinterleave(vector);
  // By halves where the count is even: each step shuffles two registers into one.
  const unsigned groups = count % 2 == 0 ? 2 : count;
  const unsigned unit = count / groups;
  const unsigned lanes = llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements() / count;
  Parts parts;
  for (unsigned group = 0; group < groups; ++group) {
    llvm::SmallVector<int, 256> mask;
    for (unsigned lane = 0; lane < lanes; ++lane)
      for (unsigned i = 0; i < unit; ++i) mask.push_back(static_cast<int>(lane * count + group * unit + i));
    parts.append(deinterleave(emitter, emitter.builder.CreateShuffleVector(vector, mask), unit));
  }
  return parts;
}

Value* interleave(Emitter& emitter, llvm::ArrayRef<Value*> parts) {
  const unsigned count = static_cast<unsigned>(parts.size());
  const unsigned lanes = llvm::cast<llvm::FixedVectorType>(parts.front()->getType())->getNumElements();
  if (count == 1) return parts.front();
  if (HalvedRegisters halved(emitter, *parts.front()->getType()->getScalarType(), count, lanes); halved) return halved.interleave(parts);
  llvm::SmallVector<int, 256> mask;
  if (count % 2 == 0) {
    const unsigned unit = count / 2;
    Value* low = interleave(emitter, parts.take_front(unit));
    Value* high = interleave(emitter, parts.drop_front(unit));
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
