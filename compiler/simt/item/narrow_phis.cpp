#include "compiler/simt/item/narrow_phis.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/InstSimplifyFolder.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include <optional>

namespace weft::compiler::simt {
namespace {

using llvm::Value;
using namespace llvm::PatternMatch;

constexpr unsigned kBits = 32;
/// The most operations through which a sum is rewritten.
constexpr unsigned kMaxDepth = 4;

/// The `m` of a product with m * 2^32, which only the lower bits of the other factor matter to: `index * m` on its way to be
/// extended, as instcombine writes it.
std::optional<llvm::APInt> upper_multiplier(const Value& value) {
  const llvm::APInt* constant = nullptr;
  if (match(&value, m_Shl(m_Value(), m_APInt(constant))) && constant->uge(kBits) && constant->ult(2 * kBits))
    return llvm::APInt::getOneBitSet(kBits, static_cast<unsigned>(constant->getZExtValue()) - kBits);
  if (match(&value, m_Mul(m_Value(), m_APInt(constant))) && constant->countr_zero() >= kBits) return constant->extractBits(kBits, kBits);
  return std::nullopt;
}

/// Whether `value` is a sum or a product with a constant, whose lower bits are made of the lower bits of its first operand.
bool is_step(const llvm::User& value) {
  const llvm::APInt* constant = nullptr;
  return match(&value, m_CombineOr(m_AddLike(m_Value(), m_APInt(constant)), m_Mul(m_Value(), m_APInt(constant)))) ||
         (match(&value, m_Shl(m_Value(), m_APInt(constant))) && constant->ult(kBits));
}

bool takes_low_bits(const llvm::User& user, unsigned depth = 0) {
  const llvm::APInt* mask = nullptr;
  if (llvm::isa<llvm::TruncInst>(user)) return user.getType()->getIntegerBitWidth() <= kBits;
  if (match(&user, m_And(m_Value(), m_APInt(mask)))) return mask->isIntN(kBits);
  if (upper_multiplier(user)) return true;
  return depth < kMaxDepth && is_step(user) &&
         llvm::all_of(user.users(), [&](const llvm::User* next) { return takes_low_bits(*next, depth + 1); });
}

class Narrowing {
 public:
  explicit Narrowing(llvm::PHINode& phi)
      : wide_(phi), builder_(phi.getParent(), phi.getIterator(), llvm::InstSimplifyFolder(phi.getModule()->getDataLayout())),
        integer_(builder_.getIntNTy(kBits)), narrow_(builder_.CreatePHI(integer_, phi.getNumIncomingValues(), phi.getName())) {}

  void run() {
    llvm::DenseMap<llvm::BasicBlock*, Value*> narrowed;
    for (unsigned i = 0; i < wide_.getNumIncomingValues(); ++i) {
      llvm::BasicBlock* from = wide_.getIncomingBlock(i);
      Value*& value = narrowed[from];
      if (!value) value = low_bits(*wide_.getIncomingValue(i), *from->getTerminator(), 0);
      narrow_->addIncoming(value, from);
    }
    for (llvm::User* user : llvm::SmallVector<llvm::User*, 8>(wide_.users())) replace_user(*llvm::cast<llvm::Instruction>(user), narrow_);
    llvm::RecursivelyDeleteDeadPHINode(&wide_);
  }

 private:
  /// The lower bits of `value`: adds a sum up in 32 bits, truncates anything else before `user`.
  Value* low_bits(Value& value, llvm::Instruction& user, unsigned depth) {
    if (&value == &wide_ || is_extended(&value)) return narrow_;
    Value *left = nullptr, *right = nullptr;
    if (match(&value, m_CombineOr(m_SExt(m_Value(left)), m_ZExt(m_Value(left)))) && left->getType() == integer_) return left;
    auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(&value);
    if (depth < kMaxDepth && sum && match(sum, m_CombineOr(m_Add(m_Value(left), m_Value(right)), m_Sub(m_Value(left), m_Value(right))))) {
      Value* low_left = low_bits(*left, *sum, depth + 1);
      Value* low_right = low_bits(*right, *sum, depth + 1);
      builder_.SetInsertPoint(sum);
      Value* low = builder_.CreateBinOp(sum->getOpcode(), low_left, low_right);
      for (llvm::User* trunc : llvm::SmallVector<llvm::User*, 4>(sum->users()))
        if (llvm::isa<llvm::TruncInst>(trunc) && trunc->getType() == integer_) replace_with(*llvm::cast<llvm::Instruction>(trunc), low);
      return low;
    }
    builder_.SetInsertPoint(&user);
    return builder_.CreateTrunc(&value, integer_);
  }

  /// The phi's lower bits, extended.
  bool is_extended(Value* value) const {
    return match(value, m_AShr(m_Shl(m_Specific(&wide_), m_SpecificInt(kBits)), m_SpecificInt(kBits))) ||
           match(value, m_And(m_Specific(&wide_), m_SpecificInt(UINT32_MAX)));
  }

  /// Replaces `user`, which takes only the lower bits of a value: `low`.
  void replace_user(llvm::Instruction& user, Value* low) {
    builder_.SetInsertPoint(&user);
    if (llvm::isa<llvm::TruncInst>(user)) return replace_with(user, builder_.CreateTrunc(low, user.getType()));
    if (std::optional<llvm::APInt> multiplier = upper_multiplier(user))
      return replace_upper(user, builder_.CreateMul(low, builder_.getInt(*multiplier)));
    Value* constant = builder_.getInt(llvm::cast<llvm::ConstantInt>(user.getOperand(1))->getValue().trunc(kBits));
    Value* made = builder_.CreateBinOp(llvm::cast<llvm::BinaryOperator>(user).getOpcode(), low, constant);
    if (user.getOpcode() == llvm::Instruction::And) return replace_with(user, builder_.CreateZExt(made, wide_.getType()));
    for (llvm::User* next : llvm::SmallVector<llvm::User*, 4>(user.users())) replace_user(*llvm::cast<llvm::Instruction>(next), made);
    user.eraseFromParent();
  }

  /// Replaces `upper`, which is `half` * 2^32, and what is made of it.
  void replace_upper(llvm::Instruction& upper, Value* half) {
    for (llvm::User* each : llvm::SmallVector<llvm::User*, 4>(upper.users())) {
      auto& user = *llvm::cast<llvm::Instruction>(each);
      builder_.SetInsertPoint(&user);
      const llvm::APInt* constant = nullptr;
      if (match(&user, m_AShr(m_Specific(&upper), m_APInt(constant))) && constant->ule(kBits))
        replace_with(user,
                     builder_.CreateShl(builder_.CreateSExt(half, wide_.getType()), kBits - constant->getZExtValue(), "", false, true));
      else if (match(&user, m_AddLike(m_Specific(&upper), m_APInt(constant))) && constant->countr_zero() >= kBits)
        replace_upper(user, builder_.CreateAdd(half, builder_.getInt(constant->extractBits(kBits, kBits))));
    }
    if (upper.use_empty()) {
      upper.eraseFromParent();
      return;
    }
    builder_.SetInsertPoint(&upper);
    replace_with(upper, builder_.CreateShl(builder_.CreateSExt(half, wide_.getType()), kBits));
  }

  static void replace_with(llvm::Instruction& old, Value* value) {
    if (auto* made = llvm::dyn_cast<llvm::Instruction>(value); made && !made->hasName()) made->takeName(&old);
    old.replaceAllUsesWith(value);
    old.eraseFromParent();
  }

  llvm::PHINode& wide_;
  llvm::IRBuilder<llvm::InstSimplifyFolder> builder_;
  llvm::IntegerType* integer_;
  llvm::PHINode* narrow_;
};

}  // namespace

void narrow_phis(llvm::Function& function) {
  llvm::SmallVector<llvm::PHINode*, 8> phis;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction);
        phi && phi->getType()->isIntegerTy(64) && !phi->use_empty() &&
        llvm::all_of(phi->users(), [](const llvm::User* user) { return takes_low_bits(*user); }))
      phis.push_back(phi);
  for (llvm::PHINode* phi : phis) Narrowing(*phi).run();
}

}  // namespace weft::compiler::simt
