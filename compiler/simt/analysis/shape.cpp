#include "compiler/simt/analysis/shape.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <bit>

#include "compiler/simt/ir/lane_rows.h"
#include "compiler/simt/ir/source_lanes.h"
#include "compiler/simt/ir/sub_groups.h"
#include "compiler/simt/analysis/buffer_places.h"
#include "compiler/simt/analysis/shape_limits.h"

namespace weft::compiler::simt {
namespace {

Shape checked_shape(Shape shape, unsigned lanes) {
  if (!shape.is_affine()) return shape;
  // Two checked progressions may leave theirs differently, so their difference may vary: abs_diff is max - min.
  if (shape.checked && shape.stride == 0) return Shape::varying();
  if (shape.segment < std::min(kShortestSegment, lanes) || shape.stride > kLargestStride || shape.stride < -kLargestStride)
    return Shape::varying();
  return shape;
}

}  // namespace

Shapes::Shapes(llvm::Function& function, const Specialization& specialization, unsigned lanes,
               llvm::function_ref<std::uint32_t(unsigned)> private_stride)
    : lanes_(lanes),
      specialization_(specialization),
      layout_(function.getParent()->getDataLayout()),
      private_stride_(private_stride) {
  for (const llvm::BasicBlock& block : function)
    for (const llvm::Instruction& instruction : block)
      // A weft.live mask does not count: lanes without a work-item come last, so none is the base of a live lane.
      if (called_name(instruction) == primitive::kMask && called_name(*instruction.getOperand(0)) != primitive::kLive)
        masked_.insert(&block);
  // Optimistic: a value is unknown until an operand is known, and then only falls.
  const llvm::ReversePostOrderTraversal<llvm::Function*> order(&function);
  for (bool changed = true; changed;) {
    changed = false;
    for (llvm::BasicBlock* block : order)
      for (llvm::Instruction& instruction : *block) {
        if (instruction.getType()->isVoidTy()) continue;
        Shape& known = shapes_[&instruction];
        if (known.is_varying()) continue;
        const Shape shape = checked_shape(compute(instruction), lanes_);
        // After its first fall a value may lose flags and narrow its segment; any other change makes it varying.
        if (shape == known) continue;
        Shape next = shape;
        if (known.is_affine() && shape.is_affine()) {
          if (known.stride != shape.stride) {
            next = Shape::varying();
          } else {
            next.segment = std::min(known.segment, shape.segment);
            next.no_signed_wrap &= known.no_signed_wrap;
            next.no_unsigned_wrap &= known.no_unsigned_wrap;
            next.checked |= known.checked;
            next.base_log2 = std::min(next.base_log2, known.base_log2);
          }
        } else if (shape.kind == Shape::Kind::kUnknown) {
          continue;
        }
        if (next == known) continue;
        shapes_[&instruction] = next;
        changed = true;
      }
    if (changed) continue;
    // Values that depend only on themselves are varying; those that ignored them are computed again.
    for (auto& [value, shape] : shapes_)
      if (shape.kind == Shape::Kind::kUnknown) {
        shape = Shape::varying();
        changed = true;
      }
  }
}

Shape Shapes::operator[](const llvm::Value& value) const {
  if (!llvm::isa<llvm::Instruction>(value)) {
    Shape shape = Shape::uniform(lanes_);
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value))
      shape.base_log2 = static_cast<std::uint8_t>(std::min(constant->getValue().countr_zero(), 63u));
    return shape;
  }
  const auto found = shapes_.find(&value);
  return found == shapes_.end() ? Shape() : found->second;
}

bool Shapes::runs_for_all(const llvm::Instruction& instruction) const {
  return !masked_.contains(instruction.getParent());
}

Shape Shapes::compute(const llvm::Instruction& instruction) const {
  using llvm::Instruction;
  if (lanes_ == 1 || is_always_uniform(instruction)) return Shape::uniform(lanes_);
  switch (instruction.getOpcode()) {
    case Instruction::PHI: return of_phi(instruction);
    case Instruction::Select: return of_select(instruction);
    case Instruction::Add:
    case Instruction::Sub: return of_add(instruction);
    case Instruction::Or:
      return llvm::cast<llvm::PossiblyDisjointInst>(instruction).isDisjoint() ? of_add(instruction)
                                                                               : of_constants(instruction);
    case Instruction::Mul:
      for (unsigned i : {0u, 1u})
        if (auto* factor = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(i));
            factor && factor->getValue().isSignedIntN(40))
          return of_scaled(instruction, *instruction.getOperand(1 - i), factor->getSExtValue());
      return of_constants(instruction);
    case Instruction::Shl:
      if (auto* amount = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1)); amount && amount->getValue().ult(40))
        return of_scaled(instruction, *instruction.getOperand(0), std::int64_t{1} << amount->getZExtValue());
      return of_constants(instruction);
    case Instruction::And:
    case Instruction::Xor:
    case Instruction::LShr:
      if (const auto ring = of_ring(instruction)) return *ring;
      return of_bits(instruction);
    case Instruction::URem:
    case Instruction::SRem:
      if (const auto ring = of_ring(instruction)) return *ring;
      return is_source_of_divergence(instruction) ? Shape::varying() : of_constants(instruction);
    case Instruction::AShr: return of_sign_extension(instruction);
    case Instruction::GetElementPtr: return of_gep(instruction);
    case Instruction::Freeze:
    case Instruction::BitCast:
    case Instruction::AddrSpaceCast:
      if (instruction.getType()->isVectorTy() || instruction.getOperand(0)->getType()->isVectorTy() ||
          instruction.getType()->isFloatingPointTy() || instruction.getOperand(0)->getType()->isFloatingPointTy())
        return of_constants(instruction);
      return (*this)[*instruction.getOperand(0)];
    case Instruction::Trunc:
    case Instruction::ZExt:
    case Instruction::SExt:
    case Instruction::PtrToInt:
    case Instruction::IntToPtr: return of_cast(llvm::cast<llvm::CastInst>(instruction));
    case Instruction::Alloca: {
      if (const std::uint64_t unit = interleaved_unit(instruction))
        return Shape::affine(lanes_, static_cast<std::int64_t>(unit));
      const auto& alloca = llvm::cast<llvm::AllocaInst>(instruction);
      const auto size = alloca.getAllocationSize(layout_);
      return size && !size->isScalable() ? Shape::affine(lanes_, static_cast<std::int64_t>(size->getFixedValue()))
                                         : Shape::varying();
    }
    case Instruction::Load: {
      if (is_source_of_divergence(instruction)) return Shape::varying();
      const Shape pointer = (*this)[*llvm::cast<llvm::LoadInst>(instruction).getPointerOperand()];
      if (pointer.kind == Shape::Kind::kUnknown) return pointer;
      if (!pointer.is_constant_in_segment() || pointer.checked) return Shape::varying();
      return Shape::affine(pointer.segment, 0);
    }
    case Instruction::Call: return of_call(llvm::cast<llvm::CallBase>(instruction));
    default: break;
  }
  if (is_source_of_divergence(instruction)) return Shape::varying();
  return of_constants(instruction);
}

Shape Shapes::of_constants(const llvm::User& user) const {
  unsigned segment = lanes_;
  bool unknown = false;
  for (const llvm::Value* operand : user.operands()) {
    if (llvm::isa<llvm::Function>(operand) || llvm::isa<llvm::BasicBlock>(operand)) continue;
    const Shape shape = (*this)[*operand];
    if (shape.kind == Shape::Kind::kUnknown) {
      unknown = true;
      continue;
    }
    if (!shape.is_constant_in_segment() || shape.checked) return Shape::varying();
    segment = std::min(segment, shape.segment);
  }
  return unknown ? Shape() : Shape::affine(segment, 0);
}

Shape Shapes::of_call(const llvm::CallBase& call) const {
  const llvm::StringRef name = called_name(call);
  for (llvm::StringRef prefix : {llvm::StringRef(primitive::kLocalId), llvm::StringRef(primitive::kGlobalId)})
    if (name.starts_with(prefix) && name.size() == prefix.size() + 1) {
      Shape shape = of_id(static_cast<unsigned>(name.back() - 'x'));
      if (prefix == primitive::kGlobalId) {
        const std::uint32_t size = specialization_.local_size[static_cast<unsigned>(name.back() - 'x')];
        const unsigned log2 = specialization_.aligned_offsets ? std::min(divisor_log2(size), divisor_log2(kAlignedOffset)) : 0;
        shape.base_log2 = static_cast<std::uint8_t>(std::min<unsigned>(shape.base_log2, log2));
      }
      return shape;
    }
  if (const auto sub_group = sub_group_call(call); sub_group && sub_group->kind == SubGroupCall::Kind::kLane) {
    Shape shape = Shape::affine(lanes_, 1);
    shape.base_log2 = static_cast<std::uint8_t>(divisor_log2(lanes_));
    return shape;
  }
  if (name == primitive::kRowLane || name == primitive::kRowFirst)
    if (const unsigned row = lanes_of_row(specialization_); row && lanes_ % row == 0) {
      Shape shape = Shape::affine(row, name == primitive::kRowLane ? 1 : 0);
      if (name == primitive::kRowLane) shape.base_log2 = static_cast<std::uint8_t>(divisor_log2(row));
      return shape;
    }
  if (name == primitive::kPrivate) {
    const auto index = llvm::cast<llvm::ConstantInt>(call.getArgOperand(0))->getZExtValue();
    return Shape::affine(lanes_, private_stride_(static_cast<unsigned>(index)));
  }
  if (name.starts_with(primitive::kLanes) && common_lane(call)) return Shape::uniform(lanes_);
  if (name.starts_with(primitive::kInOrder)) {
    Shape shape = (*this)[*call.getArgOperand(0)];
    const bool is_signed = llvm::cast<llvm::ConstantInt>(call.getArgOperand(1))->isOne();
    if (shape.is_affine() && !shape.checked && runs_for_all(call)) (is_signed ? shape.no_signed_wrap : shape.no_unsigned_wrap) = true;
    return shape;
  }
  if (is_source_of_divergence(call)) return Shape::varying();
  if (const auto* intrinsic = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&call)) return of_bound(*intrinsic);
  return of_constants(call);
}

Shape Shapes::of_id(unsigned dimension) const {
  const auto& size = specialization_.local_size;
  if (!size[0]) return Shape::varying();
  // The faster dimensions make up a row of `inner` work-items.
  std::uint64_t inner = 1;
  for (unsigned d = 0; d < dimension; ++d) inner *= size[d];
  const bool last = [&] {
    for (unsigned d = dimension + 1; d < 3; ++d)
      if (size[d] != 1) return false;
    return true;
  }();
  if (size[dimension] == 1) return Shape::uniform(lanes_);
  if (inner == 1) {
    // Lane 0's index is a multiple of W, and a row starts at 0.
    const unsigned log2 = last ? divisor_log2(lanes_) : std::min(divisor_log2(size[dimension]), divisor_log2(lanes_));
    Shape shape = Shape::affine(1u << log2, 1);
    shape.base_log2 = static_cast<std::uint8_t>(log2);
    return shape;
  }
  // The id changes only between rows.
  return Shape::affine(1u << std::min<unsigned>(divisor_log2(inner), divisor_log2(lanes_)), 0);
}

Shape Shapes::of_add(const llvm::Instruction& instruction) const {
  const Shape a = (*this)[*instruction.getOperand(0)];
  const Shape b = (*this)[*instruction.getOperand(1)];
  if (a.is_varying() || b.is_varying()) return of_choice(instruction);
  if (!a.is_affine() || !b.is_affine()) return Shape();
  if (instruction.getType()->isVectorTy()) return of_constants(instruction);
  Shape result;
  result.kind = Shape::Kind::kAffine;
  result.segment = std::min(a.segment, b.segment);
  result.stride = instruction.getOpcode() == llvm::Instruction::Sub ? a.stride - b.stride : a.stride + b.stride;
  result.checked = a.checked || b.checked;
  result.base_log2 = std::min(a.base_log2, b.base_log2);
  if (const auto* flags = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(&instruction)) {
    result.no_signed_wrap = flags->hasNoSignedWrap() && a.no_signed_wrap && b.no_signed_wrap;
    result.no_unsigned_wrap =
        flags->hasNoUnsignedWrap() && a.no_unsigned_wrap && b.no_unsigned_wrap && runs_for_all(instruction);
  } else {  // or disjoint
    result.no_unsigned_wrap = a.no_unsigned_wrap && b.no_unsigned_wrap && runs_for_all(instruction);
    result.no_signed_wrap = a.no_signed_wrap && b.no_signed_wrap;
  }
  if (result.stride == 0 || carries_nothing(result, instruction.getType()->getIntegerBitWidth())) result.no_signed_wrap = result.no_unsigned_wrap = true;
  return result;
}

Shape Shapes::of_scaled(const llvm::Instruction& instruction, const llvm::Value& value, std::int64_t factor) const {
  Shape shape = (*this)[value];
  if (!shape.is_affine()) return shape;
  if (instruction.getType()->isVectorTy()) return of_constants(instruction);
  const auto& flags = llvm::cast<llvm::OverflowingBinaryOperator>(instruction);
  if (shape.stride && std::abs(factor) > kLargestStride / std::max<std::int64_t>(1, std::abs(shape.stride)))
    return Shape::varying();
  shape.stride *= factor;
  shape.base_log2 = static_cast<std::uint8_t>(
      std::min(63u, shape.base_log2 + divisor_log2(static_cast<std::uint64_t>(factor))));
  shape.no_signed_wrap &= flags.hasNoSignedWrap();
  // A negative factor is a large one in unsigned arithmetic.
  shape.no_unsigned_wrap &= flags.hasNoUnsignedWrap() && factor >= 0 && runs_for_all(instruction);
  if (shape.stride == 0 || carries_nothing(shape, instruction.getType()->getIntegerBitWidth())) shape.no_signed_wrap = shape.no_unsigned_wrap = true;
  return shape;
}

Shape Shapes::of_cast(const llvm::CastInst& cast) const {
  Shape shape = (*this)[*cast.getOperand(0)];
  if (!shape.is_affine()) return shape;
  if (cast.getType()->isVectorTy()) return of_constants(cast);
  if (shape.stride == 0) return shape;
  const unsigned bits = cast.getType()->getScalarSizeInBits();
  switch (cast.getOpcode()) {
    case llvm::Instruction::Trunc: {
      if (bits < 8) return Shape::varying();
      // The progression remains one modulo 2^bits. Only the flags tell whether it wraps.
      const auto& trunc = llvm::cast<llvm::TruncInst>(cast);
      const std::int64_t stride = llvm::SignExtend64(static_cast<std::uint64_t>(shape.stride), std::min(bits, 64u));
      const bool fits = stride == shape.stride;
      shape.no_signed_wrap &= trunc.hasNoSignedWrap() && fits;
      shape.no_unsigned_wrap &= trunc.hasNoUnsignedWrap() && fits && runs_for_all(cast);
      shape.stride = stride;
      return shape;
    }
    case llvm::Instruction::SExt:
      if (!shape.no_signed_wrap && !(is_short(shape, cast.getSrcTy()->getScalarSizeInBits()) && is_place_in_buffer(cast))) shape.checked = true;
      shape.no_signed_wrap = true;
      return shape;
    case llvm::Instruction::ZExt: {
      // `nneg` promises that lanes which use the value are not negative; clone_at extends others as signed.
      const bool safe = cast.hasNonNeg() ? shape.no_signed_wrap || is_short(shape, cast.getSrcTy()->getScalarSizeInBits()) : shape.no_unsigned_wrap;
      if (!safe) shape.checked = true;
      // A falling unsigned progression has a negative stride and keeps it when extended.
      shape.no_unsigned_wrap = shape.no_signed_wrap = true;
      return shape;
    }
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::IntToPtr:
      return layout_.getTypeSizeInBits(cast.getSrcTy()) == layout_.getTypeSizeInBits(cast.getDestTy())
                 ? shape
                 : Shape::varying();
    default: return Shape::varying();
  }
}

Shape Shapes::of_gep(const llvm::Instruction& instruction) const {
  const auto& gep = llvm::cast<llvm::GEPOperator>(instruction);
  if (instruction.getType()->isVectorTy()) return of_constants(instruction);
  Shape result = (*this)[*gep.getPointerOperand()];
  if (!result.is_affine()) return result;
  llvm::APInt constant(layout_.getIndexTypeSizeInBits(gep.getType()), 0);
  llvm::MapVector<llvm::Value*, llvm::APInt> variable;
  if (!gep.collectOffset(layout_, constant.getBitWidth(), variable, constant)) return Shape::varying();
  for (const auto& [index, scale] : variable) {
    const Shape shape = (*this)[*index];
    if (!shape.is_affine()) return shape;
    // The GEP itself sign-extends a narrower index.
    if (index->getType()->getScalarSizeInBits() < 64 && !shape.no_signed_wrap) result.checked = true;
    if (std::abs(shape.stride) > kLargestStride / std::max<std::int64_t>(1, std::abs(scale.getSExtValue())))
      return Shape::varying();
    result.segment = std::min(result.segment, shape.segment);
    result.stride += shape.stride * scale.getSExtValue();
    result.checked |= shape.checked;
  }
  return result;
}

Shape Shapes::of_phi(const llvm::Instruction& instruction) const {
  const auto& phi = llvm::cast<llvm::PHINode>(instruction);
  // UnifyLoopExits makes phis of undef alone, for values that only other exits define.
  if (!phi.getType()->isAggregateType() && llvm::all_of(phi.incoming_values(), llvm::IsaPred<llvm::UndefValue>))
    return Shape::uniform(lanes_);
  Shape result;
  for (const llvm::Value* incoming : phi.incoming_values()) {
    if (llvm::isa<llvm::UndefValue>(incoming) && !phi.getType()->isAggregateType()) {
      continue;  // takes the shape of the other edges
    }
    const Shape shape = (*this)[*incoming];
    if (shape.kind == Shape::Kind::kUnknown) continue;
    if (shape.is_varying() || shape.checked) return Shape::varying();
    if (!result.is_affine()) {
      result = shape;
      continue;
    }
    if (result.stride != shape.stride) return Shape::varying();
    result.segment = std::min(result.segment, shape.segment);
    result.no_signed_wrap &= shape.no_signed_wrap;
    result.no_unsigned_wrap &= shape.no_unsigned_wrap;
    result.base_log2 = std::min(result.base_log2, shape.base_log2);
  }
  return result;
}

Shape Shapes::of_select(const llvm::Instruction& instruction) const {
  const auto& select = llvm::cast<llvm::SelectInst>(instruction);
  const Shape condition = (*this)[*select.getCondition()];
  if (condition.is_varying()) return of_choice(select);
  if (!condition.is_affine()) return condition;
  if (!condition.is_constant_in_segment()) return Shape::varying();
  const Shape a = (*this)[*select.getTrueValue()];
  const Shape b = (*this)[*select.getFalseValue()];
  if (a.is_varying() || b.is_varying()) return Shape::varying();
  if (!a.is_affine() || !b.is_affine()) {
    // As in a phi: a loop's held value selects itself for lanes that have left, so it is unknown at first.
    Shape other = a.is_affine() ? a : b;
    if (other.checked) return Shape::varying();
    if (other.is_affine()) other.segment = std::min(other.segment, condition.segment);
    return other;
  }
  if (a.stride != b.stride || a.checked || b.checked) return Shape::varying();
  Shape result = a;
  result.segment = std::min({a.segment, b.segment, condition.segment});
  result.no_signed_wrap &= b.no_signed_wrap;
  result.no_unsigned_wrap &= b.no_unsigned_wrap;
  result.base_log2 = std::min(a.base_log2, b.base_log2);
  return result;
}

}  // namespace weft::compiler::simt
