#include "compiler/fuzz/defined.h"

#include "compiler/linker/kernel_info.h"
#include "compiler/linker/link.h"
#include "compiler/frontend/compile.h"
#include "compiler/fuzz/scalar_run.h"
#include "compiler/fuzz/traps.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

namespace weft::fuzz {
namespace {

/// What a value is before anyone writes it.
enum class Begin { kZeroes, kPattern };

/// A kernel whose undefined operations trap.
struct Strict {
  compiler::KernelInfo info;
  std::unique_ptr<ScalarKernel> kernel;
};

llvm::Expected<Strict> compile(const std::string& source, Begin begin) {
  llvm::LLVMContext context;
  std::string log;
  std::vector<compiler::Dependency> dependencies;
  auto options = compiler::frontend::parse_compile_options(build_options(source), log);
  if (!options) return llvm::createStringError(log);
  options->clang_flags.insert(options->clang_flags.end(),
                              {"-Wno-everything", "-Werror=return-type", "-Werror=uninitialized", "-Werror=sometimes-uninitialized",
                               std::string("-ftrivial-auto-var-init=") + (begin == Begin::kZeroes ? "zero" : "pattern")});
  auto module = compiler::frontend::compile_to_module(source, {}, *options, context, log, dependencies);
  if (!module) return llvm::createStringError(log);
  trap_where_undefined(*module);
  if (llvm::Error error = compiler::linker::link_builtins(*module)) return error;
  compiler::linker::retarget(*module);
  auto kernels = compiler::linker::describe_kernels(*module);
  if (kernels.size() != 1) return llvm::createStringError("there must be one kernel");
  Strict strict{std::move(kernels[0]), nullptr};
  auto kernel = ScalarKernel::make(std::move(module), strict.info, begin == Begin::kZeroes ? 0 : 0xa5);
  if (!kernel) return kernel.takeError();
  strict.kernel = std::move(*kernel);
  return strict;
}

}  // namespace

Outcome check_defined(const std::string& source, const std::vector<Variant>& variants) {
  Outcome outcome;
  const auto refuse = [&](std::string why) {
    outcome.verdict = Verdict::kRejected;
    outcome.what = one_line(std::move(why));
    return outcome;
  };
  auto forwards = compile(source, Begin::kZeroes);
  if (!forwards) return refuse(llvm::toString(forwards.takeError()));
  auto backwards = compile(source, Begin::kPattern);
  if (!backwards) return refuse(llvm::toString(backwards.takeError()));
  for (outcome.variant = 0; outcome.variant < variants.size(); ++outcome.variant) {
    const Variant& variant = variants[outcome.variant];
    const Memory memory(forwards->info, variant, CheckOptions().data_seed);
    memory.reset();
    bool fair = forwards->kernel->run(memory, variant);
    const std::vector<std::byte> first = memory.contents();
    memory.reset();
    fair = fair && backwards->kernel->run(memory, variant, ItemOrder::kBackwards);
    if (!fair) return refuse("work-items wait at different barriers");
    const std::string difference = memory.difference(first, memory.contents());
    if (!difference.empty()) return refuse("depends on the order of work-items, or on what nobody wrote: " + difference);
  }
  outcome.variant = 0;
  return outcome;
}

}  // namespace weft::fuzz
