#include "compiler/spirv/math_options.h"

#include "compiler/frontend/options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

namespace weft::compiler::spirv {
namespace {

llvm::FastMathFlags flags_of(const frontend::CompileOptions& options) {
  const auto has = [&](const char* option) { return llvm::is_contained(options.clang_flags, option); };
  const bool is_relaxed = has("-cl-fast-relaxed-math"), is_unsafe = is_relaxed || has("-cl-unsafe-math-optimizations");
  const bool is_finite = is_relaxed || has("-cl-finite-math-only");
  llvm::FastMathFlags flags;
  flags.setNoNaNs(is_finite);
  flags.setNoInfs(is_finite);
  flags.setNoSignedZeros(is_unsafe || has("-cl-no-signed-zeros"));
  flags.setAllowContract(is_unsafe || has("-cl-mad-enable"));
  flags.setAllowReassoc(is_unsafe);
  flags.setAllowReciprocal(is_unsafe);
  flags.setApproxFunc(is_unsafe);
  return flags;
}

}  // namespace

void apply_math_options(llvm::Module& module, const frontend::CompileOptions& options) {
  const llvm::FastMathFlags flags = flags_of(options);
  if (flags.none()) return;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (llvm::isa<llvm::FPMathOperator>(instruction)) instruction.setFastMathFlags(flags);
}

}  // namespace weft::compiler::spirv
