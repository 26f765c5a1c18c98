#include "compiler/wide/mask_width.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

namespace weft::compiler::wide {
namespace {

using llvm::Value;

class MaskWidener {
 public:
  explicit MaskWidener(llvm::Function& function) : function_(function), builder_(function.getContext()) {}

  void run() {
    for (llvm::Instruction& instruction : llvm::instructions(function_))
      if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction); phi && is_mask(*phi)) phis_.push_back(phi);
    if (phis_.empty()) return;
    for (llvm::PHINode* phi : phis_)
      wide_[phi] = llvm::PHINode::Create(wide_type(*phi), phi->getNumIncomingValues(), phi->getName(),
                                         phi->getIterator());
    for (llvm::PHINode* phi : phis_)
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
        llvm::cast<llvm::PHINode>(wide_[phi])
            ->addIncoming(wide(phi->getIncomingValue(i)), phi->getIncomingBlock(i));
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

  llvm::FixedVectorType* wide_type(const Value& mask) {
    return llvm::FixedVectorType::get(builder_.getInt32Ty(),
                                      llvm::cast<llvm::FixedVectorType>(mask.getType())->getNumElements());
  }

  Value* sign_of(Value* value) {
    return builder_.CreateICmpSLT(value, llvm::Constant::getNullValue(value->getType()));
  }

  /// The wide form of `mask`, made right behind its definition.
  Value* wide(Value* mask) {
    if (const auto found = wide_.find(mask); found != wide_.end()) return found->second;
    if (auto* constant = llvm::dyn_cast<llvm::Constant>(mask)) {
      builder_.SetInsertPoint(&*function_.getEntryBlock().getFirstInsertionPt());
      return builder_.CreateSExt(constant, wide_type(*mask));
    }
    auto* instruction = llvm::cast<llvm::Instruction>(mask);
    Value* a = nullptr;
    Value* b = nullptr;
    Value* condition = nullptr;
    Value* result = nullptr;
    auto here = [&] { builder_.SetInsertPoint(*instruction->getInsertionPointAfterDef()); };
    using namespace llvm::PatternMatch;
    if (auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(instruction)) {
      a = wide(binary->getOperand(0));
      b = wide(binary->getOperand(1));
      here();
      result = builder_.CreateBinOp(binary->getOpcode(), a, b);
    } else if (auto* select = llvm::dyn_cast<llvm::SelectInst>(instruction)) {
      condition = select->getCondition();
      a = wide(select->getTrueValue());
      b = wide(select->getFalseValue());
      if (condition->getType()->isVectorTy()) {
        condition = wide(condition);
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
    } else {
      here();
      result = builder_.CreateSExt(instruction, wide_type(*mask));
    }
    return wide_[mask] = result;
  }

  void replace_uses(Value& mask, Value& wide) {
    for (llvm::User* user : llvm::make_early_inc_range(mask.users())) {
      auto* instruction = llvm::dyn_cast<llvm::Instruction>(user);
      if (!instruction) continue;
      if (auto* select = llvm::dyn_cast<llvm::SelectInst>(instruction);
          select && select->getCondition() == &mask && select->getType()->getScalarSizeInBits() == 32) {
        builder_.SetInsertPoint(select);
        select->setCondition(sign_of(&wide));
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
    for (unsigned first = 0; first < lanes; first += 8) {
      llvm::SmallVector<int, 8> mask;
      for (unsigned i = 0; i < 8; ++i) mask.push_back(static_cast<int>(first + i));
      Value* part = builder_.CreateShuffleVector(wide, mask);
      all = all ? builder_.CreateOr(all, part) : part;
    }
    auto* floats = llvm::FixedVectorType::get(builder_.getFloatTy(), 8);
    return builder_.CreateIntrinsic(builder_.getInt32Ty(), llvm::Intrinsic::x86_avx_movmsk_ps_256,
                                    {builder_.CreateBitCast(all, floats)});
  }

  llvm::Function& function_;
  llvm::IRBuilder<> builder_;
  llvm::SmallVector<llvm::PHINode*, 8> phis_;
  llvm::DenseMap<Value*, Value*> wide_;
  llvm::SmallVector<llvm::Instruction*, 8> dead_;
};

}  // namespace

void widen_masks(llvm::Function& function) { MaskWidener(function).run(); }

}  // namespace weft::compiler::wide
