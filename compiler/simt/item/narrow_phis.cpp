#include "compiler/simt/item/narrow_phis.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/InstSimplifyFolder.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

namespace weft::compiler::simt {
namespace {

using llvm::Value;
using namespace llvm::PatternMatch;

constexpr unsigned kBits = 32;
/// The most operations through which a sum is rewritten.
constexpr unsigned kMaxDepth = 4;

bool takes_low_bits(const llvm::User& user) {
  const llvm::APInt* mask = nullptr;
  if (llvm::isa<llvm::TruncInst>(user)) return user.getType()->getIntegerBitWidth() <= kBits;
  if (match(&user, m_And(m_Value(), m_APInt(mask)))) return mask->isIntN(kBits);
  return match(&user, m_Shl(m_Value(), m_SpecificInt(kBits)));
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
    for (llvm::User* user : llvm::SmallVector<llvm::User*, 8>(wide_.users())) replace_user(*llvm::cast<llvm::Instruction>(user));
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

  void replace_user(llvm::Instruction& user) {
    builder_.SetInsertPoint(&user);
    if (llvm::isa<llvm::TruncInst>(user)) return replace_with(user, builder_.CreateTrunc(narrow_, user.getType()));
    if (user.getOpcode() == llvm::Instruction::And) {
      Value* low = builder_.CreateAnd(narrow_, llvm::cast<llvm::ConstantInt>(user.getOperand(1))->getValue().trunc(kBits));
      return replace_with(user, builder_.CreateZExt(low, wide_.getType()));
    }
    for (llvm::User* shift : llvm::SmallVector<llvm::User*, 4>(user.users()))
      if (is_extended(shift)) replace_with(*llvm::cast<llvm::Instruction>(shift), builder_.CreateSExt(narrow_, wide_.getType()));
    if (!user.use_empty()) return replace_with(user, builder_.CreateShl(builder_.CreateSExt(narrow_, wide_.getType()), kBits));
    user.eraseFromParent();
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
