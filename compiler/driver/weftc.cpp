// weftc: the compiler one pass at a time.
#include <time.h>

#include <cstdio>

#include "compiler/simt/ir/primitives.h"
#include "compiler/linker/builtin_library.h"
#include "compiler/support/deep_thread.h"
#include "compiler/pipeline/compilation.h"
#include "compiler/pipeline/pipeline.h"
#include "compiler/linker/kernel_info.h"
#include "compiler/linker/link.h"
#include "compiler/target/target.h"
#include "compiler/frontend/compile.h"
#include "device/kernel_abi.h"
#include "llvm/Bitcode/BitcodeWriter.h"
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

/// One option: the table below is the parser and the help.
struct Settings {
  std::string input;
  std::string output = "-";
  std::string kernel;
  std::string options;
  std::string emit = "llvm";
  Specialization specialization;
  passes::PassOptions passes;
  bool pack_builtins = false;
  bool info = false;
  bool time = false;
  bool list_passes = false;
  bool markdown = false;
  std::string cpu;
  bool help = false;
};

struct Option {
  const char* name;  ///< with '=' when it takes a value
  const char* meaning;
  bool (*apply)(Settings&, llvm::StringRef value);
};

/// Names of passes, with commas; `all` only where that means something.
bool append(std::vector<std::string>& list, llvm::StringRef value, bool or_all = false) {
  if (or_all && value == "all") return list.push_back("all"), true;
  auto names = passes::pass_names(value, /*required_too=*/true);
  if (!names) {
    llvm::errs() << "weftc: " << llvm::toString(names.takeError()) << "\n";
    return false;
  }
  list.insert(list.end(), names->begin(), names->end());
  return !names->empty();
}

bool set_local_size(Settings& settings, llvm::StringRef value) {
  llvm::SmallVector<llvm::StringRef, 3> parts;
  value.split(parts, ',');
  if (parts.size() > 3) return false;
  for (auto& size : settings.specialization.local_size) size = 1;
  for (std::size_t d = 0; d < parts.size(); ++d)
    if (parts[d].getAsInteger(10, settings.specialization.local_size[d])) return false;
  return true;
}

constexpr Option kOptions[] = {
    {"--kernel=", "the kernel to compile (default: the only one)",
     [](Settings& s, llvm::StringRef v) { return s.kernel = v.str(), true; }},
    {"--local-size=", "X,Y,Z: specialize on this work-group size (default: any)", set_local_size},
    {"--ids-fit-31-bits", "assume that all global ids are below 2^31",
     [](Settings& s, llvm::StringRef) { return s.specialization.ids_fit_31_bits = true; }},
    {"--fuse-groups=", "K: run K work-groups side by side along x as one block (default: 1)",
     [](Settings& s, llvm::StringRef v) {
       return !v.getAsInteger(10, s.specialization.groups) && s.specialization.groups >= 1;
     }},
    {"--partial-blocks", "the number of groups may be no multiple of --fuse-groups",
     [](Settings& s, llvm::StringRef) { return s.specialization.whole_blocks = false, true; }},
    {"--options=", "options of clBuildProgram",
     [](Settings& s, llvm::StringRef v) { return s.options = v.str(), true; }},
    {"--emit=",
     "frontend, scalar (all kernels, after the scalar passes), llvm (the group function), asm, or obj",
     [](Settings& s, llvm::StringRef v) {
       s.emit = v.str();
       return v == "frontend" || v == "scalar" || v == "llvm" || v == "asm" || v == "obj";
     }},
    {"--passes=", "a,b: run only these passes on an .ll or .bc module, at whatever stage it is, and print it",
     [](Settings& s, llvm::StringRef v) { return append(s.passes.only, v); }},
    {"--stop-after=", "the last pass to run; prints the module",
     [](Settings& s, llvm::StringRef v) {
       std::vector<std::string> names;
       if (!append(names, v)) return false;
       s.passes.stop_after = names.back();
       return true;
     }},
    {"--print-after=", "a,b or all: print the module to standard error after these passes",
     [](Settings& s, llvm::StringRef v) { return append(s.passes.print_after, v, true); }},
    {"--disable=", "a,b: leave these passes out",
     [](Settings& s, llvm::StringRef v) { return append(s.passes.disable, v); }},
    {"--verify-each", "verify the module after each pass",
     [](Settings& s, llvm::StringRef) { return s.passes.verify_each = true; }},
    {"--required-only", "required passes alone: one warp a body, nothing moved between lanes, warps or groups, line tables whole",
     [](Settings& s, llvm::StringRef) { return s.specialization.required_only = s.passes.required_only = true; }},
    {"--list-passes", "without an input: every pass, a line each; with one: name each on standard error as it is reached",
     [](Settings& s, llvm::StringRef) { return s.list_passes = s.passes.trace = true; }},
    {"--list-passes=markdown", "the table of docs/passes.md",
     [](Settings& s, llvm::StringRef) { return s.list_passes = s.markdown = true; }},
    {"--print-shapes", "print the regions as `widen` gets them, each value with its shape, and stop",
     [](Settings& s, llvm::StringRef) { return s.passes.print_shapes = true; }},
    {"--cpu=", "NAME: make code for this processor, by LLVM's name (default: this one)",
     [](Settings& s, llvm::StringRef v) { return s.cpu = v.str(), true; }},
    {"--coarsen=", "J: run J warps (1, 2, 4 or 8) coarsened in one body (default: as the compiler finds best)",
     [](Settings& s, llvm::StringRef v) {
       return !v.getAsInteger(10, s.passes.coarsening) && (s.passes.coarsening == 1 || s.passes.coarsening == 2 || s.passes.coarsening == 4 ||
              s.passes.coarsening == 8);
     }},
    {"--scalarize-loops=", "always or never: which of the loops that may run for one lane after the other do (default: where it is faster)",
     [](Settings& s, llvm::StringRef v) {
       s.passes.scalarize_loops = v == "always" ? passes::ScalarizeLoops::kAlways : passes::ScalarizeLoops::kNever;
       return v == "always" || v == "never";
     }},
    {"--remarks", "say on standard error what could not be widened",
     [](Settings& s, llvm::StringRef) { return s.passes.remarks = true; }},
    {"--info", "describe the kernels on standard error",
     [](Settings& s, llvm::StringRef) { return s.info = true; }},
    {"--time", "say on standard error how long each stage took",
     [](Settings& s, llvm::StringRef) { return s.time = true; }},
    {"--pack-builtins", "make weft-builtins.bc of FILE.bc, the builtins linked to one module",
     [](Settings& s, llvm::StringRef) { return s.pack_builtins = true; }},
    {"--help", "this text", [](Settings& s, llvm::StringRef) { return s.help = true; }},
};

void print_help() {
  std::puts(
      "usage: weftc [options] FILE.cl|FILE.ll|FILE.bc|-\n"
      "  -o FILE\n      where the result goes (default: standard output)");
  for (const Option& option : kOptions) std::printf("  %s\n      %s\n", option.name, option.meaning);
}

bool parse_arguments(int argc, char** argv, Settings& settings) {
  for (int i = 1; i < argc; ++i) {
    const llvm::StringRef argument = argv[i];
    if (argument == "-o" && i + 1 < argc) {
      settings.output = argv[++i];
      continue;
    }
    const Option* match = nullptr;
    for (const Option& option : kOptions) {
      const llvm::StringRef name = option.name;
      if (name.ends_with("=") ? argument.starts_with(name) : argument == name) match = &option;
    }
    if (match != nullptr) {
      if (match->apply(settings, argument.substr(llvm::StringRef(match->name).size()))) continue;
      std::fprintf(stderr, "weftc: bad value in '%s'\n", argv[i]);
      return false;
    }
    if (argument != "-" && argument.starts_with("-")) {
      std::fprintf(stderr, "weftc: unknown option '%s' (see --help)\n", argv[i]);
      return false;
    }
    settings.input = argument.str();
  }
  if (settings.input.empty() && !settings.help && !settings.list_passes) std::fprintf(stderr, "weftc: no input (see --help)\n");
  return settings.help || settings.list_passes || !settings.input.empty();
}

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

void print_info(const llvm::Module& module) {
  for (const KernelInfo& kernel : linker::describe_kernels(module)) {
    llvm::errs() << "kernel " << kernel.name << ": arguments " << kernel.argument_bytes << " bytes, local "
                 << kernel.local_bytes << ", private " << kernel.private_bytes
                 << (kernel.uses_barrier ? ", barrier" : "") << (kernel.uses_printf ? ", printf" : "")
                 << (kernel.groups_may_fuse ? ", fusible" : "")
                 << " ["
                 << kernel.attributes << "]\n";
    for (const KernelArg& arg : kernel.args)
      llvm::errs() << "  " << arg.offset << " +" << arg.size << " align " << arg.align << " space "
                   << unsigned(arg.address_space) << " kind " << unsigned(arg.kind) << " qualifiers "
                   << unsigned(arg.type_qualifiers) << ": " << arg.type_name << " " << arg.name << "\n";
  }
}

std::unique_ptr<llvm::Module> read_source(const Settings& settings, llvm::StringRef text,
                                          llvm::LLVMContext& context) {
  std::string log;
  std::vector<Dependency> dependencies;
  std::unique_ptr<llvm::Module> module;
  auto options = frontend::parse_compile_options(settings.options, log);
  if (options) {
    options->debug_info |= settings.specialization.required_only;
    if (options->source_name.empty()) options->source_name = settings.input;
    module = frontend::compile_to_module(text.str(), {}, *options, context, log, dependencies);
  }
  llvm::errs() << log;
  return module;
}

std::unique_ptr<llvm::Module> read_input(const Settings& settings, llvm::LLVMContext& context,
                                         bool& is_source) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(settings.input, /*IsText=*/true);
  if (!buffer) {
    llvm::errs() << "weftc: cannot read '" << settings.input << "': " << buffer.getError().message() << "\n";
    return nullptr;
  }
  const llvm::StringRef name = settings.input;
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
  const llvm::SmallVector<char, 0> bytes = linker::pack_library(*module);
  std::error_code code;
  llvm::raw_fd_ostream stream(settings.output, code);
  stream.write(bytes.data(), bytes.size());
  stream.close();
  return stream.has_error() ? 1 : 0;
}

int compile_file(const Settings& settings) {
  if (llvm::Error error = target::choose_cpu(settings.cpu, /*must_run_here=*/false)) return report(std::move(error));
  if (settings.pack_builtins) return pack_builtins(settings);
  Stopwatch watch(settings.time);
  const auto machine = target::make_target_machine();
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
  if (!control.selective()) {
    if (kernel.empty()) kernel = choose_kernel(settings, *module);
    if (kernel.empty()) return 1;
    // As generate() does: through bitcode, only what the kernel needs.
    llvm::SmallVector<char, 0> buffer;
    llvm::raw_svector_ostream bitcode(buffer);
    llvm::WriteBitcodeToFile(*module, bitcode);
    auto extracted = pipeline::extract_kernel(Bytes(buffer.begin(), buffer.end()), kernel, context);
    if (!extracted) return report(extracted.takeError());
    module = std::move(*extracted);
    watch.lap("extract");
  }
  pipeline::Compilation compilation(*module, kernel, settings.specialization, *machine, control);
  if (settings.emit == "asm") compilation.file_kind = codegen::FileKind::kAssembly;
  for (const passes::Scope scope : {passes::Scope::kKernel, passes::Scope::kCode}) {
    llvm::Error error = pipeline::run_passes(scope, compilation);
    if (scope == passes::Scope::kCode || error) llvm::errs() << control.remarks();
    if (error) return report(std::move(error));
    watch.lap(scope == passes::Scope::kKernel ? "widen" : "code");
  }
  return write_output(settings, *module, llvm::StringRef(compilation.code.data(), compilation.code.size()));
}

}  // namespace
}  // namespace weft::compiler::driver

int main(int argc, char** argv) {
  using namespace weft::compiler;
  driver::Settings settings;
  if (!driver::parse_arguments(argc, argv, settings)) return 2;
  if (settings.help) {
    driver::print_help();
    return 0;
  }
  if (settings.list_passes && settings.input.empty()) {
    std::fputs(passes::describe_passes(settings.markdown).c_str(), stdout);
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
