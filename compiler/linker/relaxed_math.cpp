#include "compiler/linker/relaxed_math.h"

#include <string>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

namespace weft::compiler::linker {
namespace {

/// Whose bounds are wider under -cl-fast-relaxed-math (OpenCL C 3.0 §7.4), and which gain by it.
bool has_relaxed_form(llvm::StringRef name) {
  static const llvm::StringSet<> names = {"acos",  "asin", "atan", "atan2", "cos",  "distance", "exp",   "exp10",
                                          "exp2",  "length", "log",  "log10", "log2", "normalize", "pow", "pown",
                                          "powr",  "rootn",  "rsqrt", "sin",  "sincos", "sqrt", "tan",       "tanh"};
  return names.contains(name);
}

/// The relaxed form's mangled name; empty where `name` is no function of float that has one. `_Z`, a length, the name, the parameters.
std::string relaxed_name(llvm::StringRef name) {
  unsigned length = 0;
  if (!name.consume_front("_Z") || name.consumeInteger(10, length) || length >= name.size()) return {};
  const llvm::StringRef own = name.take_front(length), parameters = name.drop_front(length);
  llvm::StringRef first = parameters;
  unsigned elements = 0;
  if (first.consume_front("Dv") && (first.consumeInteger(10, elements) || !first.consume_front("_"))) return {};
  if (!first.starts_with("f") || !has_relaxed_form(own)) return {};
  const std::string relaxed = ("__weft_relaxed_" + own).str();
  return "_Z" + std::to_string(relaxed.size()) + relaxed + parameters.str();
}

bool may_be_relaxed(const llvm::User* user, const llvm::Function& callee) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
  if (!call || call->getCalledOperand() != &callee || !llvm::isa<llvm::FPMathOperator>(call)) return false;
  return call->hasApproxFunc() && call->hasNoNaNs() && call->hasNoInfs();
}

}  // namespace

void relax_calls(llvm::Module& module) {
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    if (!function.isDeclaration() || function.use_empty()) continue;
    const std::string name = relaxed_name(function.getName());
    if (name.empty()) continue;
    for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
      if (!may_be_relaxed(user, function)) continue;
      auto relaxed = module.getOrInsertFunction(name, function.getFunctionType(), function.getAttributes());
      llvm::cast<llvm::Function>(relaxed.getCallee())->setCallingConv(function.getCallingConv());
      llvm::cast<llvm::CallBase>(user)->setCalledFunction(relaxed);
    }
  }
}

}  // namespace weft::compiler::linker
