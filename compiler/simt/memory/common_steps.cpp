#include "compiler/simt/memory/common_steps.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/Utils/Local.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "compiler/simt/analysis/shape.h"
#include "compiler/simt/analysis/uniformity.h"

namespace weft::compiler::simt {
namespace {

using llvm::Value;

/// Pointers of which each is another one of them, or `start`, and what all lanes add to it.
struct Steps {
  Value* start = nullptr;
  llvm::SetVector<llvm::Instruction*> pointers;
};

class SharedSteps {
 public:
  SharedSteps(const Shapes& shapes, const llvm::DominatorTree& dominators, const llvm::DataLayout& layout)
      : shapes_(shapes), dominators_(dominators), layout_(layout) {}

  bool share(llvm::Function& region) {
    llvm::SmallVector<llvm::WeakTrackingVH, 8> phis;
    for (llvm::Instruction& instruction : llvm::instructions(region))
      if (llvm::isa<llvm::PHINode>(instruction) && instruction.getType()->isPointerTy() && !shapes_[instruction].is_affine())
        phis.push_back(&instruction);
    bool changed = false;
    for (const llvm::WeakTrackingVH& handle : phis) {
      auto* phi = llvm::dyn_cast_or_null<llvm::PHINode>(static_cast<Value*>(handle));
      if (!phi) continue;
      Steps steps;
      if (!find(*phi, steps)) continue;
      rewrite(steps);
      changed = true;
    }
    return changed;
  }

 private:
  /// All that `phi` is made of; false if that is more than one start and steps.
  bool find(llvm::PHINode& phi, Steps& steps) const {
    steps.pointers.insert(&phi);
    bool adds = false;
    const auto is_of = [&](Value* value) {
      auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
      if (instruction && (llvm::isa<llvm::PHINode>(instruction) || is_step(*instruction))) {
        steps.pointers.insert(instruction);
        return true;
      }
      if (!steps.start) steps.start = value;
      return steps.start == value;
    };
    for (unsigned i = 0; i < steps.pointers.size(); ++i) {
      llvm::Instruction* pointer = steps.pointers[i];
      if (auto* merged = llvm::dyn_cast<llvm::PHINode>(pointer)) {
        if (!llvm::all_of(merged->incoming_values(), is_of)) return false;
      } else {
        adds = true;
        if (!is_of(pointer->getOperand(0))) return false;
      }
    }
    if (!adds || !steps.start || !is_apart(*steps.start)) return false;
    return llvm::all_of(steps.pointers, [&](const llvm::Instruction* pointer) { return dominators_.dominates(steps.start, pointer); });
  }

  bool is_step(const llvm::Instruction& instruction) const {
    const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
    return gep && !is_base(*gep) && llvm::all_of(gep->indices(), [&](const llvm::Use& index) { return shapes_.is_uniform(*index); });
  }

  /// Whether lanes' own indices count from something that they share.
  bool is_apart(const Value& pointer) const {
    const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&pointer);
    return gep && !shapes_[*gep].is_affine() && gep->getNumIndices() == 1 &&
           (is_base(*gep->getPointerOperand()) || is_apart(*gep->getPointerOperand()));
  }

  bool is_base(const Value& pointer) const { return shapes_.is_uniform(pointer); }

  /// `pointer`, which is_apart, `bytes` further behind.
  Value* behind(llvm::IRBuilder<>& builder, Value* pointer, Value* bytes) const {
    auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(pointer);
    if (!gep || is_base(*pointer)) return builder.CreateGEP(builder.getInt8Ty(), pointer, bytes, "shared");
    return builder.CreateGEP(gep->getSourceElementType(), behind(builder, gep->getPointerOperand(), bytes), gep->getOperand(1),
                             gep->getName());
  }

  void rewrite(const Steps& steps) {
    llvm::DenseMap<const Value*, Value*> bytes;
    llvm::IRBuilder<> builder(steps.start->getContext());
    bytes[steps.start] = builder.getInt64(0);
    for (llvm::Instruction* pointer : steps.pointers) {
      builder.SetInsertPoint(pointer);
      if (auto* phi = llvm::dyn_cast<llvm::PHINode>(pointer))
        bytes[phi] = builder.CreatePHI(builder.getInt64Ty(), phi->getNumIncomingValues(), "bytes");
      else  // to what is not known yet
        bytes[pointer] = builder.Insert(
            llvm::BinaryOperator::CreateAdd(builder.getInt64(0), llvm::emitGEPOffset(&builder, layout_, pointer, /*NoAssumptions=*/true)),
            "bytes");
    }
    for (llvm::Instruction* pointer : steps.pointers) {
      if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(pointer)) {
        for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
          llvm::cast<llvm::PHINode>(bytes[phi])->addIncoming(bytes[phi->getIncomingValue(i)], phi->getIncomingBlock(i));
      } else {
        llvm::cast<llvm::BinaryOperator>(bytes[pointer])->setOperand(0, bytes[pointer->getOperand(0)]);
      }
    }
    for (llvm::Instruction* pointer : steps.pointers) {
      if (llvm::isa<llvm::PHINode>(pointer))
        builder.SetInsertPoint(pointer->getParent(), pointer->getParent()->getFirstInsertionPt());
      else
        builder.SetInsertPoint(pointer);
      Value* now = behind(builder, steps.start, bytes[pointer]);
      pointer->replaceUsesWithIf(
          now, [&](const llvm::Use& use) { return !steps.pointers.contains(llvm::cast<llvm::Instruction>(use.getUser())); });
    }
    for (llvm::Instruction* pointer : steps.pointers) pointer->replaceAllUsesWith(llvm::PoisonValue::get(pointer->getType()));
    for (llvm::Instruction* pointer : steps.pointers) pointer->eraseFromParent();
  }

  const Shapes& shapes_;
  const llvm::DominatorTree& dominators_;
  const llvm::DataLayout& layout_;
};

}  // namespace

bool share_steps(llvm::Function& region, const Specialization& specialization, unsigned lanes,
                 llvm::function_ref<std::uint32_t(unsigned)> private_stride, Analyses& analyses) {
  if (llvm::none_of(llvm::instructions(region), [](const llvm::Instruction& instruction) {
        return llvm::isa<llvm::PHINode>(instruction) && instruction.getType()->isPointerTy();
      }))
    return false;
  const Shapes shapes(region, specialization, lanes, private_stride);
  const auto& dominators = analyses.functions().getResult<llvm::DominatorTreeAnalysis>(region);
  const bool changed = SharedSteps(shapes, dominators, region.getParent()->getDataLayout()).share(region);
  if (changed) analyses.invalidate(region);
  return changed;
}

}  // namespace weft::compiler::simt
