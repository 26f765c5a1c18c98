#include "compiler/simt/item/narrow_extremes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

namespace weft::compiler::simt {
namespace {

namespace Intrinsic = llvm::Intrinsic;
using llvm::Value;

/// Numbers with zeros above some of their bits, as far as LLVM computes them in these once it is told that they have no sign.
class Extended {
 public:
  /// The unsigned form of `extreme`, which is the same number; not_intrinsic if there is none that would be narrowed.
  Intrinsic::ID unsigned_form(const llvm::MinMaxIntrinsic& extreme) {
    const Value &left = *extreme.getLHS(), &right = *extreme.getRHS();
    const unsigned bits = bits_of(left);
    const llvm::APInt* number = nullptr;
    const bool is_number = llvm::PatternMatch::match(&right, llvm::PatternMatch::m_APInt(number));
    const bool fits = is_number ? number->isIntN(bits) && left.hasOneUse() : bits_of(right) == bits && (left.hasOneUse() || right.hasOneUse());
    if (bits <= 1 || !fits) return Intrinsic::not_intrinsic;
    bits_[&extreme] = bits;
    switch (extreme.getIntrinsicID()) {
      case Intrinsic::smin: return Intrinsic::umin;
      case Intrinsic::smax: return Intrinsic::umax;
      default: return Intrinsic::not_intrinsic;
    }
  }

 private:
  /// 0: not known to be one.
  unsigned bits_of(const Value& value) const {
    if (const auto* extension = llvm::dyn_cast<llvm::ZExtInst>(&value)) return extension->getSrcTy()->getScalarSizeInBits();
    return bits_.lookup(&value);
  }
  llvm::DenseMap<const Value*, unsigned> bits_;  ///< of extremes
};

}  // namespace

llvm::PreservedAnalyses NarrowExtremesPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  Extended extended;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* extreme = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&instruction);
    const Intrinsic::ID form = extreme ? extended.unsigned_form(*extreme) : Intrinsic::not_intrinsic;
    if (form == Intrinsic::not_intrinsic) continue;
    extreme->setCalledFunction(Intrinsic::getDeclaration(function.getParent(), form, extreme->getType()));
    changed = true;
  }
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

}  // namespace weft::compiler::simt
