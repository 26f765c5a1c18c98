// Strategy "checked-shapes".
// Matches: lanes that a strategy in front of this one would take, if only no index wraps around, meets a bound or is chosen by one.
// Whether one does is known at run time: code for both.
// Costs: what that strategy costs, and some scalar comparisons.
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/simt/widen/memory/checked.h"
#include "compiler/passes/pass_list.h"
#include "compiler/simt/item/inside_bounds.h"
#include "compiler/simt/widen/memory/strategies.h"
#include "compiler/simt/widen/memory/two_ways.h"
#include "compiler/simt/widen/packed.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

bool is_ring(const Widening& w, const llvm::Instruction& instruction) {
  return ring_operand(instruction, [&](const Value& operand) { return w.shape(&operand); }).has_value();
}

std::optional<Choice> choice_in(const Widening& w, const llvm::Instruction& instruction) {
  return choice_of(instruction, [&](const Value& operand) { return w.shape(&operand); });
}

/// The extensions, bounds, rings and choices that decide whether the lanes of `pointer` follow its shape. None if it is not that simple.
std::optional<llvm::SmallVector<llvm::Instruction*, 4>> extensions_of(const Widening& w, Value& pointer) {
  llvm::SmallVector<llvm::Instruction*, 4> extensions;
  llvm::SmallSetVector<Value*, 16> expression;
  expression.insert(&pointer);
  for (unsigned i = 0; i < expression.size(); ++i) {
    const Shape to = w.shape(expression[i]);
    if (!to.checked || to.stride == 0) continue;
    auto& instruction = *llvm::cast<llvm::Instruction>(expression[i]);
    if (is_ring(w, instruction) || choice_in(w, instruction)) {
      extensions.push_back(&instruction);
      expression.insert(instruction.op_begin(), instruction.op_end());
      continue;
    }
    switch (instruction.getOpcode()) {
      case llvm::Instruction::SExt:
      case llvm::Instruction::ZExt:
      case llvm::Instruction::AShr:
      case llvm::Instruction::And: {
        const Shape from = w.shape(instruction.getOperand(0));
        const unsigned bits = instruction.getOperand(0)->getType()->getScalarSizeInBits();
        const auto distance = static_cast<std::uint64_t>(std::abs(from.stride)) * from.segment;
        if (from.segment != to.segment || !llvm::isUIntN(bits - 1, distance)) return std::nullopt;
        extensions.push_back(&instruction);
        break;
      }
      case llvm::Instruction::Call: {
        const auto counting = counting_operand(instruction, [&](const Value& operand) { return w.shape(&operand); });
        if (!counting || w.shape(instruction.getOperand(*counting)).segment != to.segment) return std::nullopt;
        extensions.push_back(&instruction);
        expression.insert(instruction.getOperand(*counting));
        continue;
      }
      case llvm::Instruction::GetElementPtr:
        for (const llvm::Use& index : llvm::cast<llvm::GetElementPtrInst>(instruction).indices())
          if (index->getType()->getScalarSizeInBits() < 64 && !w.shape(index).no_signed_wrap) return std::nullopt;
        break;
      case llvm::Instruction::Add:
      case llvm::Instruction::Sub:
      case llvm::Instruction::Or:
      case llvm::Instruction::Mul:
      case llvm::Instruction::Shl:
      case llvm::Instruction::Trunc:
      case llvm::Instruction::AddrSpaceCast: break;
      default: return std::nullopt;
    }
    expression.insert(instruction.op_begin(), instruction.op_end());
  }
  return extensions;
}

/// The rings and choices in what `value` is computed of, which lanes may leave and come back to.
llvm::SmallVector<llvm::Instruction*, 4> detours_of(const Widening& w, Value& value) {
  llvm::SmallVector<llvm::Instruction*, 4> detours;
  llvm::SmallSetVector<Value*, 16> expression;
  expression.insert(&value);
  for (unsigned i = 0; i < expression.size(); ++i) {
    const Shape shape = w.shape(expression[i]);
    if (!shape.checked || shape.stride == 0) continue;
    auto& instruction = *llvm::cast<llvm::Instruction>(expression[i]);
    if (is_ring(w, instruction) || choice_in(w, instruction)) detours.push_back(&instruction);
    expression.insert(instruction.op_begin(), instruction.op_end());
  }
  return detours;
}

/// Whether no lane from `lane` to the end of the segment is in another round of the ring than the one before. A quotient only rises
/// or only falls from lane to lane: where the last lane is as far from the first as the progression says, so is each.
Value* ring_holds(Widening& w, llvm::Instruction& ring, unsigned lane) {
  const Shape shape = w.shape(&ring);
  Value* first = w.values.scalar_at(&ring, lane);
  Value* last = w.values.exact_at(&ring, lane + shape.segment - 1);
  const auto number = [&](std::int64_t value) { return llvm::ConstantInt::get(first->getType(), static_cast<std::uint64_t>(value), true); };
  Value* holds = w.builder.CreateICmpEQ(w.builder.CreateSub(last, first), number(shape.stride * (shape.segment - 1)));
  if (ring.getOpcode() == llvm::Instruction::And) {
    // A mask of low bits is a remainder.
    const unsigned counting = *ring_operand(ring, [&](const Value& operand) { return w.shape(&operand); });
    Value* mask = w.values.scalar_at(ring.getOperand(1 - counting), lane);
    Value* rest = w.builder.CreateAnd(mask, w.builder.CreateAdd(mask, number(1)));
    holds = w.builder.CreateAnd(holds, w.builder.CreateICmpEQ(rest, number(0)));
    return w.builder.CreateAnd(holds, w.builder.CreateICmpSGE(mask, number(0)));
  }
  const bool is_signed = ring.getOpcode() == llvm::Instruction::SRem;
  Value* in_order = w.builder.CreateICmp(is_signed ? llvm::CmpInst::ICMP_SLE : llvm::CmpInst::ICMP_ULE, shape.stride > 0 ? first : last,
                                         shape.stride > 0 ? last : first);
  return w.builder.CreateAnd(holds, in_order);
}

/// Whether all of `segment` lanes from `lane` on choose alike, and a progression.
Value* choice_holds(Widening& w, const Choice& choice, unsigned lane, unsigned segment) {
  Value* chosen = w.builder.CreateBitCast(w.values.vector1(choice.select->getOperand(0)), w.builder.getIntNTy(w.lanes));
  if (segment != w.lanes) chosen = w.builder.CreateTrunc(w.builder.CreateLShr(chosen, lane), w.builder.getIntNTy(segment));
  Value* all = w.builder.CreateICmpEQ(chosen, llvm::Constant::getAllOnesValue(chosen->getType()));
  Value* none = w.builder.CreateICmpEQ(chosen, llvm::Constant::getNullValue(chosen->getType()));
  if (choice.if_true && choice.if_false) return w.builder.CreateOr(all, none);
  return choice.if_true ? all : none;
}

/// Whether the number that `extension` extends stays in its range from `lane` to the end of the segment; or, of a `min` or `max`,
/// stays on its side of the bound; or, of a choice, is the same progression's.
Value* extension_holds(Widening& w, llvm::Instruction& extension, unsigned lane) {
  if (is_ring(w, extension)) return ring_holds(w, extension, lane);
  if (const auto choice = choice_in(w, extension)) return choice_holds(w, *choice, lane, w.shape(&extension).segment);
  if (const auto* bound = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&extension)) {
    const unsigned counting = *counting_operand(extension, [&](const Value& operand) { return w.shape(&operand); });
    const Shape shape = w.shape(extension.getOperand(counting));
    const bool is_least = bound->getIntrinsicID() == llvm::Intrinsic::smin || bound->getIntrinsicID() == llvm::Intrinsic::umin;
    Value* counted = extension.getOperand(counting);
    const unsigned last = lane + shape.segment - 1;
    const unsigned decides = is_least == (shape.stride > 0) ? last : lane;
    Value* holds = w.builder.CreateICmp(llvm::CmpInst::getNonStrictPredicate(bound->getPredicate()),
                                        w.values.scalar_at(counted, decides),
                                        w.values.scalar_at(extension.getOperand(1 - counting), lane));
    if (bound->isSigned() ? shape.no_signed_wrap : shape.no_unsigned_wrap) return holds;
    // Between its ends it covers less than half of all numbers, so that it wraps around only where these are in the wrong order.
    const bool rises = shape.stride > 0;
    Value* in_order = w.builder.CreateICmp(bound->isSigned() ? llvm::CmpInst::ICMP_SLE : llvm::CmpInst::ICMP_ULE,
                                           w.values.scalar_at(counted, rises ? lane : last),
                                           w.values.scalar_at(counted, rises ? last : lane));
    return w.builder.CreateAnd(holds, in_order);
  }
  Value* first = w.values.scalar_at(extension.getOperand(0), lane);
  const Shape shape = w.shape(extension.getOperand(0));
  const unsigned bits = first->getType()->getIntegerBitWidth();
  const auto distance = static_cast<std::uint64_t>(std::abs(shape.stride)) * (shape.segment - 1);
  const bool is_and = extension.getOpcode() == llvm::Instruction::And;
  // A number that is not negative is sign-extended by WideValues::clone_at.
  const bool is_signed = !is_and && (extension.getOpcode() != llvm::Instruction::ZExt || extension.hasNonNeg());
  llvm::APInt lowest = is_signed ? llvm::APInt::getSignedMinValue(bits) : llvm::APInt::getZero(bits);
  llvm::APInt highest = is_signed ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits);
  if (is_and) {
    highest = llvm::cast<llvm::ConstantInt>(extension.getOperand(1))->getValue();
    first = w.builder.CreateAnd(first, highest);
  }
  if (shape.stride < 0)
    return w.builder.CreateICmp(is_signed ? llvm::CmpInst::ICMP_SGE : llvm::CmpInst::ICMP_UGE, first,
                                w.builder.getInt(lowest + distance));
  return w.builder.CreateICmp(is_signed ? llvm::CmpInst::ICMP_SLE : llvm::CmpInst::ICMP_ULE, first,
                              w.builder.getInt(highest - distance));
}

}  // namespace

Value* progression_holds(Widening& w, Value* value, const Shape& shape) {
  Value* holds = nullptr;
  const auto require = [&](Value* ok) { holds = holds ? w.builder.CreateAnd(holds, ok) : ok; };
  const auto require_all = [&](llvm::ArrayRef<llvm::Instruction*> extensions) {
    for (llvm::Instruction* extension : extensions)
      for (unsigned lane = 0; lane < w.lanes; lane += w.shape(extension).segment) require(extension_holds(w, *extension, lane));
  };
  if (const auto extensions = extensions_of(w, *value)) {
    require_all(*extensions);
    return holds;
  }
  // In general: the last lane of each segment is where the progression says. Rounds of two rings could make up for each other, and a
  // lane in the middle choose something else.
  require_all(detours_of(w, *value));
  const auto number = [&](Value* place) {
    return place->getType()->isPointerTy() ? w.builder.CreatePtrToInt(place, w.builder.getInt64Ty()) : place;
  };
  for (unsigned lane = 0; lane < w.lanes; lane += shape.segment) {
    Value* first = number(w.values.scalar_at(value, lane));
    Value* last = number(w.values.exact_at(value, lane + shape.segment - 1));
    require(w.builder.CreateICmpEQ(w.builder.CreateSub(last, first),
                                   w.builder.getInt64(static_cast<std::uint64_t>(shape.stride * (shape.segment - 1)))));
  }
  return holds;
}

namespace {

/// Where lanes meet bounds as likely as not, a window of those that do serves all: what would be asked costs more than its permutation.
std::optional<AccessPlan> plan_window(Widening& w, const Access& access) {
  // Without registers for masks a window of bytes takes longer than its lanes' question.
  const bool has_masks = access.bits >= 32 || w.traits.mask_registers;
  if (!has_masks || !w.control.is_on(passes::Pass::kBoundedWindow)) return std::nullopt;
  auto apart = std::make_unique<Access>(access);
  apart->shape = Shape::varying();
  apart->is_seldom = true;
  std::optional<AccessPlan> plan = plan_bounded_window(w, *apart);
  if (plan) plan->emit = [apart = std::move(apart), emit = std::move(plan->emit)]() mutable { return emit(); };
  return plan;
}

}  // namespace

std::optional<AccessPlan> plan_checked_shape(Widening& w, const Access& access) {
  if (!access.shape.is_affine() || !access.shape.checked) return std::nullopt;
  if (access.instruction.hasMetadata(kRimMetadata))
    if (std::optional<AccessPlan> window = plan_window(w, access)) return window;
  auto exact = std::make_unique<Access>(access);
  exact->shape.checked = false;
  std::optional<AccessPlan> together = plan_access(w, *exact, passes::Pass::kCheckedShapes);
  if (!together) return std::nullopt;
  AccessPlan plan{.cost = together->cost, .emit = {}, .fall_back = {}};
  plan.emit = [&w, &access, exact = std::move(exact), together = std::move(together->emit)]() mutable {
    const char* join = access.is_load() ? "loaded" : "stored";
    const TwoWays ways{.usual = "contiguous", .other = "wrapped", .join = join};
    std::size_t parts = 0;
    const auto usual = [&] {
      Parts loaded = together();
      parts = loaded.size();
      return loaded;
    };
    // A ring may be shorter than a segment, and a border in each of them.
    const auto other = [&] {
      Parts loaded = emit_otherwise(w, access, detours_of(w, *access.pointer).empty());
      return parts > 1 && loaded.size() == 1 ? deinterleave(w, loaded.front(), access.count) : loaded;
    };
    return emit_two_ways(w, progression_holds(w, access.pointer, access.shape), ways, usual, other);
  };
  return plan;
}

}  // namespace weft::compiler::simt
