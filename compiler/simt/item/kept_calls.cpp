#include "compiler/simt/item/kept_calls.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/simt/ir/address_spaces.h"
#include "compiler/simt/ir/primitives.h"

namespace weft::compiler::simt {
namespace {

constexpr llvm::StringLiteral kKeptAttribute = "weft-kept-call";
constexpr llvm::StringLiteral kKeeperAttribute = "weft-keeps-calls";

/// Functions that are shorter than this part of a large kernel cost more as a call of each lane than they save.
constexpr unsigned kSmallPart = 128;

bool is_private(const llvm::Value& pointer) { return pointer.getType()->getPointerAddressSpace() == kPrivateSpace; }

/// Whether a lane's loop can hand the type over.
bool is_plain(const llvm::Type& type) { return type.isVoidTy() || (type.isSingleValueType() && !type.isTokenTy()); }

/// What is known of a function and all that it calls.
struct Reach {
  std::uint64_t instructions = 0;  ///< once inlined
  bool is_own = true;              ///< a lane that runs it meets no other
};

class Reaches {
 public:
  const Reach& operator[](const llvm::Function& function) {
    if (const auto found = known_.find(&function); found != known_.end()) return found->second;
    const Reach reach = compute(function);
    return known_[&function] = reach;
  }

 private:
  Reach compute(const llvm::Function& function) {
    Reach reach;
    reach.is_own = !function.isVarArg() && is_plain(*function.getReturnType()) &&
                   llvm::all_of(function.args(), [](const llvm::Argument& argument) { return is_plain(*argument.getType()); }) &&
                   !function.getName().starts_with(primitive::kImageFunction);
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      ++reach.instructions;
      reach.is_own = reach.is_own && is_own(instruction);
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
      if (!callee || callee->isDeclaration()) continue;
      const Reach inner = (*this)[*callee];
      reach.instructions = llvm::SaturatingAdd(reach.instructions, inner.instructions);
      reach.is_own &= inner.is_own;
    }
    return reach;
  }

  /// Whether one lane's `instruction` alone says nothing to others and asks nothing of them. Of a call: but for what it calls.
  static bool is_own(const llvm::Instruction& instruction) {
    for (const llvm::Value* operand : instruction.operands()) {
      if (operand->getType()->isPointerTy() && llvm::isa<llvm::Constant>(operand)) {
        const unsigned space = operand->getType()->getPointerAddressSpace();
        // A variable of the group's or of the program's.
        if (space == kLocalSpace || space == kGenericSpace || (space == kGlobalSpace && !llvm::isa<llvm::ConstantPointerNull>(operand)))
          return false;
      }
    }
    if (instruction.isAtomic() || instruction.isVolatile()) return false;
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return is_private(*store->getPointerOperand());
    if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) return variable->isStaticAlloca();
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (!call) return !llvm::isa<llvm::FenceInst, llvm::IndirectBrInst, llvm::InvokeInst>(instruction);
    const llvm::Function* callee = call->getCalledFunction();
    if (!callee || call->isInlineAsm()) return false;
    if (!callee->isDeclaration()) return true;
    if (const auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(call)) return is_private(*memory->getRawDest());
    return callee->isIntrinsic();
  }

  llvm::DenseMap<const llvm::Function*, Reach> known_;
};

void mark(llvm::Function& function, unsigned shortest, Reaches& reaches, llvm::SmallPtrSetImpl<const llvm::Function*>& seen) {
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || callee->isDeclaration() || !seen.insert(callee).second) continue;
    if (const Reach reach = reaches[*callee]; reach.is_own && reach.instructions >= shortest) callee->addFnAttr(kKeptAttribute);
    mark(*callee, shortest, reaches, seen);
  }
}

}  // namespace

void keep_calls_of_large_kernels(llvm::Module& module, unsigned most) {
  Reaches reaches;
  llvm::SmallPtrSet<const llvm::Function*, 32> seen;
  for (llvm::Function& function : module)
    if (is_kernel(function) && reaches[function].instructions > most) {
      function.addFnAttr(kKeeperAttribute);
      mark(function, most / kSmallPart, reaches, seen);
    }
}

bool is_kept_call(const llvm::Function& function) { return function.hasFnAttribute(kKeptAttribute); }

bool keeps_calls(const llvm::Function& kernel) { return kernel.hasFnAttribute(kKeeperAttribute); }

void inline_kept_calls(llvm::Function& kernel) {
  llvm::SmallVector<llvm::CallBase*, 16> calls;
  const auto collect = [&] {
    for (llvm::Instruction& instruction : llvm::instructions(kernel))
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        if (const llvm::Function* callee = call->getCalledFunction(); callee && !callee->isDeclaration() && is_kept_call(*callee))
          calls.push_back(call);
  };
  for (collect(); !calls.empty(); collect())
    while (!calls.empty()) {
      llvm::InlineFunctionInfo info;
      llvm::InlineFunction(*calls.pop_back_val(), info);
    }
}

}  // namespace weft::compiler::simt
