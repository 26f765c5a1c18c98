#include "compiler/wide/lane_orders.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

namespace weft::compiler::wide {
namespace {

using llvm::Value;

/// The least or the greatest of two vectors, as `select` chooses by lane; null if it is no such selection.
Value* ordered(llvm::SelectInst& select, const VectorTraits& vectors) {
  using namespace llvm::PatternMatch;
  auto* type = llvm::dyn_cast<llvm::FixedVectorType>(select.getType());
  if (!type || !type->getElementType()->isIntegerTy()) return nullptr;
  const unsigned bits = type->getScalarSizeInBits();
  if (bits != 8 && bits != 16 && bits != 32 && !(bits == 64 && vectors.mask_registers)) return nullptr;
  llvm::ICmpInst::Predicate predicate;
  Value *a, *b;
  llvm::Constant* turned;
  if (!match(select.getCondition(), m_Xor(m_ICmp(predicate, m_Value(a), m_Value(b)), m_Constant(turned)))) return nullptr;
  if (!llvm::ICmpInst::isRelational(predicate)) return nullptr;
  const bool takes_a = select.getTrueValue() == a && select.getFalseValue() == b;
  if (!takes_a && (select.getTrueValue() != b || select.getFalseValue() != a)) return nullptr;
  const bool a_is_greater = llvm::ICmpInst::isGT(predicate) || llvm::ICmpInst::isGE(predicate);
  const unsigned lanes = type->getNumElements();
  llvm::SmallVector<int, 64> chosen(lanes);
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const auto* turn = llvm::dyn_cast_or_null<llvm::ConstantInt>(turned->getAggregateElement(lane));
    if (!turn) return nullptr;
    const bool greatest = (takes_a == a_is_greater) != turn->isOne();
    chosen[lane] = static_cast<int>(greatest ? lanes + lane : lane);
  }
  llvm::IRBuilder<> builder(&select);
  const bool is_signed = llvm::ICmpInst::isSigned(predicate);
  Value* least = builder.CreateBinaryIntrinsic(is_signed ? llvm::Intrinsic::smin : llvm::Intrinsic::umin, a, b);
  Value* greatest = builder.CreateBinaryIntrinsic(is_signed ? llvm::Intrinsic::smax : llvm::Intrinsic::umax, a, b);
  return builder.CreateShuffleVector(least, greatest, chosen, select.getName());
}

}  // namespace

void order_known_lanes(llvm::Function& function, const VectorTraits& vectors) {
  llvm::SmallVector<llvm::WeakTrackingVH, 8> conditions;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction);
    if (!select) continue;
    Value* value = ordered(*select, vectors);
    if (!value) continue;
    conditions.emplace_back(select->getCondition());
    select->replaceAllUsesWith(value);
    select->eraseFromParent();
  }
  llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(conditions);
}

}  // namespace weft::compiler::wide
