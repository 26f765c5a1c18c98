#include "compiler/linker/supported.h"

#include "compiler/device_features.h"
#include "compiler/simt/ir/primitives.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

namespace weft::compiler::linker {
namespace {

/// Intrinsics that the passes and LLVM's x86 target are known to make code of, without a call of a library's function.
bool is_usual(llvm::Intrinsic::ID id) {
  using namespace llvm;
  switch (id) {
    case Intrinsic::abs:
    case Intrinsic::assume:
    case Intrinsic::bitreverse:
    case Intrinsic::bswap:
    case Intrinsic::ceil:
    case Intrinsic::copysign:
    case Intrinsic::ctlz:
    case Intrinsic::ctpop:
    case Intrinsic::cttz:
    case Intrinsic::dbg_assign:
    case Intrinsic::dbg_declare:
    case Intrinsic::dbg_label:
    case Intrinsic::dbg_value:
    case Intrinsic::expect:
    case Intrinsic::experimental_noalias_scope_decl:
    case Intrinsic::fabs:
    case Intrinsic::floor:
    case Intrinsic::fma:
    case Intrinsic::fmuladd:
    case Intrinsic::fptosi_sat:
    case Intrinsic::fptoui_sat:
    case Intrinsic::fshl:
    case Intrinsic::fshr:
    case Intrinsic::is_fpclass:
    case Intrinsic::lifetime_end:
    case Intrinsic::lifetime_start:
    case Intrinsic::maxnum:
    case Intrinsic::memcpy:
    case Intrinsic::memmove:
    case Intrinsic::memset:
    case Intrinsic::minnum:
    case Intrinsic::nearbyint:
    case Intrinsic::readcyclecounter:
    case Intrinsic::rint:
    case Intrinsic::roundeven:
    case Intrinsic::sadd_sat:
    case Intrinsic::sadd_with_overflow:
    case Intrinsic::smax:
    case Intrinsic::smin:
    case Intrinsic::smul_with_overflow:
    case Intrinsic::sqrt:
    case Intrinsic::ssub_sat:
    case Intrinsic::ssub_with_overflow:
    case Intrinsic::trunc:
    case Intrinsic::uadd_sat:
    case Intrinsic::uadd_with_overflow:
    case Intrinsic::umax:
    case Intrinsic::umin:
    case Intrinsic::umul_with_overflow:
    case Intrinsic::usub_sat:
    case Intrinsic::usub_with_overflow:
    case Intrinsic::vector_reduce_add:
    case Intrinsic::vector_reduce_and:
    case Intrinsic::vector_reduce_or:
      return true;
    default:
      return false;
  }
}

bool is_plain(const llvm::Type& type) {
  const llvm::Type& scalar = *type.getScalarType();
  if (scalar.isIntegerTy()) return scalar.getIntegerBitWidth() <= 64;
  return !scalar.isFP128Ty() && !scalar.isX86_FP80Ty() && !scalar.isPPC_FP128Ty() && !scalar.isBFloatTy();
}

bool is_usual(const llvm::Instruction& instruction) {
  using llvm::Instruction;
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) return is_usual(intrinsic->getIntrinsicID());
  switch (instruction.getOpcode()) {
    case Instruction::SDiv:
    case Instruction::UDiv:
    case Instruction::SRem:
    case Instruction::URem:
    case Instruction::FPToSI:
    case Instruction::FPToUI:
    case Instruction::SIToFP:
    case Instruction::UIToFP:
    case Instruction::FPExt:
    case Instruction::FPTrunc:
    case Instruction::FAdd:
    case Instruction::FSub:
    case Instruction::FMul:
    case Instruction::FDiv:
      return is_plain(*instruction.getType()) && is_plain(*instruction.getOperand(0)->getType());
    case Instruction::FRem:
    case Instruction::VAArg:
    case Instruction::IndirectBr:
    case Instruction::CallBr:
    case Instruction::Invoke:
    case Instruction::Resume:
    case Instruction::LandingPad:
      return false;
    default:
      return true;
  }
}

}  // namespace

llvm::Error check_objects(const llvm::Module& module) {
  if (!module.getModuleInlineAsm().empty()) return llvm::createStringError("error: assembly at file scope is not supported\n");
  for (const llvm::GlobalAlias& alias : module.aliases())
    return llvm::createStringError("error: alias '" + alias.getName() + "' is not supported\n");
  for (const llvm::GlobalIFunc& resolved : module.ifuncs())
    return llvm::createStringError("error: indirect function '" + resolved.getName() + "' is not supported\n");
  for (const llvm::Function& function : module)
    for (const llvm::Instruction& instruction : llvm::instructions(function))
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        if (call->isIndirectCall() || call->isInlineAsm())
          return llvm::createStringError("error: function '" + function.getName() +
                                         "' calls through a pointer or has inline assembly\n");
  return llvm::Error::success();
}

std::uint32_t required_sub_group_size(const llvm::Function& kernel) {
  const llvm::MDNode* node = kernel.getMetadata("intel_reqd_sub_group_size");
  const auto* size = node && node->getNumOperands() == 1 ? llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(node->getOperand(0)) : nullptr;
  return size ? static_cast<std::uint32_t>(size->getZExtValue()) : 0;
}

namespace {

llvm::Error check_sub_group_size(const llvm::Function& kernel) {
  const std::uint32_t size = required_sub_group_size(kernel);
  if (size == 0 || llvm::is_contained(kSubGroupSizes, size)) return llvm::Error::success();
  std::string sizes;
  for (const std::uint32_t other : kSubGroupSizes) sizes += (sizes.empty() ? "" : ", ") + std::to_string(other);
  return llvm::createStringError("error: kernel '" + kernel.getName() + "' requires sub-groups of " + llvm::Twine(size) +
                                 "; this device has them of " + sizes + " work-items\n");
}

}  // namespace

llvm::Error check_kernels(const llvm::Module& module) {
  const llvm::DataLayout& layout = module.getDataLayout();
  for (const llvm::Function& kernel : module) {
    if (!simt::is_kernel(kernel)) continue;
    if (llvm::Error error = check_sub_group_size(kernel)) return error;
    std::uint64_t bytes = 0;
    for (const llvm::Argument& argument : kernel.args()) {
      llvm::Type* type = argument.hasByValAttr() ? argument.getParamByValType() : argument.getType();
      const llvm::TypeSize size = type->isTargetExtTy() ? llvm::TypeSize::getFixed(8) : layout.getTypeAllocSize(type);
      bytes = size.isScalable() || size > kMaxArgumentBytes ? kMaxArgumentBytes + 1 : bytes + size.getFixedValue();
      if (bytes > kMaxArgumentBytes)
        return llvm::createStringError("error: the arguments of kernel '" + kernel.getName() + "' take too much memory\n");
    }
    for (const llvm::Instruction& instruction : llvm::instructions(kernel)) {
      const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
      if (variable && !variable->getAllocationSize(layout))
        return llvm::createStringError("error: kernel '" + kernel.getName() + "' asks for private memory of a size that is not constant\n");
    }
  }
  return llvm::Error::success();
}

bool is_unusual(const llvm::Function& kernel) {
  return llvm::any_of(llvm::instructions(kernel), [](const llvm::Instruction& instruction) { return !is_usual(instruction); });
}

}  // namespace weft::compiler::linker
