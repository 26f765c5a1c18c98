#include "compiler/simt/widen/lane_ranks.h"

#include <array>

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>

#include "compiler/simt/widen/widening.h"
#include "device/kernel_abi.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

/// Bytes of a register.
constexpr unsigned kHalfLanes = 16;

/// For each byte of eight lanes' bits the lanes that are in it, the first one first, a byte each. Behind these, lane 0.
llvm::GlobalVariable* chosen_lanes(llvm::Module& module) {
  constexpr llvm::StringLiteral kName = "weft.chosen_lanes";
  if (llvm::GlobalVariable* known = module.getGlobalVariable(kName, /*AllowInternal=*/true)) return known;
  std::array<std::uint64_t, 1 << kTogetherLanes> table{};
  for (unsigned bits = 0; bits < table.size(); ++bits)
    for (unsigned lane = 0, place = 0; lane < kTogetherLanes; ++lane)
      if (bits >> lane & 1) table[bits] |= std::uint64_t{lane} << (8 * place++);
  llvm::Constant* values = llvm::ConstantDataArray::get(module.getContext(), table);
  auto* made = new llvm::GlobalVariable(module, values->getType(), /*isConstant=*/true, llvm::GlobalValue::InternalLinkage, values, kName);
  made->setAlignment(llvm::Align(64));
  return made;
}

/// <8 x i32>: 0, 1, ...
llvm::Constant* numbers(Widening& w) {
  llvm::SmallVector<std::uint32_t, kTogetherLanes> each;
  for (unsigned i = 0; i < kTogetherLanes; ++i) each.push_back(i);
  return llvm::ConstantDataVector::get(w.builder.getContext(), each);
}

Value* count_of(Widening& w, Value* bits) { return w.builder.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, bits); }

/// Sums over the bytes in front of each of `bytes`, 16 of 0 and 1, and its own.
Value* sums_of_half(Widening& w, Value* bytes) {
  Value* none = llvm::Constant::getNullValue(bytes->getType());
  for (unsigned distance = 1; distance < kHalfLanes; distance *= 2) {
    llvm::SmallVector<int, kHalfLanes> moved;
    for (unsigned i = 0; i < kHalfLanes; ++i) moved.push_back(static_cast<int>(i < distance ? kHalfLanes + i : i - distance));
    bytes = w.builder.CreateAdd(bytes, w.builder.CreateShuffleVector(bytes, none, moved));
  }
  return bytes;
}

/// Ranks from sums of bytes, of which processors do 16 at once that count no bits in words of vectors and have no larger registers.
Value* ranks_by_bytes(Widening& w, Value* bits) {
  auto& builder = w.builder;
  Value* lanes = builder.CreateBitCast(bits, llvm::FixedVectorType::get(builder.getInt1Ty(), abi::kWarpSize));
  Value* own = builder.CreateZExt(lanes, llvm::FixedVectorType::get(builder.getInt8Ty(), abi::kWarpSize));
  Value* low = builder.CreateShuffleVector(own, llvm::createSequentialMask(0, kHalfLanes, 0));
  Value* high = builder.CreateShuffleVector(own, llvm::createSequentialMask(kHalfLanes, kHalfLanes, 0));
  Value* sums_low = sums_of_half(w, low);
  Value* sums_high = sums_of_half(w, high);
  Value* all_low = builder.CreateShuffleVector(sums_low, llvm::SmallVector<int, kHalfLanes>(kHalfLanes, kHalfLanes - 1));
  Value* low_ranks = builder.CreateSub(sums_low, low);
  Value* high_ranks = builder.CreateAdd(builder.CreateSub(sums_high, high), all_low);
  Value* ranks = llvm::concatenateVectors(builder, {low_ranks, high_ranks});
  return builder.CreateZExt(ranks, llvm::FixedVectorType::get(builder.getInt32Ty(), abi::kWarpSize));
}

}  // namespace

Value* ranks_in(Widening& w, Value* bits) {
  // Where there are registers of 256 bits, a table has these counts (wide/bits_below.h).
  if (!w.traits.mask_registers && w.traits.register_bits != 256) return ranks_by_bytes(w, bits);
  auto& builder = w.builder;
  llvm::SmallVector<llvm::Constant*, abi::kWarpSize> lower;
  for (unsigned lane = 0; lane < abi::kWarpSize; ++lane) lower.push_back(builder.getInt32((std::uint32_t{1} << lane) - 1));
  Value* before = builder.CreateAnd(builder.CreateVectorSplat(abi::kWarpSize, bits), llvm::ConstantVector::get(lower));
  return count_of(w, before);
}

bool can_move_together(const Widening& w) { return w.traits.register_bits == 256 && !w.traits.mask_registers; }

Value* rotate(Widening& w, Value* row, Value* distance) {
  Value* from = w.builder.CreateAdd(numbers(w), w.builder.CreateVectorSplat(kTogetherLanes, distance));
  return w.builder.CreateIntrinsic(llvm::Intrinsic::x86_avx2_permd, {}, {row, from});
}

Value* first_lanes(Widening& w, Value* count) {
  return w.builder.CreateICmpSLT(numbers(w), w.builder.CreateVectorSplat(kTogetherLanes, count));
}

Together move_together(Widening& w, Value* value, Value* bits) {
  auto& builder = w.builder;
  auto* words = llvm::FixedVectorType::get(builder.getInt32Ty(), kTogetherLanes);
  // What lanes have that are off may be poison, which a permutation need not keep to its lanes.
  value = builder.CreateFreeze(builder.CreateBitCast(value, llvm::FixedVectorType::get(builder.getInt32Ty(), abi::kWarpSize)));
  llvm::GlobalVariable* table = chosen_lanes(*builder.GetInsertBlock()->getModule());
  Together row{.parts = {}, .before = {}, .last = llvm::Constant::getNullValue(words), .count = count_of(w, bits)};
  for (unsigned part = 0; part < kTogetherParts; ++part) {
    const unsigned first = part * kTogetherLanes;
    Value* own = builder.CreateAnd(builder.CreateLShr(bits, first), (1u << kTogetherLanes) - 1);
    Value* entry = builder.CreateInBoundsGEP(builder.getInt64Ty(), table, builder.CreateZExt(own, builder.getInt64Ty()));
    Value* lanes = builder.CreateAlignedLoad(llvm::FixedVectorType::get(builder.getInt8Ty(), kTogetherLanes), entry, llvm::Align(8));
    Value* these = builder.CreateShuffleVector(value, llvm::createSequentialMask(first, kTogetherLanes, 0));
    row.parts[part] = builder.CreateIntrinsic(llvm::Intrinsic::x86_avx2_permd, {}, {these, builder.CreateZExt(lanes, words)});
    row.before[part] = count_of(w, builder.CreateAnd(bits, static_cast<std::uint32_t>((std::uint64_t{1} << first) - 1)));
    // The part's take the places of as many of the first, and what is left is rotated to the end.
    Value* number = count_of(w, own);
    row.last = rotate(w, builder.CreateSelect(first_lanes(w, number), row.parts[part], row.last), number);
  }
  return row;
}

}  // namespace weft::compiler::simt
