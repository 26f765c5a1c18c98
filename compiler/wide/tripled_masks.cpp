#include "compiler/wide/tripled_masks.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <bit>

namespace weft::compiler::wide {
namespace {

using llvm::Value;

constexpr unsigned kTimes = 3;
/// Lanes whose bits, three apart, fit a word, and of which three registers of 32-bit elements are.
constexpr unsigned kTripledLanes = 16, kWord = kTimes * kTripledLanes;
constexpr unsigned kRegister = 512;  ///< bits

/// The mask in which each lane stands three times in `mask`; null if it is none.
Value* tripled(Value& mask) {
  auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&mask);
  if (!shuffle || !llvm::isa<llvm::UndefValue>(shuffle->getOperand(1))) return nullptr;
  const auto lanes = llvm::cast<llvm::FixedVectorType>(shuffle->getOperand(0)->getType())->getNumElements();
  const llvm::ArrayRef<int> places = shuffle->getShuffleMask();
  if (lanes % kTripledLanes || places.size() != kTimes * lanes) return nullptr;
  for (const auto [i, place] : llvm::enumerate(places))
    if (place != static_cast<int>(i / kTimes)) return nullptr;
  return shuffle->getOperand(0);
}

/// The lanes' bits of `mask`, each three times, 48 in a word.
llvm::SmallVector<Value*, 4> words_of(llvm::IRBuilder<>& builder, Value& mask) {
  const unsigned lanes = llvm::cast<llvm::FixedVectorType>(mask.getType())->getNumElements();
  Value* bits = builder.CreateBitCast(&mask, builder.getIntNTy(lanes));
  llvm::SmallVector<Value*, 4> words;
  for (unsigned first = 0; first < lanes; first += kTripledLanes) {
    Value* part = builder.CreateTrunc(builder.CreateLShr(bits, first), builder.getIntNTy(kTripledLanes));
    Value* apart = builder.CreateIntrinsic(llvm::Intrinsic::x86_bmi_pdep_64, {},
                                           {builder.CreateZExt(part, builder.getInt64Ty()), builder.getInt64(0x249249249249)});
    words.push_back(builder.CreateMul(apart, builder.getInt64(7)));
  }
  return words;
}

/// `count` bits from `first` on, as a mask.
Value* piece_of(llvm::IRBuilder<>& builder, llvm::ArrayRef<Value*> words, unsigned first, unsigned count) {
  const unsigned word = first / kWord, from = first % kWord;
  Value* bits = builder.CreateLShr(words[word], from);
  for (unsigned has = kWord - from, next = word + 1; has < count; has += kWord, ++next) bits = builder.CreateOr(bits, builder.CreateShl(words[next], has));
  bits = builder.CreateTrunc(bits, builder.getIntNTy(count));
  return builder.CreateBitCast(bits, llvm::FixedVectorType::get(builder.getInt1Ty(), count));
}

void split(llvm::IntrinsicInst& access, Value& mask) {
  const bool is_load = access.getIntrinsicID() == llvm::Intrinsic::masked_load;
  Value* pointer = access.getArgOperand(is_load ? 0 : 1);
  const auto* align = llvm::cast<llvm::ConstantInt>(access.getArgOperand(is_load ? 1 : 2));
  auto* type = llvm::cast<llvm::FixedVectorType>(is_load ? access.getType() : access.getArgOperand(0)->getType());
  const unsigned elements = type->getNumElements(), bytes = type->getScalarSizeInBits() / 8;
  llvm::IRBuilder<> builder(&access);
  const auto words = words_of(builder, mask);
  Value* all = is_load ? access.getArgOperand(3) : nullptr;
  for (unsigned first = 0; first < elements;) {
    const unsigned count = std::bit_floor(std::min(elements - first, kRegister / (8 * bytes)));
    Value* piece = piece_of(builder, words, first, count);
    Value* place = builder.CreatePtrAdd(pointer, builder.getInt64(first * bytes));
    const llvm::Align aligned = llvm::commonAlignment(llvm::Align(align->getZExtValue()), first * bytes);
    auto* part = llvm::FixedVectorType::get(type->getElementType(), count);
    llvm::Instruction* made = nullptr;
    if (is_load) {
      Value* otherwise = builder.CreateExtractVector(part, access.getArgOperand(3), builder.getInt64(first));
      made = builder.CreateMaskedLoad(part, place, aligned, piece, otherwise);
      all = builder.CreateInsertVector(type, all, made, builder.getInt64(first));
    } else {
      made = builder.CreateMaskedStore(builder.CreateExtractVector(part, access.getArgOperand(0), builder.getInt64(first)), place, aligned, piece);
    }
    made->setAAMetadata(access.getAAMetadata());
    made->setDebugLoc(access.getDebugLoc());
    first += count;
  }
  if (is_load) access.replaceAllUsesWith(all);
  access.eraseFromParent();
}

}  // namespace

void split_tripled_masks(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* access = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (!access) continue;
    const bool is_load = access->getIntrinsicID() == llvm::Intrinsic::masked_load;
    if (!is_load && access->getIntrinsicID() != llvm::Intrinsic::masked_store) continue;
    const llvm::Type* element = (is_load ? access->getType() : access->getArgOperand(0)->getType())->getScalarType();
    if (!element->isIntegerTy() && !element->isFloatingPointTy()) continue;
    if (const unsigned bits = element->getScalarSizeInBits(); bits != 8 && bits != 16 && bits != 32 && bits != 64) continue;
    if (Value* mask = tripled(*access->getArgOperand(is_load ? 2 : 3))) split(*access, *mask);
  }
}

}  // namespace weft::compiler::wide
