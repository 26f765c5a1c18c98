#include "compiler/pipeline/pipeline.h"

#include <algorithm>

#include "compiler/frontend/compile.h"
#include "compiler/frontend/options.h"
#include "compiler/linker/kernel_info.h"
#include "compiler/linker/link.h"
#include "compiler/linker/supported.h"
#include "compiler/passes/pass_list.h"
#include "compiler/pipeline/compilation.h"
#include "compiler/pipeline/fewer_versions.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/simt/ir/program_memory.h"
#include "compiler/simt/item/kept_calls.h"
#include "compiler/simt/item/prepare.h"
#include "compiler/support/bitcode.h"
#include "compiler/target/target.h"
#include "device/kernel_abi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Target/TargetMachine.h"

namespace weft::compiler::pipeline {
namespace {

struct Step {
  passes::Pass pass;
  llvm::Error (*run)(Compilation&);  ///< null: a step within another pass
};

#define WEFT_RUN_Program(id) run_##id
#define WEFT_RUN_Kernel(id) run_##id
#define WEFT_RUN_Widening(id) nullptr
#define WEFT_RUN_Code(id) run_##id
constexpr Step kSteps[] = {
#define WEFT_PASS(scope, id, name, kind, header, why) {passes::Pass::k##id, WEFT_RUN_##scope(id)},
#include "compiler/passes.def"
#undef WEFT_PASS
};

/// Reads `function` and what it calls: functions that read and write images, until the kernel's passes, and those of kept_calls.h.
llvm::Error materialize_with_callees(llvm::Function& function, llvm::SmallPtrSetImpl<const llvm::Function*>& needed) {
  if (!needed.insert(&function).second) return llvm::Error::success();
  if (llvm::Error error = function.materialize()) return error;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || !(callee->getName().starts_with(simt::primitive::kImageFunction) || simt::is_kept_call(*callee))) continue;
    if (llvm::Error error = materialize_with_callees(*callee, needed)) return error;
  }
  return llvm::Error::success();
}

}  // namespace

llvm::Error run_passes(passes::Scope scope, Compilation& compilation) {
  for (const Step& step : kSteps) {
    if (!step.run || passes::info(step.pass).scope != scope) continue;
    const auto run = [&] { return step.run(compilation); };
    const auto body = [&] { return compilation.specialization.soon ? compilation.versions.counted(step.pass, compilation.module, run) : run(); };
    if (llvm::Error error = compilation.control.run(step.pass, compilation.module, body)) return error;
    if (compilation.control.stopped()) break;
  }
  return llvm::Error::success();
}

llvm::Error run_passes_behind(passes::Pass pass, Compilation& compilation, std::optional<passes::Pass> last) {
  for (const Step& step : kSteps) {
    if (!step.run || step.pass <= pass || (last && step.pass > *last) || passes::info(step.pass).scope != passes::info(pass).scope) continue;
    if (!compilation.control.is_on(step.pass)) continue;
    if (llvm::Error error = step.run(compilation)) return error;
  }
  return llvm::Error::success();
}

llvm::Error make_program(llvm::Module& module, passes::PassControl& control) {
  Compilation compilation(module, control);
  return run_passes(passes::Scope::kProgram, compilation);
}

llvm::Expected<std::unique_ptr<llvm::Module>> extract_kernel(const Bytes& program, llvm::StringRef kernel,
                                                             llvm::LLVMContext& context) {
  const llvm::StringRef bytes(reinterpret_cast<const char*>(program.data()), program.size());
  auto module = llvm::getLazyBitcodeModule(llvm::MemoryBufferRef(bytes, "program"), context);
  if (!module) return module.takeError();
  llvm::Function* wanted = (*module)->getFunction(kernel);
  if (wanted == nullptr || !simt::is_kernel(*wanted))
    return llvm::createStringError("error: the program has no kernel '" + kernel + "'\n");
  llvm::SmallPtrSet<const llvm::Function*, 16> needed;
  if (llvm::Error error = materialize_with_callees(*wanted, needed)) return error;
  for (llvm::Function& function : llvm::make_early_inc_range(**module)) {
    if (needed.contains(&function) || function.isDeclaration()) continue;
    if (!function.use_empty())
      return llvm::createStringError("error: kernel '" + kernel + "' is not whole: its calls were not inlined\n");
    function.setIsMaterializable(false);
    function.setLinkage(llvm::GlobalValue::ExternalLinkage);
    function.eraseFromParent();
  }
  if (llvm::Error error = (*module)->materializeAll()) return error;
  return module;
}

namespace {

/// Ends a link: `module` becomes the program of `result`, with what is to be known of it, or its log says why not.
void finish_program(std::unique_ptr<llvm::Module> module, const passes::PassOptions& pass_options, LinkResult& result) {
  passes::PassControl control(pass_options);
  llvm::Error error = make_program(*module, control);
  if (!error) error = linker::check_kernels(*module);
  if (error) {
    result.log += linker::to_log(std::move(error));
    return;
  }
  auto memory = simt::describe_program_memory(*module);
  if (!memory) {
    result.log += linker::to_log(memory.takeError());
    return;
  }
  result.memory = std::move(*memory);
  result.program = support::write_bitcode(*module);
  llvm::StringSet<> verbose;
  for (const llvm::Function& function : *module)
    if (function.hasFnAttribute(frontend::kVerboseAttribute)) verbose.insert(function.getName());
  result.kernels = linker::describe_kernels(std::move(module));
  for (const KernelInfo& kernel : result.kernels)
    if (verbose.contains(kernel.name)) result.log += linker::report_resources(kernel);
  result.ok = true;
}

}  // namespace

LinkResult link(const std::vector<const Bytes*>& objects, const std::string& options, bool create_library,
                bool* invalid_options, const passes::PassOptions& pass_options) {
  LinkResult result;
  const auto parsed = frontend::parse_link_options(options, result.log);
  if (invalid_options != nullptr) *invalid_options = !parsed.has_value();
  if (!parsed) return result;

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = linker::link_objects(objects, context, result.log);
  if (module == nullptr) return result;
  if (create_library || parsed->create_library) {
    result.program = support::write_bitcode(*module);
    result.ok = true;
    return result;
  }
  frontend::mark_kernels(*module, parsed->nvidia);
  finish_program(std::move(module), pass_options, result);
  return result;
}

LinkResult build(const std::string& source, const std::string& options, bool line_tables, bool* invalid_options,
                 const passes::PassOptions& pass_options) {
  LinkResult result;
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module =
      frontend::compile_for_link(source, {}, options, line_tables, context, result.log, result.dependencies, invalid_options);
  if (module != nullptr && linker::check_object(*module, result.log)) finish_program(std::move(module), pass_options, result);
  return result;
}

LinkResult describe(const Bytes& program) {
  LinkResult result;
  const std::vector<const Bytes*> objects = {&program};
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = linker::link_objects(objects, context, result.log);
  if (module == nullptr) return result;
  llvm::Module host("host", context);
  target::set_host_layout(host);
  if (module->getDataLayout() != host.getDataLayout()) {
    result.log += "error: this is no program that the compiler made\n";
    return result;
  }
  llvm::Error error = linker::check_objects(*module);
  if (!error) error = simt::check_inlined(*module);
  if (!error) error = linker::check_kernels(*module);
  if (error) {
    result.log += linker::to_log(std::move(error));
    return result;
  }
  auto memory = simt::describe_program_memory(*module);
  if (!memory) {
    result.log += linker::to_log(memory.takeError());
    return result;
  }
  result.memory = std::move(*memory);
  result.kernels = linker::describe_kernels(std::move(module));
  result.ok = true;
  return result;
}

GenerateResult generate(const Bytes& program, const std::string& kernel, const Specialization& specialization,
                        passes::PassControl& control) {
  GenerateResult result;
  const auto fail = [&](llvm::Error error) {
    result.log = llvm::toString(std::move(error));
    if (result.log.empty() || result.log.back() != '\n') result.log += '\n';
    return std::move(result);
  };
  llvm::LLVMContext context;
  auto module = extract_kernel(program, kernel, context);
  if (!module) return fail(module.takeError());
  const target::Machine machine = target::take_target_machine();
  Compilation whole(**module, kernel, specialization, *machine, control);
  if (llvm::Error error = run_passes(passes::Scope::kKernel, whole)) return fail(std::move(error));
  auto fewer = with_fewer_versions(whole, program, specialization);
  if (!fewer) return fail(fewer.takeError());
  Compilation& compilation = *fewer ? *(*fewer)->compilation : whole;
  if (llvm::Error error = run_passes(passes::Scope::kCode, compilation)) return fail(std::move(error));
  if (compilation.code.empty() || !compilation.group) return fail(llvm::createStringError("error: no machine code was made"));
  // A size that does not fit is more than any group gets.
  const auto bounded = [](std::uint64_t bytes) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes, UINT32_MAX));
  };
  result.symbol = compilation.group->getName().str();
  result.object.assign(compilation.code.begin(), compilation.code.end());
  result.scratch_fixed_bytes = bounded(compilation.frame.bytes);
  result.scratch_warp_bytes = bounded(compilation.frame.bytes * abi::kWarpSize / compilation.lanes);
  if (const auto& size = compilation.specialization.local_size; size[0] > specialization.local_size[0] * compilation.fused) {
    // Of rows with idle lanes (simt/item/padded_rows.h) there are more warps than the group's size says.
    result.scratch_fixed_bytes = bounded(compilation.frame.bytes * (1 + llvm::divideCeil(size[0] * size[1] * size[2], compilation.lanes)));
    result.scratch_warp_bytes = 0;
  }
  if (compilation.in_phases) {
    result.scratch_fixed_bytes = bounded(std::uint64_t{result.scratch_fixed_bytes} * compilation.run);
    result.scratch_warp_bytes = bounded(std::uint64_t{result.scratch_warp_bytes} * compilation.run);
  }
  result.private_bytes = bounded(compilation.private_bytes);
  result.stack_bytes = bounded(compilation.stack_bytes);
  result.run = compilation.run;
  result.groups = compilation.fused;
  result.counters = std::move(compilation.counters);
  result.updated = std::move(compilation.updated);
  result.has_tables = compilation.has_tables;
  result.log = compilation.control.remarks();
  result.ok = true;
  return result;
}

}  // namespace weft::compiler::pipeline
