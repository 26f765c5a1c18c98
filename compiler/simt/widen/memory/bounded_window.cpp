// Strategy "bounded-window".
// Matches: loads whose index counts over the lanes until it meets a bound, as `in[row * width + clamp(x + k, 0, width - 1)]` does at an
// image's edge, in the code for lanes that meet it (checked.cpp). A bound only ever holds lanes back, so those of a register lie in a window
// of memory no longer than the register: from the place of its first lane to that of its last, of which each takes its own by a
// permutation. Rows of a filter share the permutations. The code looks whether an index wrapped around; then a fall-back.
// Costs: a load under a mask and a permutation for each register.
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>

#include <bit>

#include "compiler/passes/pass_list.h"
#include "compiler/simt/widen/memory/masked.h"
#include "compiler/simt/widen/memory/strategies.h"
#include "compiler/simt/widen/memory/two_ways.h"
#include "compiler/simt/widen/packed.h"
#include "compiler/simt/widen/widening.h"

namespace weft::compiler::simt {

using llvm::Value;

namespace {

constexpr std::uint64_t kLargestScale = std::uint64_t{1} << 40;

/// What counts over the lanes within bounds, of which an address is a sum with what all lanes share.
struct BoundedIndex {
  llvm::MinMaxIntrinsic* bound = nullptr;  ///< the outermost one: no other stands between it and the address
  Value* counting = nullptr;               ///< what counts without a bound
  bool may_wrap = false;                   ///< somewhere between it and the address
};

/// The one operand that lanes do not share; null if there are several.
Value* varying_operand(const Widening& w, llvm::User& user) {
  Value* found = nullptr;
  for (Value* operand : user.operands()) {
    if (llvm::isa<llvm::Constant>(operand) || w.shape(operand).is_constant_in_segment()) continue;
    if (found) return nullptr;
    found = operand;
  }
  return found;
}

/// Whether `instruction` gives what it would of numbers of any size.
bool is_exact(const llvm::Instruction& instruction) {
  if (llvm::isa<llvm::OverflowingBinaryOperator>(instruction)) return instruction.hasNoSignedWrap();
  if (llvm::isa<llvm::ZExtInst>(instruction)) return instruction.hasNonNeg();
  return llvm::isa<llvm::GetElementPtrInst, llvm::SExtInst, llvm::AddrSpaceCastInst>(instruction);
}

/// The bound that `pointer` is made of, where a step of the index is one of `bytes`.
llvm::MinMaxIntrinsic* outermost_bound(const Widening& w, Value& pointer, std::uint64_t bytes, bool& may_wrap) {
  std::uint64_t scale = 1;
  unsigned shifted_out = 0;  // by the sign extensions that InstCombine writes as shifts
  for (Value* value = &pointer; auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);) {
    if (!w.shape(instruction).checked) return nullptr;
    if (auto* bound = llvm::dyn_cast<llvm::MinMaxIntrinsic>(instruction)) return scale >> shifted_out == bytes ? bound : nullptr;
    value = varying_operand(w, *instruction);
    if (!value) return nullptr;
    may_wrap |= !is_exact(*instruction);
    const auto* number = instruction->getNumOperands() > 1 ? llvm::dyn_cast<llvm::ConstantInt>(instruction->getOperand(1)) : nullptr;
    switch (instruction->getOpcode()) {
      case llvm::Instruction::GetElementPtr: {
        auto& place = llvm::cast<llvm::GetElementPtrInst>(*instruction);
        if (place.getNumIndices() != 1) return nullptr;
        if (value != place.getPointerOperand()) scale *= w.layout.getTypeAllocSize(place.getSourceElementType());
        break;
      }
      case llvm::Instruction::Sub:
        if (value != instruction->getOperand(0)) return nullptr;
        break;
      case llvm::Instruction::Or:
        if (!llvm::cast<llvm::PossiblyDisjointInst>(instruction)->isDisjoint()) return nullptr;
        break;
      case llvm::Instruction::Shl:
        if (!number || number->getValue().uge(32)) return nullptr;
        scale <<= number->getZExtValue();
        break;
      case llvm::Instruction::AShr:
        if (!number || number->getValue().ugt(32) || !instruction->isExact()) return nullptr;
        shifted_out += static_cast<unsigned>(number->getZExtValue());
        break;
      case llvm::Instruction::Mul:
        if (!number || number->getValue().uge(std::uint64_t{1} << 16)) return nullptr;
        scale *= number->getZExtValue();
        break;
      case llvm::Instruction::And:  // zero extension as InstCombine writes it
      case llvm::Instruction::Add:
      case llvm::Instruction::SExt:
      case llvm::Instruction::ZExt:
      case llvm::Instruction::Trunc:
      case llvm::Instruction::AddrSpaceCast: break;
      default: return nullptr;
    }
    if (scale > kLargestScale) return nullptr;
  }
  return nullptr;
}

/// Where nothing inside the bounds wraps around, each lane is as far as the one before, or one further.
std::optional<BoundedIndex> bounded_index(const Widening& w, const Access& access) {
  const Shape shape = w.shape(access.pointer);
  const std::uint64_t bytes = access.bits / 8;
  if (!shape.is_affine() || !shape.checked || shape.stride != static_cast<std::int64_t>(bytes)) return std::nullopt;
  BoundedIndex index;
  index.bound = outermost_bound(w, *access.pointer, bytes, index.may_wrap);
  if (!index.bound) return std::nullopt;
  // Of numbers without a sign, what is exact for others wraps around in the middle.
  index.may_wrap |= !index.bound->isSigned();
  for (index.counting = index.bound; w.shape(index.counting).checked;) {
    auto* instruction = llvm::cast<llvm::Instruction>(index.counting);
    const auto* bound = llvm::dyn_cast<llvm::MinMaxIntrinsic>(instruction);
    const bool adds = instruction->getOpcode() == llvm::Instruction::Add &&
                      (index.bound->isSigned() ? instruction->hasNoSignedWrap() : instruction->hasNoUnsignedWrap());
    if (bound ? bound->isSigned() != index.bound->isSigned() : !adds) return std::nullopt;
    index.counting = varying_operand(w, *instruction);
    if (!index.counting) return std::nullopt;
  }
  const Shape counting = w.shape(index.counting);
  if (!counting.is_affine() || counting.stride != 1) return std::nullopt;
  return index;
}

class BoundedWindow {
 public:
  BoundedWindow(Widening& w, const Access& access, const BoundedIndex& index) : w_(w), builder_(w.builder), access_(access), index_(index) {}

  /// Lanes that share a register of words.
  static unsigned sharing_lanes(const Widening& w, const Access& access) { return w.traits.register_bits / std::max(32u, access.bits); }

  /// Whether all lanes run, and nothing wraps around; null if that is known.
  Value* holds() {
    Value* all = w_.mask ? w_.reduce(w_.mask.lanes(), false) : nullptr;
    const auto require = [&](Value* condition) { all = all ? builder_.CreateAnd(all, condition) : condition; };
    const bool is_signed = index_.bound->isSigned();
    const Shape counting = w_.shape(index_.counting);
    for (unsigned lane = 0; lane < w_.lanes; lane += lanes_) {
      const unsigned last = lane + lanes_ - 1;
      if (is_signed ? !counting.no_signed_wrap : !counting.no_unsigned_wrap)
        require(builder_.CreateICmp(is_signed ? llvm::CmpInst::ICMP_SLE : llvm::CmpInst::ICMP_ULE, w_.values.scalar_at(index_.counting, lane),
                                    w_.values.scalar_at(index_.counting, last)));
      if (!index_.may_wrap) continue;
      Value* distance = builder_.CreateSub(address(last), address(lane));
      Value* steps = builder_.CreateZExtOrTrunc(span(lane), builder_.getInt64Ty());
      require(builder_.CreateICmpEQ(distance, builder_.CreateMul(steps, builder_.getInt64(access_.bits / 8))));
    }
    return all;
  }

  Value* load() {
    llvm::SmallVector<Value*, 4> registers;
    for (unsigned lane = 0; lane < w_.lanes; lane += lanes_) registers.push_back(load_register(lane));
    Value* all = registers.size() == 1 ? registers.front() : llvm::concatenateVectors(builder_, registers);
    return builder_.CreateBitCast(all, access_.type->isVectorTy() ? w_.packed_type(access_.type) : w_.wide(access_.type));
  }

 private:
  Value* address(unsigned lane) { return builder_.CreatePtrToInt(w_.values.exact_at(access_.pointer, lane), builder_.getInt64Ty()); }

  /// Elements from the place of the register's first lane, `lane`, to that of its last.
  Value* span(unsigned lane) {
    return builder_.CreateSub(w_.values.exact_at(index_.bound, lane + lanes_ - 1), w_.values.exact_at(index_.bound, lane));
  }

  Value* load_register(unsigned lane) {
    // Registers of 256 bits permute words alone, of which an element may have two.
    const bool is_long = access_.bits == 64 && w_.traits.register_bits == 512;
    const unsigned word_bits = is_long ? 64 : 32, words_each = std::max(1u, access_.bits / word_bits);
    llvm::Type* index_type = index_.bound->getType();
    llvm::SmallVector<int, 16> own;
    llvm::SmallVector<llvm::Constant*, 16> numbers, parts;
    auto* words = llvm::FixedVectorType::get(builder_.getIntNTy(word_bits), lanes_ * words_each);
    for (unsigned i = 0; i < lanes_ * words_each; ++i) {
      own.push_back(static_cast<int>(lane + i / words_each));
      numbers.push_back(llvm::ConstantInt::get(index_type, i / words_each));
      parts.push_back(llvm::ConstantInt::get(words->getElementType(), i % words_each));
    }
    const auto all = [&](Value* value) { return builder_.CreateVectorSplat(lanes_ * words_each, value); };
    Value* live = builder_.CreateICmpULE(llvm::ConstantVector::get(numbers), all(span(lane)));
    auto* type = llvm::FixedVectorType::get(builder_.getIntNTy(std::min(access_.bits, word_bits)), lanes_ * words_each);
    Value* window = load_some(w_, access_, type, w_.values.exact_at(access_.pointer, lane), live, true);
    window = builder_.CreateZExt(window, words);
    Value* places = builder_.CreateSub(builder_.CreateShuffleVector(w_.values.vector1(index_.bound), own), all(w_.values.exact_at(index_.bound, lane)));
    places = builder_.CreateZExtOrTrunc(places, words);
    if (words_each > 1) places = builder_.CreateOr(builder_.CreateShl(places, llvm::Log2_32(words_each)), llvm::ConstantVector::get(parts));
    llvm::Intrinsic::ID permute = llvm::Intrinsic::x86_avx2_permd;
    if (is_long) permute = llvm::Intrinsic::x86_avx512_permvar_di_512;
    else if (w_.traits.register_bits == 512) permute = llvm::Intrinsic::x86_avx512_permvar_si_512;
    return builder_.CreateTrunc(builder_.CreateIntrinsic(permute, {}, {window, places}), type);
  }

  Widening& w_;
  llvm::IRBuilder<>& builder_;
  const Access& access_;
  const BoundedIndex index_;
  const unsigned lanes_ = sharing_lanes(w_, access_);
};

}  // namespace

std::optional<AccessPlan> plan_bounded_window(Widening& w, const Access& access) {
  const bool fits = std::has_single_bit(access.bits) && access.bits >= 8 && access.bits <= 64;
  if (!access.is_load() || !access.is_seldom || access.is_volatile || !fits || w.traits.register_bits < 256 ||
      access.type->getScalarType()->isPointerTy() || access.align.value() * 8 < access.bits)
    return std::nullopt;
  const auto index = bounded_index(w, access);
  if (!index || w.shape(access.pointer).segment % BoundedWindow::sharing_lanes(w, access) != 0) return std::nullopt;
  std::optional<AccessPlan> other = plan_access_after(w, access, passes::Pass::kBoundedWindow);
  if (!other) return std::nullopt;
  AccessPlan plan{.cost = 2 * registers_of(w, access), .emit = {}, .fall_back = {}};
  plan.emit = [&w, &access, index, other = std::move(other->emit)]() mutable {
    BoundedWindow window(w, access, *index);
    Value* holds = window.holds();
    if (!holds) return Parts{window.load()};
    constexpr TwoWays kWays{.usual = "bounded", .other = "apart", .join = "taken"};
    return emit_two_ways(w, holds, kWays, [&] { return Parts{window.load()}; }, [&] {
      Parts parts = other();
      if (access.type->isVectorTy() && parts.size() != 1) parts = {interleave(w, parts)};
      return parts;
    });
  };
  return plan;
}

}  // namespace weft::compiler::simt
