#include "compiler/fuzz/traps.h"

#include "compiler/support/analysis_managers.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Instrumentation/BoundsChecking.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace weft::fuzz {
namespace {

using llvm::Instruction;

llvm::Intrinsic::ID with_overflow(unsigned opcode) {
  switch (opcode) {
    case Instruction::Add:
      return llvm::Intrinsic::sadd_with_overflow;
    case Instruction::Sub:
      return llvm::Intrinsic::ssub_with_overflow;
    case Instruction::Mul:
      return llvm::Intrinsic::smul_with_overflow;
    default:
      return llvm::Intrinsic::not_intrinsic;
  }
}

/// Whether `operation` is undefined, for each component; null where it never is.
llvm::Value* undefined(llvm::BinaryOperator& operation, llvm::IRBuilder<>& ir) {
  llvm::Value* const a = operation.getOperand(0);
  llvm::Value* const b = operation.getOperand(1);
  llvm::Type* const type = operation.getType();
  switch (operation.getOpcode()) {
    case Instruction::SDiv:
    case Instruction::SRem: {
      auto* least = llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(type->getScalarSizeInBits()));
      llvm::Value* too_large = ir.CreateAnd(ir.CreateICmpEQ(a, least), ir.CreateICmpEQ(b, llvm::Constant::getAllOnesValue(type)));
      return ir.CreateOr(too_large, ir.CreateICmpEQ(b, llvm::Constant::getNullValue(type)));
    }
    case Instruction::UDiv:
    case Instruction::URem:
      return ir.CreateICmpEQ(b, llvm::Constant::getNullValue(type));
    default: {
      const llvm::Intrinsic::ID id = with_overflow(operation.getOpcode());
      if (id == llvm::Intrinsic::not_intrinsic || !operation.hasNoSignedWrap()) return nullptr;
      return ir.CreateExtractValue(ir.CreateBinaryIntrinsic(id, a, b), 1);
    }
  }
}

}  // namespace

void trap_where_undefined(llvm::Module& module) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
  compiler::support::register_analyses(builder, loops, functions, sccs, modules);
  llvm::IRBuilder<> ir(module.getContext());
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    llvm::SmallVector<llvm::BinaryOperator*, 64> operations;
    for (Instruction& instruction : llvm::instructions(function))
      if (auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) operations.push_back(operation);
    for (llvm::BinaryOperator* operation : operations) {
      ir.SetInsertPoint(operation);
      llvm::Value* fault = undefined(*operation, ir);
      if (!fault) continue;
      if (fault->getType()->isVectorTy()) fault = ir.CreateOrReduce(fault);
      ir.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(fault, operation, /*Unreachable=*/true));
      ir.CreateIntrinsic(llvm::Intrinsic::trap, {}, {});
    }
    llvm::BoundsCheckingPass().run(function, functions);
  }
}

}  // namespace weft::fuzz
