// weftc: the compiler one pass at a time.
#include <time.h>

#include <cstdio>

#include "compiler/driver/command_line.h"
#include "compiler/passes/pass_list.h"
#include "compiler/simt/ir/primitives.h"
#include "compiler/linker/builtin_library.h"
#include "compiler/support/bitcode.h"
#include "compiler/support/deep_thread.h"
#include "compiler/pipeline/compilation.h"
#include "compiler/pipeline/fewer_versions.h"
#include "compiler/pipeline/pipeline.h"
#include "compiler/spirv/read.h"
#include "compiler/linker/kernel_info.h"
#include "compiler/linker/link.h"
#include "compiler/target/target.h"
#include "compiler/frontend/compile.h"
#include "device/kernel_abi.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"

namespace weft::compiler::driver {
namespace {

/// Time by the thread's own processor clock: other processes do not count.
class Stopwatch {
 public:
  explicit Stopwatch(bool on) : on_(on), last_(now()) {}
  void lap(const char* what) {
    const double time = now();
    if (on_) std::fprintf(stderr, "%-9s %7.2f ms\n", what, time - last_);
    last_ = now();
  }

 private:
  static double now() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
  }
  bool on_;
  double last_;
};

void print_info(llvm::Module& module) {
  for (const KernelInfo& kernel : linker::describe_kernels(module)) {
    llvm::errs() << "kernel " << kernel.name << ": arguments " << kernel.argument_bytes << " bytes, local "
                 << kernel.local_bytes << ", private " << kernel.private_bytes << ", registers " << kernel.registers
                 << (kernel.uses_barrier ? ", barrier" : "") << (kernel.uses_printf ? ", printf" : "") << (kernel.uses_queues ? ", queues" : "")
                 << (kernel.is_block ? ", block " + std::to_string(kernel.block_number) : "")
                 << (kernel.fusion == GroupFusion::kNone ? "" : kernel.fusion == GroupFusion::kAny ? ", fusible" : ", fusible as groups of one")
                 << (kernel.preferred_row ? ", rows of " + std::to_string(kernel.preferred_row) : "")
                 << (kernel.preferred_single_row != kernel.preferred_row ? ", single rows of " + std::to_string(kernel.preferred_single_row) : "")
                 << (kernel.tall_rows ? ", in groups of " + std::to_string(kernel.tall_rows) + " rows" : "")
                 << (kernel.streamed_bytes ? ", streams of " + std::to_string(kernel.streamed_bytes) + " bytes out of " + std::to_string(kernel.read_bytes) : "")
                 << (kernel.by_columns ? ", groups by columns" : "") << (kernel.along_y ? ", along y" : "")
                 << (kernel.chunks == OwnChunks::kNone ? "" : kernel.chunks == OwnChunks::kBeside ? ", chunks" : ", chunks alone")
                 << (kernel.turned == 1 ? ", turned to y" : kernel.turned == 2 ? ", turned to z" : "") << (kernel.is_unusual ? ", unusual" : "")
                 << " [" << kernel.attributes << "]\n";
    for (const KernelArg& arg : kernel.args)
      llvm::errs() << "  " << arg.offset << " +" << arg.size << " align " << arg.align << " space "
                   << unsigned(arg.address_space) << " kind " << unsigned(arg.kind) << " qualifiers "
                   << unsigned(arg.type_qualifiers) << ": " << arg.type_name << " " << arg.name
                   << (!arg.has_fact ? "" : arg.kind == ArgKind::kValue ? ", a stride" : ", may be apart") << (arg.is_bound ? ", a bound" : "")
                   << "\n";
  }
}

std::unique_ptr<llvm::Module> read_source(const Settings& settings, llvm::StringRef text,
                                          llvm::LLVMContext& context) {
  std::string log;
  std::vector<Dependency> dependencies;
  std::unique_ptr<llvm::Module> module;
  auto options = frontend::parse_compile_options(settings.options, log);
  if (options) {
    options->debug_info |= settings.specialization.required_only || settings.specialization.counted;
    if (options->source_name.empty()) options->source_name = settings.input;
    module = frontend::compile_to_module(text.str(), {}, *options, context, log, dependencies);
    if (module != nullptr) frontend::note_options(*module, *options);
  }
  llvm::errs() << log;
  return module;
}

std::unique_ptr<llvm::Module> read_input(const Settings& settings, llvm::LLVMContext& context,
                                         bool& is_source) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(settings.input, /*IsText=*/false);
  if (!buffer) {
    llvm::errs() << "weftc: cannot read '" << settings.input << "': " << buffer.getError().message() << "\n";
    return nullptr;
  }
  const llvm::StringRef name = settings.input;
  if (name.ends_with(".spv")) {
    is_source = true;
    std::string log;
    const llvm::StringRef text = (*buffer)->getBuffer();
    auto module = spirv::translate_to_module(Bytes(text.begin(), text.end()), {}, context, log);
    llvm::errs() << log;
    return module;
  }
  is_source = !name.ends_with(".ll") && !name.ends_with(".bc") && name != "-";
  if (is_source) return read_source(settings, (*buffer)->getBuffer(), context);
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module = llvm::parseIR((*buffer)->getMemBufferRef(), diagnostic, context);
  if (module == nullptr) diagnostic.print("weftc", llvm::errs());
  return module;
}

/// The one kernel that is asked for; empty after a message.
std::string choose_kernel(const Settings& settings, const llvm::Module& module) {
  if (!settings.kernel.empty()) return settings.kernel;
  std::string chosen;
  for (const llvm::Function& function : module) {
    if (!simt::is_kernel(function)) continue;
    if (!chosen.empty()) {
      llvm::errs() << "weftc: several kernels; choose with --kernel\n";
      return {};
    }
    chosen = function.getName().str();
  }
  if (chosen.empty()) llvm::errs() << "weftc: no kernel\n";
  return chosen;
}

int report(llvm::Error error) {
  const std::string text = llvm::toString(std::move(error));
  llvm::errs() << text << (llvm::StringRef(text).ends_with("\n") ? "" : "\n");
  return 1;
}

/// Writes `code`, or, where there is none, `module`'s text.
int write_output(const Settings& settings, const llvm::Module& module, llvm::StringRef code = {}) {
  std::error_code error;
  llvm::raw_fd_ostream stream(settings.output, error);
  if (error) {
    llvm::errs() << "weftc: cannot write '" << settings.output << "': " << error.message() << "\n";
    return 1;
  }
  if (code.empty())
    module.print(stream, nullptr);
  else
    stream << code;
  return 0;
}

int pack_builtins(const Settings& settings) {
  llvm::LLVMContext context;
  bool is_source = false;
  const std::unique_ptr<llvm::Module> module = read_input(settings, context, is_source);
  if (module == nullptr) return 1;
  auto archive = linker::pack_library(*module);
  if (!archive) return report(archive.takeError());
  std::error_code code;
  llvm::raw_fd_ostream stream(settings.output, code);
  stream << (*archive)->getBuffer();
  stream.close();
  return stream.has_error() ? 1 : 0;
}

int compile_file(const Settings& settings) {
  if (llvm::Error error = target::choose_cpu(settings.cpu, /*must_run_here=*/false)) return report(std::move(error));
  if (settings.pack_builtins) return pack_builtins(settings);
  Stopwatch watch(settings.time);
  const auto machine = target::take_target_machine();
  watch.lap("target");
  llvm::LLVMContext context;
  bool is_source = false;
  std::unique_ptr<llvm::Module> module = read_input(settings, context, is_source);
  if (module == nullptr) return 1;
  watch.lap("frontend");
  if (settings.emit == "frontend") return write_output(settings, *module);

  passes::PassOptions options = settings.passes;
  if (settings.emit == "llvm") options.disable.push_back(passes::info(passes::Pass::kEmit).name.str());
  passes::PassControl control(options);
  // A module that has the host's layout has been through the link already.
  const bool linked = !llvm::StringRef(module->getTargetTriple()).starts_with("spir");
  if (control.selective() || !linked) {
    if (llvm::Error error = pipeline::make_program(*module, control)) return report(std::move(error));
    watch.lap("link");
  }
  if (settings.info) print_info(*module);
  if (settings.emit == "scalar" || control.stopped()) return write_output(settings, *module);

  std::string kernel = settings.kernel;
  Bytes program;
  if (!control.selective()) {
    if (kernel.empty()) kernel = choose_kernel(settings, *module);
    if (kernel.empty()) return 1;
    // As generate() does: through bitcode, only what the kernel needs.
    program = support::write_bitcode(*module);
    auto extracted = pipeline::extract_kernel(program, kernel, context);
    if (!extracted) return report(extracted.takeError());
    module = std::move(*extracted);
    watch.lap("extract");
  }
  pipeline::Compilation compilation(*module, kernel, settings.specialization, *machine, control);
  if (settings.emit == "asm") compilation.file_kind = codegen::FileKind::kAssembly;
  pipeline::Compilation* chosen = &compilation;
  std::unique_ptr<pipeline::FewerVersions> fewer;
  for (const passes::Scope scope : {passes::Scope::kKernel, passes::Scope::kCode}) {
    llvm::Error error = pipeline::run_passes(scope, *chosen);
    if (scope == passes::Scope::kKernel && !error && !control.selective() && !control.stopped()) {
      auto made = pipeline::with_fewer_versions(compilation, program, settings.specialization);
      if (!made) return report(made.takeError());
      fewer = std::move(*made);
      if (fewer) chosen = fewer->compilation.get();
    }
    if (scope == passes::Scope::kCode || error) llvm::errs() << chosen->control.remarks();
    if (error) return report(std::move(error));
    watch.lap(scope == passes::Scope::kKernel ? "widen" : "code");
  }
  return write_output(settings, chosen->module, llvm::StringRef(chosen->code.data(), chosen->code.size()));
}

}  // namespace
}  // namespace weft::compiler::driver

int main(int argc, char** argv) {
  using namespace weft::compiler;
  driver::Settings settings;
  if (const std::optional<int> ended = driver::read_command_line(argc, argv, settings)) return *ended;
  if (!settings.list_passes.empty() && settings.input.empty()) {
    std::fputs(passes::describe_passes(settings.list_passes == "markdown").c_str(), stdout);
    return 0;
  }
  int status = 1;
  std::string error;
  if (!support::run_on_deep_thread([&] { status = driver::compile_file(settings); }, error)) {
    llvm::errs() << error;
    return 1;
  }
  return status;
}
