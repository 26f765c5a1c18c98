#include "compiler/wide/half_floats.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/target/target.h"

namespace weft::compiler::wide {
namespace {

using llvm::Intrinsic::ID;
using llvm::Value;

bool is_half(const Value& value) { return value.getType()->getScalarType()->isHalfTy(); }

class Halves {
 public:
  Halves(llvm::LLVMContext& context, bool converts) : builder_(context), converts_(converts) {}

  void run(llvm::BasicBlock& block) {
    floats_.clear();
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(block)) {
      builder_.SetInsertPoint(&instruction);
      builder_.clearFastMathFlags();
      Value* made = replacement(instruction);
      if (!made) continue;
      made->takeName(&instruction);
      instruction.replaceAllUsesWith(made);
      floats_.erase(&instruction);
      instruction.eraseFromParent();
    }
  }

 private:
  /// `scalar`, or a vector of as many as `like` has elements.
  static llvm::Type* as_many(llvm::Type* scalar, const llvm::Type* like) {
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(like);
    return vector ? llvm::FixedVectorType::get(scalar, vector->getNumElements()) : scalar;
  }
  llvm::Type* floats(const Value* like) { return as_many(builder_.getFloatTy(), like->getType()); }
  llvm::Type* halves(const Value* like) { return as_many(builder_.getHalfTy(), like->getType()); }
  llvm::Type* words(const Value* like) { return as_many(builder_.getInt32Ty(), like->getType()); }
  Value* bits(Value* number) { return builder_.CreateBitCast(number, words(number)); }
  Value* number(Value* bits) { return builder_.CreateBitCast(bits, floats(bits)); }
  static llvm::Constant* word(const Value* like, std::uint32_t value) { return llvm::ConstantInt::get(like->getType(), value); }

  /// A half as float: once in a block.
  Value* to_float(Value* half) {
    if (llvm::isa<llvm::Constant>(half)) return builder_.CreateFPExt(half, floats(half));
    Value*& known = floats_[half];
    if (!known) known = converts_ ? builder_.CreateFPExt(half, floats(half)) : decoded(half);
    return known;
  }

  /// The first two operands as float.
  std::pair<Value*, Value*> both(llvm::Instruction& instruction) {
    Value* first = to_float(instruction.getOperand(0));
    return {first, to_float(instruction.getOperand(1))};
  }

  /// A float rounded to half.
  Value* to_half(Value* single) {
    if (llvm::isa<llvm::Constant>(single) || converts_) return builder_.CreateFPTrunc(single, halves(single));
    return encoded(single);
  }

  /// By hand: the bits are a float's of an exponent that is 112 too small, for denormal numbers too.
  Value* decoded(Value* half) {
    Value* all = builder_.CreateZExt(builder_.CreateBitCast(half, as_many(builder_.getInt16Ty(), half->getType())), words(half));
    Value* sign = builder_.CreateShl(builder_.CreateAnd(all, word(all, 0x8000)), 16);
    Value* magnitude = builder_.CreateShl(builder_.CreateAnd(all, word(all, 0x7fff)), 13);
    Value* scaled = bits(builder_.CreateFMul(number(magnitude), llvm::ConstantFP::get(floats(half), 0x1p112)));
    Value* special = builder_.CreateOr(magnitude, word(magnitude, 0x7f800000));
    Value* is_special = builder_.CreateICmpUGE(magnitude, word(magnitude, 0x7c00 << 13));
    return number(builder_.CreateOr(builder_.CreateSelect(is_special, special, scaled), sign));
  }

  Value* encoded(Value* single) {
    Value* all = bits(single);
    Value* magnitude = builder_.CreateAnd(all, word(all, 0x7fffffff));
    Value* sign = builder_.CreateLShr(builder_.CreateXor(all, magnitude), 16);
    // Denormal: a half's last bit is worth 2^-24, as that of 0.5f is.
    Value* denormal = builder_.CreateSub(
        bits(builder_.CreateFAdd(number(magnitude), llvm::ConstantFP::get(single->getType(), 0.5))), word(all, 0x3f000000));
    // Normal: the exponent less 112; half of the last bit less one, and one if that is odd.
    Value* odd = builder_.CreateAnd(builder_.CreateLShr(magnitude, 13), word(all, 1));
    Value* normal = builder_.CreateLShr(
        builder_.CreateAdd(builder_.CreateAdd(magnitude, word(all, 0u - (112u << 23) + 0xfff)), odd), 13);
    Value* rounded = builder_.CreateSelect(builder_.CreateICmpULT(magnitude, word(all, 0x38800000)), denormal, normal);
    Value* quiet = builder_.CreateOr(builder_.CreateAnd(builder_.CreateLShr(magnitude, 13), word(all, 0x3ff)), word(all, 0x7e00));
    Value* special = builder_.CreateSelect(builder_.CreateICmpUGT(magnitude, word(all, 0x7f800000)), quiet, word(all, 0x7c00));
    Value* half = builder_.CreateSelect(builder_.CreateICmpUGE(magnitude, word(all, 0x47800000)), special, rounded);
    half = builder_.CreateTrunc(builder_.CreateOr(half, sign), as_many(builder_.getInt16Ty(), single->getType()));
    return builder_.CreateBitCast(half, halves(single));
  }

  /// Where `inexact`, the neighbour of `near` with an odd last bit that the value lies by; `above`: near has the greater magnitude.
  Value* to_odd(Value* near, Value* inexact, Value* above) {
    Value* all = bits(near);
    Value* odd = builder_.CreateOr(builder_.CreateAdd(all, builder_.CreateSExt(above, all->getType())), word(all, 1));
    return number(builder_.CreateSelect(inexact, odd, all));
  }

  Value* from_double(Value* value) {
    Value* near = builder_.CreateFPTrunc(value, floats(value));
    Value* back = builder_.CreateFPExt(near, value->getType());
    Value* above = builder_.CreateFCmpOGT(builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, back),
                                          builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value));
    return to_half(to_odd(near, builder_.CreateFCmpONE(back, value), above));
  }

  /// The product of two halves is exact in float; of the sum, the rounding error is known (Knuth).
  Value* fused(Value* a, Value* b, Value* c) {
    Value* x = to_float(a);
    Value* y = to_float(b);
    Value* product = builder_.CreateFMul(x, y);
    Value* added = to_float(c);
    Value* sum = builder_.CreateFAdd(product, added);
    Value* part = builder_.CreateFSub(sum, product);
    Value* lost = builder_.CreateFSub(product, builder_.CreateFSub(sum, part));
    Value* error = builder_.CreateFAdd(lost, builder_.CreateFSub(added, part));
    Value* inexact = builder_.CreateFCmpONE(error, llvm::ConstantFP::getZero(error->getType()));
    Value* signs = builder_.CreateXor(bits(error), bits(sum));
    return to_half(to_odd(sum, inexact, builder_.CreateICmpSLT(signs, word(signs, 0))));
  }

  /// The bits of `value` that `mask` has, as integers.
  Value* some_bits(Value* value, std::uint16_t mask) {
    Value* all = builder_.CreateBitCast(value, as_many(builder_.getInt16Ty(), value->getType()));
    return builder_.CreateAnd(all, llvm::ConstantInt::get(all->getType(), mask));
  }

  Value* of_intrinsic(llvm::IntrinsicInst& call) {
    const ID id = call.getIntrinsicID();
    switch (id) {
      case llvm::Intrinsic::fabs: return builder_.CreateBitCast(some_bits(call.getArgOperand(0), 0x7fff), call.getType());
      case llvm::Intrinsic::copysign: {
        Value* magnitude = some_bits(call.getArgOperand(0), 0x7fff);
        return builder_.CreateBitCast(builder_.CreateOr(magnitude, some_bits(call.getArgOperand(1), 0x8000)), call.getType());
      }
      case llvm::Intrinsic::fma: return fused(call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2));
      case llvm::Intrinsic::fmuladd: {
        const auto [x, y] = both(call);
        Value* product = to_float(to_half(builder_.CreateFMul(x, y)));
        return to_half(builder_.CreateFAdd(product, to_float(call.getArgOperand(2))));
      }
      case llvm::Intrinsic::fptosi_sat:
      case llvm::Intrinsic::fptoui_sat: {
        Value* single = to_float(call.getArgOperand(0));
        return builder_.CreateIntrinsic(id, {call.getType(), single->getType()}, {single});
      }
      case llvm::Intrinsic::sqrt:
      case llvm::Intrinsic::floor:
      case llvm::Intrinsic::ceil:
      case llvm::Intrinsic::trunc:
      case llvm::Intrinsic::rint:
      case llvm::Intrinsic::nearbyint:
      case llvm::Intrinsic::round:
      case llvm::Intrinsic::roundeven:
      case llvm::Intrinsic::canonicalize:
      case llvm::Intrinsic::minnum:
      case llvm::Intrinsic::maxnum:
      case llvm::Intrinsic::minimum:
      case llvm::Intrinsic::maximum: {
        llvm::SmallVector<Value*, 2> arguments;
        for (Value* argument : call.args()) arguments.push_back(to_float(argument));
        return to_half(builder_.CreateIntrinsic(id, {arguments.front()->getType()}, arguments, &call));
      }
      default: return nullptr;
    }
  }

  Value* of_cast(llvm::CastInst& cast) {
    using llvm::Instruction;
    Value* from = cast.getOperand(0);
    switch (cast.getOpcode()) {
      case Instruction::FPTrunc:
        if (!is_half(cast)) return nullptr;
        if (from->getType()->getScalarType()->isDoubleTy()) return from_double(from);
        return converts_ ? nullptr : to_half(from);
      case Instruction::FPExt:
        if (!is_half(*from)) return nullptr;
        return cast.getType()->getScalarType()->isFloatTy() ? to_float(from) : builder_.CreateFPExt(to_float(from), cast.getType());
      case Instruction::FPToSI:
      case Instruction::FPToUI: return is_half(*from) ? builder_.CreateCast(cast.getOpcode(), to_float(from), cast.getType()) : nullptr;
      // What float rounds is beyond half's numbers.
      case Instruction::SIToFP:
      case Instruction::UIToFP: return is_half(cast) ? to_half(builder_.CreateCast(cast.getOpcode(), from, floats(from))) : nullptr;
      default: return nullptr;
    }
  }

  /// What stands for `instruction`, or null if it stays.
  Value* replacement(llvm::Instruction& instruction) {
    using llvm::Instruction;
    if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) return of_cast(*cast);
    if (instruction.getNumOperands() == 0 || !is_half(*instruction.getOperand(0))) return nullptr;
    if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) return of_intrinsic(*call);
    if (llvm::isa<llvm::FPMathOperator>(instruction)) builder_.setFastMathFlags(instruction.getFastMathFlags());
    switch (instruction.getOpcode()) {
      case Instruction::FNeg: {
        Value* all = some_bits(instruction.getOperand(0), 0xffff);
        return builder_.CreateBitCast(builder_.CreateXor(all, llvm::ConstantInt::get(all->getType(), 0x8000)), instruction.getType());
      }
      case Instruction::FAdd:
      case Instruction::FSub:
      case Instruction::FMul:
      case Instruction::FDiv:
      case Instruction::FRem: {
        const auto [x, y] = both(instruction);
        return to_half(builder_.CreateBinOp(static_cast<Instruction::BinaryOps>(instruction.getOpcode()), x, y));
      }
      case Instruction::FCmp: {
        const auto [x, y] = both(instruction);
        return builder_.CreateFCmp(llvm::cast<llvm::FCmpInst>(instruction).getPredicate(), x, y);
      }
      default: return nullptr;
    }
  }

  llvm::IRBuilder<> builder_;
  bool converts_;
  llvm::DenseMap<Value*, Value*> floats_;  ///< halves as float, in the block
};

}  // namespace

void compute_halves_in_float(llvm::Function& function) {
  Halves halves(function.getContext(), target::vectors().half_conversions);
  for (llvm::BasicBlock& block : function) halves.run(block);
}

}  // namespace weft::compiler::wide
