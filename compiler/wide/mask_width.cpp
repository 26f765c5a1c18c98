#include "compiler/wide/mask_width.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/EquivalenceClasses.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include <algorithm>

namespace weft::compiler::wide {
namespace {

using llvm::Value;

constexpr unsigned kNarrowest = 8, kUsual = 32;
/// From a mask to what it is combined of.
constexpr unsigned kMostSteps = 4;

/// Whether `mask` is made of the lanes of one other: some of them, or each several times, as for the components of vectors.
bool is_of_lanes(const Value& mask) {
  const auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&mask);
  if (!shuffle || !llvm::isa<llvm::Instruction>(shuffle->getOperand(0)) || llvm::getSplatValue(shuffle)) return false;
  const int lanes = static_cast<int>(llvm::cast<llvm::FixedVectorType>(shuffle->getOperand(0)->getType())->getNumElements());
  return llvm::all_of(shuffle->getShuffleMask(), [&](int from) { return from >= 0 && from < lanes; });
}

/// What a mask is combined with, of which it becomes a part.
llvm::SmallVector<Value*, 4> parts_of(Value& mask) {
  if (is_of_lanes(mask)) return {llvm::cast<llvm::ShuffleVectorInst>(mask).getOperand(0)};
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&mask)) return llvm::SmallVector<Value*, 4>(phi->incoming_values());
  if (auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&mask)) return {binary->getOperand(0), binary->getOperand(1)};
  auto* select = llvm::dyn_cast<llvm::SelectInst>(&mask);
  if (!select) return {};
  llvm::SmallVector<Value*, 4> parts = {select->getTrueValue(), select->getFalseValue()};
  if (select->getCondition()->getType()->isVectorTy()) parts.push_back(select->getCondition());
  return parts;
}

/// Bits of the elements that `user` selects, loads or stores by `mask`, or that it makes of it; 0: it does something else.
unsigned bits_by(const llvm::User& user, const Value& mask) {
  if (llvm::isa<llvm::SExtInst>(user)) return user.getType()->getScalarSizeInBits();
  if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(&user))
    return select->getCondition() == &mask && select->getTrueValue() != &mask && select->getFalseValue() != &mask
               ? select->getType()->getScalarSizeInBits()
               : 0;
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&user);
  switch (call ? call->getIntrinsicID() : llvm::Intrinsic::not_intrinsic) {
    case llvm::Intrinsic::masked_load:
    case llvm::Intrinsic::masked_gather: return call->getType()->getScalarSizeInBits();
    case llvm::Intrinsic::masked_store: return call->getArgOperand(0)->getType()->getScalarSizeInBits();
    default: return 0;
  }
}

/// Bits of the elements that `mask` was compared of and that it selects; 0: of none.
unsigned bits_beside(const Value& mask) {
  unsigned bits = 0;
  if (const auto* compare = llvm::dyn_cast<llvm::CmpInst>(&mask)) {
    bits = compare->getOperand(0)->getType()->getScalarSizeInBits();
    if (bits == 0) bits = kUsual;  // pointers
  }
  for (const llvm::User* user : mask.users()) {
    const auto* select = llvm::dyn_cast<llvm::SelectInst>(user);
    if (llvm::isa<llvm::ZExtInst, llvm::SExtInst>(user) || (select && select->getCondition() == &mask))
      bits = std::max(bits, user->getType()->getScalarSizeInBits());
    else if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(user); call && call->getIntrinsicID() == llvm::Intrinsic::masked_store)
      bits = std::max(bits, call->getArgOperand(0)->getType()->getScalarSizeInBits());
    else if (call && !call->getType()->isVoidTy())  // of a load
      bits = std::max(bits, call->getType()->getScalarSizeInBits());
  }
  return bits == 1 ? 0 : bits;
}

class MaskWidener {
 public:
  MaskWidener(llvm::Function& function, unsigned register_bits)
      : function_(function), builder_(function.getContext()), register_bits_(register_bits) {}

  void run() {
    for (llvm::Instruction& instruction : llvm::instructions(function_)) {
      auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction);
      if (phi && is_mask(*phi)) phis_.push_back(phi);
      if (!phi && is_carried(instruction)) carried_.push_back(&instruction);
    }
    if (phis_.empty() && carried_.empty()) return;
    find_widths();
    for (llvm::PHINode* phi : phis_)
      wide_[phi] = llvm::PHINode::Create(wide_type(*phi), phi->getNumIncomingValues(), phi->getName(),
                                         phi->getIterator());
    for (llvm::PHINode* phi : phis_)
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
        llvm::cast<llvm::PHINode>(wide_[phi])
            ->addIncoming(wide(phi->getIncomingValue(i), *phi), phi->getIncomingBlock(i));
    for (llvm::Instruction* mask : carried_) wide(mask, *mask);
    const auto made = wide_;
    for (const auto& [mask, value] : made) replace_uses(*mask, *value);
    for (llvm::PHINode* phi : phis_) {
      builder_.SetInsertPoint(phi->getParent(), phi->getParent()->getFirstInsertionPt());
      if (!phi->use_empty()) phi->replaceAllUsesWith(sign_of(wide_[phi]));
      phi->eraseFromParent();
    }
    for (llvm::Instruction* dead : dead_) llvm::RecursivelyDeleteTriviallyDeadInstructions(dead);
  }

 private:
  static bool is_mask(const Value& value) {
    auto* type = llvm::dyn_cast<llvm::FixedVectorType>(value.getType());
    return type && type->getElementType()->isIntegerTy(1) && type->getNumElements() % 32 == 0;
  }

  /// Whether a mask selects or accesses words in another block than its own, or than that of a part of it.
  static bool is_carried(llvm::Instruction& mask) {
    auto* type = llvm::dyn_cast<llvm::FixedVectorType>(mask.getType());
    return type && type->getElementType()->isIntegerTy(1) && type->getNumElements() % 8 == 0 &&
           llvm::any_of(mask.users(), [&](const llvm::User* user) {
             return bits_by(*user, mask) >= kUsual && comes_from_outside(mask, *llvm::cast<llvm::Instruction>(user)->getParent(), kMostSteps);
           });
  }

  static bool comes_from_outside(Value& mask, const llvm::BasicBlock& block, unsigned steps) {
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(&mask);
    if (!instruction || llvm::getSplatValue(instruction)) return false;
    if (instruction->getParent() != &block) return true;
    return steps != 0 && !llvm::isa<llvm::PHINode>(instruction) &&
           llvm::any_of(parts_of(mask), [&](Value* part) { return comes_from_outside(*part, block, steps - 1); });
  }

  /// Masks that are combined have one width: that of the widest elements that any of them is of, up to 32 bits.
  void find_widths() {
    llvm::SetVector<Value*> masks(phis_.begin(), phis_.end());
    masks.insert(carried_.begin(), carried_.end());
    for (std::size_t i = 0; i < masks.size(); ++i) {
      Value* mask = masks[i];
      classes_.insert(mask);
      for (Value* part : parts_of(*mask)) {
        if (llvm::isa<llvm::Constant>(part)) continue;
        classes_.unionSets(mask, part);
        masks.insert(part);
      }
    }
    for (Value* mask : masks) {
      unsigned& bits = bits_[classes_.getLeaderValue(mask)];
      bits = std::max(bits, bits_beside(*mask));
    }
  }

  llvm::FixedVectorType* wide_type(Value& mask) {
    const unsigned known = bits_.lookup(classes_.getLeaderValue(&mask));
    const unsigned bits = known == 0 ? kUsual : std::clamp(known, kNarrowest, kUsual);
    return llvm::FixedVectorType::get(builder_.getIntNTy(bits), llvm::cast<llvm::FixedVectorType>(mask.getType())->getNumElements());
  }

  Value* sign_of(Value* value) {
    return builder_.CreateICmpSLT(value, llvm::Constant::getNullValue(value->getType()));
  }

  /// The wide form of `mask`, a part of `whole`, made right behind its definition.
  Value* wide(Value* mask, Value& whole) {
    if (const auto found = wide_.find(mask); found != wide_.end()) return found->second;
    if (auto* constant = llvm::dyn_cast<llvm::Constant>(mask)) {
      builder_.SetInsertPoint(&*function_.getEntryBlock().getFirstInsertionPt());
      return builder_.CreateSExt(constant, wide_type(whole));
    }
    auto* instruction = llvm::cast<llvm::Instruction>(mask);
    Value* a = nullptr;
    Value* b = nullptr;
    Value* condition = nullptr;
    Value* result = nullptr;
    auto here = [&] { builder_.SetInsertPoint(*instruction->getInsertionPointAfterDef()); };
    using namespace llvm::PatternMatch;
    if (auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(instruction)) {
      a = wide(binary->getOperand(0), *mask);
      b = wide(binary->getOperand(1), *mask);
      here();
      result = builder_.CreateBinOp(binary->getOpcode(), a, b);
    } else if (auto* select = llvm::dyn_cast<llvm::SelectInst>(instruction)) {
      condition = select->getCondition();
      a = wide(select->getTrueValue(), *mask);
      b = wide(select->getFalseValue(), *mask);
      if (condition->getType()->isVectorTy()) {
        condition = wide(condition, *mask);
        here();
        // Freeze the values first: a lane that is not live must not let poison through.
        result = builder_.CreateAnd(condition, builder_.CreateFreeze(a));
        if (!match(b, m_Zero()))
          result = builder_.CreateOr(
              result, builder_.CreateAnd(builder_.CreateNot(condition), builder_.CreateFreeze(b)));
      } else {
        here();
        result = builder_.CreateSelect(condition, a, b);
      }
    } else if (is_of_lanes(*mask)) {
      auto& shuffle = llvm::cast<llvm::ShuffleVectorInst>(*instruction);
      a = wide(shuffle.getOperand(0), *mask);
      here();
      result = builder_.CreateShuffleVector(a, shuffle.getShuffleMask());
    } else if (Value* one = llvm::getSplatValue(mask)) {
      here();
      auto* type = wide_type(*mask);
      result = builder_.CreateVectorSplat(type->getElementCount(), builder_.CreateSExt(one, type->getElementType()));
    } else {
      here();
      result = builder_.CreateSExt(instruction, wide_type(*mask));
    }
    return wide_[mask] = result;
  }

  void replace_uses(Value& mask, Value& wide) {
    for (llvm::User* user : llvm::make_early_inc_range(mask.users())) {
      auto* instruction = llvm::dyn_cast<llvm::Instruction>(user);
      if (!instruction || instruction == &wide) continue;
      const unsigned bits = bits_by(*instruction, mask), has = wide.getType()->getScalarSizeInBits();
      if (llvm::isa<llvm::SExtInst>(instruction) && (bits == has || (bits > kUsual && has == kUsual))) {
        builder_.SetInsertPoint(instruction);
        instruction->replaceAllUsesWith(builder_.CreateSExt(&wide, instruction->getType()));
        instruction->eraseFromParent();
      } else if (bits != 0 && (bits == has || (bits > kUsual && has == kUsual))) {
        // Beside what it selects, where the comparison costs nothing.
        builder_.SetInsertPoint(instruction);
        instruction->replaceUsesOfWith(&mask, sign_of(&wide));
      } else if (llvm::isa<llvm::BitCastInst>(instruction) && instruction->hasOneUse()) {
        auto* test = llvm::dyn_cast<llvm::ICmpInst>(instruction->user_back());
        using namespace llvm::PatternMatch;
        if (test && test->isEquality() && match(test->getOperand(1), m_Zero())) {
          builder_.SetInsertPoint(test);
          Value* any = any_lane(&wide);
          test->replaceAllUsesWith(builder_.CreateICmp(test->getPredicate(), any, builder_.getInt32(0)));
          dead_.push_back(test);
        }
      }
    }
  }

  /// Not zero if any lane is set: takes the signs of all registers or-ed together.
  Value* any_lane(Value* wide) {
    Value* all = nullptr;
    const unsigned lanes = llvm::cast<llvm::FixedVectorType>(wide->getType())->getNumElements();
    const unsigned bits = wide->getType()->getScalarSizeInBits(), count = register_bits_ / bits;
    for (unsigned first = 0; first < lanes; first += count) {
      llvm::SmallVector<int, 32> mask;
      for (unsigned i = 0; i < count; ++i) mask.push_back(static_cast<int>(first + i));
      Value* part = builder_.CreateShuffleVector(wide, mask);
      all = all ? builder_.CreateOr(all, part) : part;
    }
    const bool whole = register_bits_ == 256, words = bits == 32;
    llvm::Type* element = words ? builder_.getFloatTy() : builder_.getInt8Ty();
    auto* type = llvm::FixedVectorType::get(element, register_bits_ / (words ? 32 : 8));
    const auto id = words ? (whole ? llvm::Intrinsic::x86_avx_movmsk_ps_256 : llvm::Intrinsic::x86_sse_movmsk_ps)
                          : (whole ? llvm::Intrinsic::x86_avx2_pmovmskb : llvm::Intrinsic::x86_sse2_pmovmskb_128);
    Value* signs = builder_.CreateIntrinsic(builder_.getInt32Ty(), id, {builder_.CreateBitCast(all, type)});
    // Of 16 bits the upper byte has the sign.
    return bits == 16 ? builder_.CreateAnd(signs, 0xaaaaaaaa) : signs;
  }

  llvm::Function& function_;
  llvm::IRBuilder<> builder_;
  const unsigned register_bits_;
  llvm::EquivalenceClasses<Value*> classes_;  ///< masks that are combined
  llvm::DenseMap<Value*, unsigned> bits_;     ///< by a class's leader
  llvm::SmallVector<llvm::PHINode*, 8> phis_;
  llvm::SmallVector<llvm::Instruction*, 8> carried_;  ///< what no phi is, made in one block and used in another
  llvm::DenseMap<Value*, Value*> wide_;
  llvm::SmallVector<llvm::Instruction*, 8> dead_;
};

}  // namespace

void widen_masks(llvm::Function& function, unsigned register_bits) { MaskWidener(function, register_bits).run(); }

}  // namespace weft::compiler::wide
