#include "compiler/simt/item/kept_calls.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
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
#include "compiler/simt/item/asked_values.h"

namespace weft::compiler::simt {
namespace {

constexpr llvm::StringLiteral kKeptAttribute = "weft-kept-call";
constexpr llvm::StringLiteral kKeeperAttribute = "weft-keeps-calls";
constexpr llvm::StringLiteral kSharedKeeperAttribute = "weft-keeps-shared-calls";

/// Functions that are shorter than this part of a large kernel cost more as a call of each lane than they save.
constexpr unsigned kSmallPart = 128;

/// So many times what a large kernel has at least, calls of functions that write private memory not counted: lanes of which functions
/// that write shared memory cannot be kept in step.
constexpr unsigned kTooLarge = 16;

bool is_private(const llvm::Value& pointer) { return pointer.getType()->getPointerAddressSpace() == kPrivateSpace; }

/// Whether a lane's loop can hand the type over.
bool is_plain(const llvm::Type& type) { return type.isVoidTy() || (type.isSingleValueType() && !type.isTokenTy()); }

/// What is known of a function and all that it calls.
struct Reach {
  std::uint64_t instructions = 0;  ///< once inlined
  bool is_alone = true;            ///< a lane that runs it waits for no other
  bool is_own = true;              ///< and meets no other in memory, and asks nothing of the work-item
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
    reach.is_alone = !function.isVarArg() && is_plain(*function.getReturnType()) &&
                     llvm::all_of(function.args(), [](const llvm::Argument& argument) { return is_plain(*argument.getType()); }) &&
                     !function.getName().starts_with(primitive::kImageFunction);
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      ++reach.instructions;
      reach.is_alone = reach.is_alone && is_alone(instruction);
      reach.is_own = reach.is_own && is_own(instruction);
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
      if (!callee || callee->isDeclaration()) continue;
      const Reach inner = (*this)[*callee];
      reach.instructions = llvm::SaturatingAdd(reach.instructions, inner.instructions);
      reach.is_alone &= inner.is_alone;
      reach.is_own &= inner.is_own;
    }
    reach.is_own &= reach.is_alone;
    return reach;
  }

  /// Whether one lane can run `instruction` while others are elsewhere. Of a call: but for what it calls.
  static bool is_alone(const llvm::Instruction& instruction) {
    for (const llvm::Value* operand : instruction.operands()) {
      if (operand->getType()->isPointerTy() && llvm::isa<llvm::Constant>(operand)) {
        const unsigned space = operand->getType()->getPointerAddressSpace();
        // A variable of the group's or of the program's.
        if (space == kLocalSpace || space == kGenericSpace || (space == kGlobalSpace && !llvm::isa<llvm::ConstantPointerNull>(operand)))
          return false;
      }
    }
    if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) return variable->isStaticAlloca();
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (!call) return !llvm::isa<llvm::IndirectBrInst>(instruction);
    const llvm::Function* callee = call->getCalledFunction();
    if (!callee || call->isInlineAsm() || llvm::isa<llvm::InvokeInst>(call)) return false;
    return !callee->isDeclaration() || callee->isIntrinsic() || is_arithmetic_primitive(*call) || is_asked_value(*callee);
  }

  /// Of one that is alone: whether it says nothing to other lanes, nor hears of them.
  static bool is_own(const llvm::Instruction& instruction) {
    if (instruction.isAtomic() || instruction.isVolatile()) return false;
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return is_private(*store->getPointerOperand());
    if (const auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) return is_private(*memory->getRawDest());
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      // Primitives are many lanes' at a time where they are inlined.
      const llvm::Function* callee = call->getCalledFunction();
      return callee && (!callee->isDeclaration() || callee->isIntrinsic());
    }
    return !llvm::isa<llvm::FenceInst>(instruction);
  }

  llvm::DenseMap<const llvm::Function*, Reach> known_;
};

using Functions = llvm::SmallPtrSetImpl<const llvm::Function*>;

/// Calls `work` for each function that `function` reaches and `seen` does not have.
void for_each_reached(const llvm::Function& function, Functions& seen, llvm::function_ref<void(llvm::Function&)> work) {
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || callee->isDeclaration() || !seen.insert(callee).second) continue;
    work(*callee);
    for_each_reached(*callee, seen, work);
  }
}

/// Instructions of a function once all but kept calls are inlined.
class Rests {
 public:
  std::uint64_t operator[](const llvm::Function& function) {
    if (const auto found = known_.find(&function); found != known_.end()) return found->second;
    std::uint64_t count = 0;
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      ++count;
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
      if (callee && !callee->isDeclaration() && !is_kept_call(*callee)) count = llvm::SaturatingAdd(count, (*this)[*callee]);
    }
    return known_[&function] = count;
  }

 private:
  llvm::DenseMap<const llvm::Function*, std::uint64_t> known_;
};

}  // namespace

void keep_calls_of_large_kernels(llvm::Module& module, unsigned most) {
  Reaches reaches;
  const unsigned shortest = most / kSmallPart;
  llvm::SmallVector<llvm::Function*, 8> keepers;
  for (llvm::Function& function : module)
    if (is_kernel(function) && reaches[function].instructions > most) keepers.push_back(&function);
  llvm::SmallPtrSet<const llvm::Function*, 32> seen, shared;
  for (llvm::Function* kernel : keepers) {
    kernel->addFnAttr(kKeeperAttribute);
    for_each_reached(*kernel, seen, [&](llvm::Function& function) {
      if (const Reach& reach = reaches[function]; reach.is_own && reach.instructions >= shortest) function.addFnAttr(kKeptAttribute);
    });
  }
  seen.clear();
  Rests rests;
  const llvm::SmallVector<llvm::Function*, 8> too_large(
      llvm::make_filter_range(keepers, [&](llvm::Function* kernel) { return rests[*kernel] > std::uint64_t{kTooLarge} * most; }));
  for (llvm::Function* kernel : too_large)
    for_each_reached(*kernel, seen, [&](llvm::Function& function) {
      const Reach& reach = reaches[function];
      if (!reach.is_alone || reach.instructions < shortest || is_kept_call(function)) return;
      function.addFnAttr(kKeptAttribute);
      shared.insert(&function);
    });
  // Other large kernels may call the same functions.
  for (llvm::Function* kernel : keepers) {
    bool reaches_shared = false;
    seen.clear();
    for_each_reached(*kernel, seen, [&](llvm::Function& function) { reaches_shared |= shared.contains(&function); });
    if (reaches_shared) kernel->addFnAttr(kSharedKeeperAttribute);
  }
}

bool is_kept_call(const llvm::Function& function) { return function.hasFnAttribute(kKeptAttribute); }

bool keeps_calls(const llvm::Function& kernel) { return kernel.hasFnAttribute(kKeeperAttribute); }

bool keeps_shared_calls(const llvm::Function& kernel) { return kernel.hasFnAttribute(kSharedKeeperAttribute); }

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
