#include "compiler/wide/divergent_loop.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

namespace weft::compiler::wide {

using llvm::Instruction;
using llvm::Value;
namespace match_ir = llvm::PatternMatch;

namespace {

unsigned elements_of(const llvm::Type* type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector ? vector->getNumElements() : 0;
}

bool is_gather(const Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return call && call->getIntrinsicID() == llvm::Intrinsic::masked_gather;
}

/// The number in all elements of `value`.
std::optional<std::int64_t> constant_of(const Value* value) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(value);
  if (constant && constant->getType()->isVectorTy()) constant = constant->getSplatValue();
  const auto* number = llvm::dyn_cast_or_null<llvm::ConstantInt>(constant);
  if (!number || number->getBitWidth() > 64) return {};
  return number->getSExtValue();
}

/// The scalar of which a shuffle makes a vector of equal elements.
Value* broadcast_of(const Value& value) {
  const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&value);
  if (!shuffle || !shuffle->isZeroEltSplat()) return nullptr;
  const auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(shuffle->getOperand(0));
  return insert && constant_of(insert->getOperand(2)) == 0 ? insert->getOperand(1) : nullptr;
}

}  // namespace

Value* DivergentLoop::next(const llvm::PHINode& phi) const { return phi.getIncomingValueForBlock(block); }

Value* DivergentLoop::first(const llvm::PHINode& phi) const { return phi.getIncomingValueForBlock(before); }

bool DivergentLoop::contains(const Value* value) const {
  const auto* instruction = llvm::dyn_cast<Instruction>(value);
  return instruction && instruction->getParent() == block;
}

bool DivergentLoop::is_work(const Instruction& instruction) const {
  if (llvm::isa<llvm::PHINode, llvm::InsertElementInst>(instruction) || instruction.isTerminator()) return false;
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (call && call->isAssumeLikeIntrinsic()) return false;
  const auto* compare = llvm::cast<Instruction>(llvm::cast<llvm::BranchInst>(block->getTerminator())->getCondition());
  return &instruction != compare && &instruction != compare->getOperand(0);
}

std::optional<DivergentLoop> DivergentLoop::match(llvm::Loop& loop) {
  DivergentLoop result;
  result.block = loop.getHeader();
  result.before = loop.getLoopPredecessor();
  result.exit = loop.getExitBlock();
  if (loop.getNumBlocks() != 1 || !result.before || llvm::pred_size(result.block) != 2 || !result.exit || !result.find_end()) return {};
  for (Instruction& instruction : *result.block) {
    if (instruction.isTerminator()) continue;
    if (!result.can_narrow(instruction)) return {};
    if (is_gather(instruction)) result.gathers.push_back(llvm::cast<llvm::IntrinsicInst>(&instruction));
  }
  if (!result.find_results()) return {};
  return result;
}

bool DivergentLoop::find_end() {
  auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
  if (!branch || !branch->isConditional()) return false;
  llvm::ICmpInst::Predicate predicate;
  Value* mask = nullptr;
  auto* compare = llvm::dyn_cast<Instruction>(branch->getCondition());
  if (!compare || compare->getParent() != block || !compare->hasOneUse() ||
      !match_ir::match(compare, match_ir::m_ICmp(predicate, match_ir::m_OneUse(match_ir::m_BitCast(match_ir::m_Value(mask))),
                                                 match_ir::m_Zero())))
    return false;
  lanes = elements_of(mask->getType());
  if (!lanes || !mask->getType()->getScalarType()->isIntegerTy(1)) return false;
  if (predicate != (branch->getSuccessor(0) == block ? llvm::ICmpInst::ICMP_NE : llvm::ICmpInst::ICMP_EQ)) return false;
  for (llvm::PHINode& phi : block->phis())
    if (next(phi) == mask) live = &phi;
  return live && match_ir::match(mask, match_ir::m_c_LogicalAnd(match_ir::m_Specific(live), match_ir::m_Value()));
}

/// Done lane by lane, it does what it does for all, and nothing for a lane that does not live.
bool DivergentLoop::can_narrow(const Instruction& instruction) const {
  const unsigned count = elements_of(instruction.getType());
  const auto fits = [&](const Value* operand) {
    const unsigned elements = elements_of(operand->getType());
    return elements == 0 || elements == lanes;
  };
  if (is_gather(instruction)) return count == lanes;
  if (instruction.mayReadOrWriteMemory()) {
    const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    return call && call->isAssumeLikeIntrinsic() && call->use_empty();
  }
  if (llvm::isa<llvm::PHINode>(instruction)) return fits(&instruction);
  if (llvm::isa<llvm::InsertElementInst>(instruction))
    return llvm::all_of(instruction.users(), [](const llvm::User* user) { return broadcast_of(*user) != nullptr; });
  if (!is_work(instruction)) return true;
  if (llvm::isa<llvm::ShuffleVectorInst>(instruction)) return count == lanes && broadcast_of(instruction);
  if (!llvm::isSafeToSpeculativelyExecute(&instruction)) return false;
  if (!fits(&instruction) || !llvm::all_of(instruction.operands(), [&](const llvm::Use& use) { return fits(use.get()); }))
    return false;
  const bool wide = count == lanes;
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
    return llvm::isTriviallyVectorizable(call->getIntrinsicID()) && call->doesNotAccessMemory();
  if (llvm::isa<llvm::BitCastInst>(instruction)) return wide == (elements_of(instruction.getOperand(0)->getType()) == lanes);
  if (llvm::isa<llvm::FreezeInst, llvm::SelectInst, llvm::CmpInst, llvm::BinaryOperator, llvm::UnaryOperator, llvm::CastInst>(
          instruction))
    return wide || llvm::all_of(instruction.operands(), [&](const llvm::Use& use) { return !use->getType()->isVectorTy(); });
  return llvm::isa<llvm::GetElementPtrInst>(instruction);
}

/// What is used behind the loop does not change in a round for which a lane does not live.
bool DivergentLoop::find_results() {
  for (Instruction& instruction : *block) {
    const auto is_outside = [&](const llvm::User* user) { return llvm::cast<Instruction>(user)->getParent() != block; };
    if (llvm::none_of(instruction.users(), is_outside)) continue;
    Value* held = nullptr;
    if (elements_of(instruction.getType()) != lanes ||
        !match_ir::match(&instruction, match_ir::m_Select(match_ir::m_Specific(live), match_ir::m_Value(), match_ir::m_Value(held))))
      return false;
    auto* phi = llvm::dyn_cast<llvm::PHINode>(held);
    if (!phi || phi->getParent() != block || next(*phi) != &instruction) return false;
    results.emplace_back(&instruction, phi);
  }
  return true;
}

std::optional<std::int64_t> DivergentLoop::step(const Value* value, Wrap wrap) const {
  if (!contains(value)) return 0;
  if (const Value* scalar = broadcast_of(*value)) return step(scalar, wrap);
  const auto keeps = [&](const Value* of) {
    if (wrap == Wrap::kMay) return true;
    if (const auto* disjoint = llvm::dyn_cast<llvm::PossiblyDisjointInst>(of)) return disjoint->isDisjoint();
    const auto* operation = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(of);
    return operation && (wrap == Wrap::kNotSigned ? operation->hasNoSignedWrap() : operation->hasNoUnsignedWrap());
  };
  const auto* instruction = llvm::cast<Instruction>(value);
  if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction)) {
    const Value* next = this->next(*phi);
    const Value* by = nullptr;
    if (match_ir::match(next, match_ir::m_c_Add(match_ir::m_Specific(phi), match_ir::m_Value(by))) && keeps(next)) return constant_of(by);
    const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(next);
    if (!address || address->getPointerOperand() != phi || address->getNumIndices() != 1) return {};
    const auto count = constant_of(address->getOperand(1));
    if (!count) return {};
    return *count * static_cast<std::int64_t>(
                        block->getDataLayout().getTypeAllocSize(address->getSourceElementType()).getFixedValue());
  }
  const auto of = [&](unsigned operand, Wrap wrapping) { return step(instruction->getOperand(operand), wrapping); };
  switch (instruction->getOpcode()) {
    case Instruction::SExt: return of(0, Wrap::kNotSigned);
    case Instruction::ZExt: {
      const auto by = of(0, Wrap::kNotUnsigned);
      return by || !instruction->hasNonNeg() ? by : of(0, Wrap::kNotSigned);
    }
    case Instruction::Or:
      if (!llvm::cast<llvm::PossiblyDisjointInst>(instruction)->isDisjoint()) return {};
      [[fallthrough]];
    case Instruction::Add:
    case Instruction::Sub: {
      const auto a = of(0, wrap);
      const auto b = of(1, wrap);
      if (!a || !b || !keeps(instruction)) return {};
      return instruction->getOpcode() == Instruction::Sub ? *a - *b : *a + *b;
    }
    case Instruction::Mul:
    case Instruction::Shl: {
      const auto a = of(0, wrap);
      const auto factor = constant_of(instruction->getOperand(1));
      if (!a || !factor || !keeps(instruction) || std::abs(*a) > 64 || std::abs(*factor) > 64) return {};
      if (instruction->getOpcode() == Instruction::Mul) return *a * *factor;
      return *factor < 0 || *factor > 8 ? std::nullopt : std::optional(*a << *factor);
    }
    case Instruction::GetElementPtr: {
      const auto* address = llvm::cast<llvm::GetElementPtrInst>(instruction);
      if (address->getNumIndices() != 1) return {};
      const Value* index = address->getOperand(1);
      const auto a = of(0, Wrap::kMay);
      // A shorter index is extended with its sign.
      const auto b = step(index, index->getType()->getScalarSizeInBits() < 64 ? Wrap::kNotSigned : Wrap::kMay);
      if (!a || !b || std::abs(*b) > 64) return {};
      return *a + *b * static_cast<std::int64_t>(
                           block->getDataLayout().getTypeAllocSize(address->getSourceElementType()).getFixedValue());
    }
    default: return {};
  }
}

std::optional<LaneCount> DivergentLoop::count() const {
  Value* condition = nullptr;
  llvm::ICmpInst::Predicate predicate;
  Value* counter = nullptr;
  Value* bound = nullptr;
  if (!match_ir::match(next(*live), match_ir::m_c_LogicalAnd(match_ir::m_Specific(live), match_ir::m_Value(condition))) ||
      !contains(condition) ||
      !match_ir::match(condition, match_ir::m_ICmp(predicate, match_ir::m_Value(counter), match_ir::m_Value(bound))))
    return {};
  if (contains(bound)) {
    std::swap(counter, bound);
    predicate = llvm::ICmpInst::getSwappedPredicate(predicate);
  }
  if (predicate == llvm::ICmpInst::ICMP_EQ || contains(bound) || !contains(counter)) return {};
  if (Value* scalar = broadcast_of(*counter)) counter = scalar;
  for (llvm::PHINode& phi : block->phis()) {
    const Value* by = nullptr;
    if (next(phi) != counter || !match_ir::match(counter, match_ir::m_c_Add(match_ir::m_Specific(&phi), match_ir::m_Value(by)))) continue;
    if (const auto step = constant_of(by); step && *step != 0 && std::abs(*step) < 256) return LaneCount{&phi, *step, predicate, bound};
  }
  return {};
}

// ---- For fewer lanes ------------------------------------------------------------------------------

llvm::Type* Narrower::type(llvm::Type* wide) const {
  return elements_of(wide) ? llvm::FixedVectorType::get(wide->getScalarType(), lanes_) : wide;
}

Value* Narrower::value(Value* value, LaneMap& map) {
  if (const auto found = map.find(value); found != map.end()) return found->second;
  if (auto* constant = llvm::dyn_cast<llvm::Constant>(value)) {
    if (!constant->getType()->isVectorTy()) return constant;
    if (llvm::isa<llvm::UndefValue>(constant)) return llvm::isa<llvm::PoisonValue>(constant) ? llvm::PoisonValue::get(type(constant->getType())) : llvm::UndefValue::get(type(constant->getType()));
    if (llvm::Constant* element = constant->getSplatValue())
      return llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(lanes_), element);
  }
  if (!loop_.contains(value)) return value;
  // Not kept while its operands are made: the map may grow.
  Value* made = make(llvm::cast<Instruction>(*value), map);
  return map[value] = made;
}

Value* Narrower::make(Instruction& instruction, LaneMap& map) {
  if (Value* scalar = broadcast_of(instruction)) return builder_.CreateVectorSplat(lanes_, value(scalar, map));
  auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  llvm::SmallVector<Value*, 4> operands;
  for (unsigned i = 0, count = call ? call->arg_size() : instruction.getNumOperands(); i < count; ++i)
    operands.push_back(value(instruction.getOperand(i), map));
  llvm::Type* type = this->type(instruction.getType());
  if (is_gather(instruction)) {
    llvm::CallInst* gather = builder_.CreateMaskedGather(
        type, operands[0], llvm::cast<llvm::ConstantInt>(operands[1])->getMaybeAlignValue().valueOrOne(), operands[2], operands[3]);
    gather->copyMetadata(instruction);
    return gather;
  }
  Instruction* made = nullptr;
  if (call) {
    llvm::SmallVector<llvm::Type*, 3> overloads;
    const auto id = call->getIntrinsicID();
    if (llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, -1)) overloads.push_back(type);
    for (unsigned i = 0; i < operands.size(); ++i)
      if (llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, static_cast<int>(i))) overloads.push_back(operands[i]->getType());
    made = builder_.CreateCall(llvm::Intrinsic::getDeclaration(call->getModule(), id, overloads), operands);
  } else {
    made = instruction.clone();
    for (unsigned i = 0; i < operands.size(); ++i) made->setOperand(i, operands[i]);
    made->mutateType(type);
    builder_.Insert(made);
  }
  made->copyIRFlags(&instruction);
  return made;
}

void Narrower::round(LaneMap& map) {
  for (Instruction& instruction : *loop_.block)
    if (loop_.is_work(instruction)) value(&instruction, map);
  llvm::SmallVector<std::pair<llvm::PHINode*, Value*>, 8> next;
  for (llvm::PHINode& phi : loop_.block->phis()) next.emplace_back(&phi, value(loop_.next(phi), map));
  for (Instruction& instruction : *loop_.block) map.erase(&instruction);
  for (const auto& [phi, made] : next) map[phi] = made;
}

}  // namespace weft::compiler::wide
