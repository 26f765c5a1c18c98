#include "compiler/wide/bits_below.h"

#include <array>

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

namespace weft::compiler::wide {
namespace {

using llvm::Value;

constexpr unsigned kLanes = 32, kPart = 8;

/// For each byte how many bits it has below each of its eight, a byte each.
llvm::GlobalVariable* table_of(llvm::Module& module) {
  constexpr llvm::StringLiteral kName = "weft.bits_below";
  if (llvm::GlobalVariable* known = module.getGlobalVariable(kName, /*AllowInternal=*/true)) return known;
  std::array<std::uint64_t, 1 << kPart> table{};
  for (unsigned bits = 0; bits < table.size(); ++bits)
    for (unsigned lane = 0, below = 0; lane < kPart; below += bits >> lane++ & 1)
      table[bits] |= std::uint64_t{below} << (8 * lane);
  llvm::Constant* values = llvm::ConstantDataArray::get(module.getContext(), table);
  auto* made = new llvm::GlobalVariable(module, values->getType(), /*isConstant=*/true,
                                        llvm::GlobalValue::InternalLinkage, values, kName);
  made->setAlignment(llvm::Align(64));
  return made;
}

/// Whether element `i` of `value` is a word whose bits below `i` are set, and no others.
bool has_bits_below(const llvm::Constant& value) {
  for (unsigned i = 0; i < kLanes; ++i) {
    const auto* element = llvm::dyn_cast_or_null<llvm::ConstantInt>(value.getAggregateElement(i));
    if (!element || element->getZExtValue() != (std::uint64_t{1} << i) - 1) return false;
  }
  return true;
}

/// The word of whose bits `count` counts those below each lane; null: it counts others.
Value* word_of(llvm::IntrinsicInst& count) {
  using namespace llvm::PatternMatch;
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(count.getType());
  if (!type || type->getNumElements() != kLanes || !type->getElementType()->isIntegerTy(32)) return nullptr;
  Value* words = nullptr;
  llvm::Constant* below = nullptr;
  if (!match(count.getArgOperand(0), m_c_And(m_Value(words), m_Constant(below)))) return nullptr;
  if (!has_bits_below(*below)) return nullptr;
  return llvm::isa<llvm::Constant>(words) ? nullptr : const_cast<Value*>(llvm::getSplatValue(words));
}

Value* counts_below(llvm::IRBuilder<>& builder, Value* word) {
  llvm::GlobalVariable* table = table_of(*builder.GetInsertBlock()->getModule());
  // The count of a word that nothing has set may be any, but a place in the table is one.
  word = builder.CreateFreeze(word);
  auto* bytes = llvm::FixedVectorType::get(builder.getInt8Ty(), kPart);
  auto* counts = llvm::FixedVectorType::get(builder.getInt32Ty(), kPart);
  llvm::SmallVector<Value*, kLanes / kPart> parts;
  for (unsigned first = 0; first < kLanes; first += kPart) {
    Value* own = builder.CreateAnd(first ? builder.CreateLShr(word, first) : word, (1u << kPart) - 1);
    Value* entry = builder.CreateInBoundsGEP(builder.getInt64Ty(), table, builder.CreateZExt(own, builder.getInt64Ty()));
    Value* part = builder.CreateZExt(builder.CreateAlignedLoad(bytes, entry, llvm::Align(8)), counts);
    if (first) {
      Value* before = builder.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, builder.CreateAnd(word, (1u << first) - 1));
      part = builder.CreateAdd(part, builder.CreateVectorSplat(kPart, before));
    }
    parts.push_back(part);
  }
  return llvm::concatenateVectors(builder, parts);
}

}  // namespace

void look_up_bits_below(llvm::Function& function, const VectorTraits& vectors) {
  if (vectors.register_bits != 256) return;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* count = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (!count || count->getIntrinsicID() != llvm::Intrinsic::ctpop) continue;
    Value* word = word_of(*count);
    if (!word) continue;
    llvm::IRBuilder<> builder(count);
    Value* counts = counts_below(builder, word);
    counts->takeName(count);
    count->replaceAllUsesWith(counts);
    count->eraseFromParent();
  }
}

}  // namespace weft::compiler::wide
