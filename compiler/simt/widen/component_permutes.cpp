#include "compiler/simt/widen/component_permutes.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/Support/MathExtras.h>

#include "compiler/simt/ir/component_permutes.h"
#include "compiler/simt/widen/packed.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

/// Registers within which a lane's components are permuted.
class Permute {
 public:
  Permute(Emitter& emitter, unsigned unit, unsigned n) : builder_(emitter.builder), unit_(unit), n_(n), bytes_(emitter.traits.register_bits / 8) {
    using namespace llvm::Intrinsic;
    if (bytes_ == 64 && unit <= 8 && unit * n <= 64) {
      // Bytes within 16, anything else within the register.
      element_ = unit;
      id_ = unit == 1 ? x86_avx512_pshuf_b_512 : unit == 2 ? x86_avx512_permvar_hi_512 : unit == 4 ? x86_avx512_permvar_si_512 : x86_avx512_permvar_di_512;
      within_ = unit == 1 ? 16 : bytes_;
    } else if (bytes_ == 32 && unit < 4) {
      element_ = 1;
      id_ = x86_avx2_pshuf_b;
      within_ = 16;
    } else if (bytes_ == 32 && unit <= 8) {
      element_ = 4;
      id_ = x86_avx2_permd;
      within_ = bytes_;
    }
    if (unit * n > within_) id_ = not_intrinsic;
  }
  explicit operator bool() const { return id_ != llvm::Intrinsic::not_intrinsic; }
  unsigned bytes() const { return bytes_; }

  /// Of one register: components as integers.
  Value* operator()(Value* x, Value* mask) {
    auto* integers = llvm::cast<llvm::FixedVectorType>(mask->getType());
    llvm::IntegerType* integer = llvm::cast<llvm::IntegerType>(integers->getElementType());
    Value* numbers = builder_.CreateAnd(mask, llvm::ConstantInt::get(integers, n_ - 1));
    if (element_ < unit_) {
      // A component's number becomes those of its parts: p c, p c + 1, ...
      const unsigned parts = unit_ / element_;
      numbers = builder_.CreateShl(numbers, llvm::ConstantInt::get(integers, llvm::Log2_32(parts)));
      Value* each = numbers;
      for (unsigned part = 1; part < parts; ++part)
        each = builder_.CreateOr(each, builder_.CreateShl(numbers, llvm::ConstantInt::get(integers, std::uint64_t{part} * element_ * 8)));
      numbers = each;
    }
    auto* type = llvm::FixedVectorType::get(builder_.getIntNTy(element_ * 8), bytes_ / element_);
    numbers = builder_.CreateBitCast(numbers, type);
    llvm::SmallVector<llvm::Constant*, 64> first;
    for (unsigned i = 0; i < type->getNumElements(); ++i) {
      const unsigned place = i % (within_ / element_), lane_elements = n_ * unit_ / element_;
      first.push_back(llvm::ConstantInt::get(type->getElementType(), place / lane_elements * lane_elements + i % (unit_ / element_)));
    }
    numbers = builder_.CreateOr(numbers, llvm::ConstantVector::get(first));
    Value* permuted = builder_.CreateIntrinsic(id_, {}, {builder_.CreateBitCast(x, type), numbers});
    return builder_.CreateBitCast(permuted, llvm::FixedVectorType::get(integer, integers->getNumElements()));
  }

 private:
  llvm::IRBuilder<>& builder_;
  const unsigned unit_, n_, bytes_;
  unsigned element_ = 1, within_ = 0;
  llvm::Intrinsic::ID id_ = llvm::Intrinsic::not_intrinsic;
};

}  // namespace

Parts permuted_by_component(Emitter& emitter, const Parts& x, const Parts& mask) {
  Parts result;
  for (Value* number : mask) result.push_back(component_by_number(emitter.builder, x, number));
  return result;
}

Value* permuted_packed(Emitter& emitter, Value* x, Value* mask, unsigned n) {
  auto* type = llvm::cast<llvm::FixedVectorType>(x->getType());
  const unsigned unit = type->getScalarSizeInBits() / 8;
  Permute permute(emitter, unit, n);
  if (!permute) return interleave(emitter, permuted_by_component(emitter, deinterleave(emitter, x, n), deinterleave(emitter, mask, n)));
  x = emitter.builder.CreateBitCast(x, mask->getType());
  const unsigned each = permute.bytes() / unit;
  llvm::SmallVector<Value*, 16> registers;
  for (unsigned first = 0; first < type->getNumElements(); first += each) {
    const llvm::SmallVector<int, 16> places = llvm::createSequentialMask(first, each, 0);
    registers.push_back(permute(emitter.builder.CreateShuffleVector(x, places), emitter.builder.CreateShuffleVector(mask, places)));
  }
  return emitter.builder.CreateBitCast(llvm::concatenateVectors(emitter.builder, registers), type);
}

}  // namespace weft::compiler::simt
