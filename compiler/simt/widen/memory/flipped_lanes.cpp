// Strategy "flipped-lanes".
// Matches: elements that lanes find by flipping bits of their number, the same in all lanes but not known to the compiler, as
// `data[i ^ j]` does in bitonic sorts, butterflies and exchanges along a hypercube. The lanes of a register access one block of memory as
// long as it, at a multiple of its length, in the order that the low bits give: a vector, permuted.
// Costs: an access and a permutation for each register; where lanes are off, the mask is permuted too.
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicsX86.h>

#include <bit>

#include "compiler/simt/widen/memory/masked.h"
#include "compiler/simt/widen/memory/strategies.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

/// The bits that lanes flip, the address being their number, flipped, and what all lanes share; null if it is none such. `lanes`: of a
/// register.
Value* flipped_bits(const Widening& w, const Access& access, unsigned lanes) {
  using llvm::Instruction;
  bool is_element = false, is_signed = true, is_unsigned = true;
  for (Value* value = access.pointer;;) {
    auto* instruction = llvm::dyn_cast<Instruction>(value);
    if (!instruction) return nullptr;
    unsigned varying = 0;
    switch (instruction->getOpcode()) {
      case Instruction::GetElementPtr: {
        auto& place = llvm::cast<llvm::GetElementPtrInst>(*instruction);
        if (place.getNumIndices() != 1) return nullptr;
        varying = w.is_uniform(place.getOperand(0));
        if (!varying) break;
        if (!place.getOperand(1)->getType()->isIntegerTy(64) ||
            w.layout.getTypeAllocSize(place.getSourceElementType()) != access.element_bytes)
          return nullptr;
        is_element = true;
        break;
      }
      case Instruction::SExt: is_unsigned = false; break;
      case Instruction::ZExt: is_signed &= instruction->hasNonNeg(); break;
      case Instruction::Or:
        if (!llvm::cast<llvm::PossiblyDisjointInst>(instruction)->isDisjoint()) return nullptr;
        varying = w.is_uniform(instruction->getOperand(0));
        break;
      case Instruction::Add:
        // Of a narrow sum, some lanes of a register might wrap around.
        if (!instruction->getType()->isIntegerTy(64) && !(is_signed && instruction->hasNoSignedWrap()) &&
            !(is_unsigned && instruction->hasNoUnsignedWrap()))
          return nullptr;
        varying = w.is_uniform(instruction->getOperand(0));
        break;
      case Instruction::Xor: {
        const bool of_first = w.is_uniform(instruction->getOperand(0));
        Value* bits = instruction->getOperand(!of_first);
        const Shape shape = w.shape(instruction->getOperand(of_first));
        const bool counts = shape.is_affine() && !shape.checked && shape.stride == 1 && shape.segment % lanes == 0 &&
                            shape.base_log2 >= std::countr_zero(lanes);
        return is_element && counts && w.is_uniform(bits) && !llvm::isa<llvm::Constant>(bits) ? bits : nullptr;
      }
      default: return nullptr;
    }
    // All else must be the same in all lanes.
    for (unsigned i = 0; i < instruction->getNumOperands(); ++i)
      if (i != varying && !w.is_uniform(instruction->getOperand(i))) return nullptr;
    value = instruction->getOperand(varying);
  }
}

class FlippedLanes {
 public:
  FlippedLanes(Widening& w, const Access& access, Value* bits, unsigned lanes)
      : w_(w),
        builder_(w.builder),
        access_(access),
        lanes_(lanes),
        words_(llvm::FixedVectorType::get(builder_.getIntNTy(access.bits), lanes)) {
    low_ = builder_.CreateAnd(builder_.CreateZExtOrTrunc(w.values.uniform(bits), words_->getElementType()), lanes - 1);
    llvm::SmallVector<llvm::Constant*, 16> numbers;
    for (unsigned i = 0; i < lanes; ++i) numbers.push_back(llvm::ConstantInt::get(words_->getElementType(), i));
    order_ = builder_.CreateXor(llvm::ConstantVector::get(numbers), builder_.CreateVectorSplat(lanes, low_));
  }

  Value* load() {
    llvm::SmallVector<Value*, 8> registers;
    for (unsigned lane = 0; lane < w_.lanes; lane += lanes_) {
      Value* loaded = nullptr;
      if (Value* live = live_at(lane)) {
        loaded = load_some(w_, access_, words_, block(lane), live, false);
      } else {
        auto* load = builder_.CreateAlignedLoad(words_, block(lane), access_.element_align);
        copy_alias_metadata(*load, access_.instruction);
        loaded = load;
      }
      registers.push_back(permuted(loaded));
    }
    Value* all = registers.size() == 1 ? registers.front() : llvm::concatenateVectors(builder_, registers);
    return builder_.CreateBitCast(all, w_.wide(access_.type));
  }

  void store() {
    auto* all = llvm::FixedVectorType::get(words_->getElementType(), w_.lanes);
    Value* values = builder_.CreateBitCast(w_.values.vector1(access_.value), all);
    for (unsigned lane = 0; lane < w_.lanes; lane += lanes_) {
      llvm::SmallVector<int, 16> own;
      for (unsigned i = 0; i < lanes_; ++i) own.push_back(static_cast<int>(lane + i));
      Value* value = permuted(builder_.CreateShuffleVector(values, own));
      if (Value* live = live_at(lane)) {
        store_some(w_, access_, value, block(lane), live);
      } else {
        auto* store = builder_.CreateAlignedStore(value, block(lane), access_.element_align);
        copy_alias_metadata(*store, access_.instruction);
      }
    }
  }

 private:
  /// Flipping is its own inverse: what stands in each lane is what each place in memory has.
  Value* permuted(Value* words) {
    llvm::Intrinsic::ID permute = llvm::Intrinsic::x86_avx2_permd;
    if (access_.bits == 64)
      permute = llvm::Intrinsic::x86_avx512_permvar_di_512;
    else if (w_.traits.register_bits == 512)
      permute = llvm::Intrinsic::x86_avx512_permvar_si_512;
    return builder_.CreateIntrinsic(permute, {}, {words, order_});
  }

  /// Where the block of the lanes from `lane` begins: the first of them has flipped its low bits, which were zero.
  Value* block(unsigned lane) {
    Value* first = w_.values.value_in_lane(access_.pointer, lane);
    Value* bytes = builder_.CreateMul(builder_.CreateZExtOrTrunc(low_, builder_.getInt64Ty()), builder_.getInt64(access_.element_bytes));
    return builder_.CreateGEP(builder_.getInt8Ty(), first, builder_.CreateNeg(bytes));
  }

  /// The elements of the block that some lane accesses; null if all do.
  Value* live_at(unsigned lane) {
    Value* live = w_.mask.segment(lane, lanes_, 1);
    return live ? builder_.CreateICmpSLT(permuted(builder_.CreateSExt(live, words_)), llvm::Constant::getNullValue(words_)) : nullptr;
  }

  Widening& w_;
  llvm::IRBuilder<>& builder_;
  const Access& access_;
  const unsigned lanes_;
  llvm::FixedVectorType* words_;
  Value* low_ = nullptr;    ///< the bits that lanes of a register differ by
  Value* order_ = nullptr;  ///< of a register's lanes in their block
};

}  // namespace

std::optional<AccessPlan> plan_flipped_lanes(Widening& w, const Access& access) {
  const bool has_permutes = access.bits == 32 ? w.traits.register_bits >= 256 : access.bits == 64 && w.traits.register_bits == 512;
  if (!has_permutes || access.count != 1 || access.is_volatile || access.is_seldom || access.type->isPointerTy()) return std::nullopt;
  const unsigned lanes = w.traits.register_bits / access.bits;
  Value* bits = w.lanes % lanes == 0 ? flipped_bits(w, access, lanes) : nullptr;
  if (!bits) return std::nullopt;
  AccessPlan plan{.cost = registers_of(w, access), .emit = {}, .fall_back = {}};
  plan.emit = [&w, &access, bits, lanes]() -> Parts {
    FlippedLanes flipped(w, access, bits, lanes);
    if (access.is_load()) return {flipped.load()};
    flipped.store();
    return {};
  };
  return plan;
}

}  // namespace weft::compiler::simt
