#include "compiler/codegen/generate.h"

#include "compiler/codegen/bit_merges.h"
#include "compiler/codegen/kernel_info.h"
#include "compiler/codegen/optimize.h"
#include "compiler/codegen/prefetch.h"
#include "compiler/codegen/streams.h"
#include "compiler/codegen/strips.h"
#include "compiler/codegen/target.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace weft::compiler::codegen {

namespace {

/// Erases what `root` does not reach: the kernel's earlier shapes, its `__local` variables (now offsets).
void keep_only(llvm::Module& module, const llvm::Function& root) {
  for (bool changed = true; changed;) {
    changed = false;
    for (llvm::Function& function : llvm::make_early_inc_range(module)) {
      if (&function == &root || function.isIntrinsic()) continue;
      function.removeDeadConstantUsers();
      if (!function.use_empty()) continue;
      function.eraseFromParent();
      changed = true;
    }
    for (llvm::GlobalVariable& variable : llvm::make_early_inc_range(module.globals())) {
      variable.removeDeadConstantUsers();
      if (!variable.use_empty()) continue;
      variable.eraseFromParent();
      changed = true;
    }
  }
}

}  // namespace

llvm::Expected<std::unique_ptr<llvm::Module>> extract_kernel(const Bytes& program, llvm::StringRef kernel,
                                                             llvm::LLVMContext& context) {
  const llvm::StringRef bytes(reinterpret_cast<const char*>(program.data()), program.size());
  auto module = llvm::getLazyBitcodeModule(llvm::MemoryBufferRef(bytes, "program"), context);
  if (!module) return module.takeError();
  const llvm::Function* wanted = (*module)->getFunction(kernel);
  if (wanted == nullptr || !is_kernel(*wanted))
    return llvm::createStringError("error: the program has no kernel '" + kernel + "'\n");
  for (llvm::Function& function : llvm::make_early_inc_range(**module)) {
    if (&function == wanted || function.isDeclaration()) continue;
    function.setIsMaterializable(false);
    function.setLinkage(llvm::GlobalValue::ExternalLinkage);
    if (function.use_empty()) function.eraseFromParent();
  }
  if (llvm::Error error = (*module)->materializeAll()) {
    // What the kernel calls is gone: it should have been inlined.
    llvm::consumeError(std::move(error));
    return llvm::createStringError("error: kernel '" + kernel + "' is not whole: its calls were not inlined\n");
  }
  return module;
}

llvm::Expected<simt::GroupCode> make_group_function(llvm::Module& module, llvm::StringRef kernel,
                                                    const Specialization& specialization,
                                                    llvm::TargetMachine& machine,
                                                    simt::PassControl& control) {
  auto code = simt::build_group_function(module, kernel, specialization, control);
  if (!code) return code.takeError();
  const auto optimize_all = [&] {
    set_code_attributes(module, machine);
    optimize(module, machine);
    if (code->function != nullptr) keep_only(module, *code->function);
    return llvm::Error::success();
  };
  if (llvm::Error error = control.run("optimize", module, optimize_all)) return error;
  const auto prefetch_all = [&] {
    for (llvm::Function& function : module)
      if (!function.isDeclaration()) insert_prefetches(function, machine);
    return llvm::Error::success();
  };
  if (llvm::Error error = control.run("prefetch", module, prefetch_all)) return error;
  const auto streams = [&] {
    for (llvm::Function& function : module)
      if (!function.isDeclaration()) read_streams(function, control.all_streams());
    return llvm::Error::success();
  };
  if (llvm::Error error = control.run("streams", module, streams)) return error;
  const auto strips = [&] {
    for (llvm::Function& function : module)
      if (!function.isDeclaration()) run_in_strips(function);
    return llvm::Error::success();
  };
  if (llvm::Error error = control.run("strips", module, strips)) return error;
  const auto merges = [&] {
    for (llvm::Function& function : module)
      if (!function.isDeclaration()) keep_merges_apart(function);
    return llvm::Error::success();
  };
  if (llvm::Error error = control.run("bit-merges", module, merges)) return error;
  return code;
}

GenerateResult generate(const Bytes& program, const std::string& kernel, const Specialization& specialization,
                        simt::PassControl& control) {
  GenerateResult result;
  const auto fail = [&](llvm::Error error) {
    result.log = llvm::toString(std::move(error));
    if (result.log.empty() || result.log.back() != '\n') result.log += '\n';
    return std::move(result);
  };
  llvm::LLVMContext context;
  auto module = extract_kernel(program, kernel, context);
  if (!module) return fail(module.takeError());
  const std::unique_ptr<llvm::TargetMachine> machine = make_target_machine();
  auto code = make_group_function(**module, kernel, specialization, *machine, control);
  if (!code) return fail(code.takeError());
  if (code->function == nullptr) return fail(llvm::createStringError("error: no group function was made"));
  result.symbol = code->function->getName().str();
  auto object = emit(**module, *machine, FileKind::kObject);
  if (!object) return fail(object.takeError());
  result.object.assign(object->begin(), object->end());
  result.scratch_fixed_bytes = code->scratch_fixed;
  result.scratch_warp_bytes = code->scratch_warp;
  result.private_bytes = code->private_bytes;
  result.stack = code->stack;
  result.log = control.remarks();
  result.ok = true;
  return result;
}

}  // namespace weft::compiler::codegen
