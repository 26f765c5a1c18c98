// The one symbol that libweft-compiler.so exports.
#include <sys/resource.h>

#include <mutex>

#include "compiler/linker/builtin_library.h"
#include "compiler/support/deep_thread.h"
#include "compiler/pipeline/pipeline.h"
#include "compiler/linker/link.h"
#include "compiler/target/target.h"
#include "compiler/compiler_api.h"
#include "compiler/frontend/compile.h"
#include "compiler/spirv/read.h"
#include "device/kernel_abi.h"
#include "llvm/Config/llvm-config.h"

namespace weft::compiler {
namespace {

/// Set by the first call of weft_compiler_api().
passes::PassOptions& pass_options() {
  static passes::PassOptions options;
  return options;
}

/// Runs `work`, which returns a Result, on a deep thread; what it could not finish is a failed Result.
template <typename Result, typename Work>
Result guarded(Work work) noexcept {
  Result result;
  try {
    std::string error;
    if (!support::run_on_deep_thread([&] { result = work(); }, error)) {
      result = Result();
      result.log = error;
    }
  } catch (...) {
    result = Result();
  }
  return result;
}

CompileResult compile(const std::string& source, const std::vector<Header>& headers,
                      const std::string& options, bool line_tables, bool* invalid_options) {
  if (invalid_options != nullptr) *invalid_options = false;
  return guarded<CompileResult>(
      [&] { return frontend::compile(source, headers, options, line_tables, invalid_options); });
}

CompileResult translate(const Bytes& module, const std::vector<SpecConstant>& constants, const std::string& options,
                        bool* invalid_options) {
  if (invalid_options != nullptr) *invalid_options = false;
  return guarded<CompileResult>([&] { return spirv::translate(module, constants, options, invalid_options); });
}

LinkResult link(const std::vector<const Bytes*>& objects, const std::string& options, bool create_library,
                bool* invalid_options) {
  if (invalid_options != nullptr) *invalid_options = false;
  return guarded<LinkResult>(
      [&] { return pipeline::link(objects, options, create_library, invalid_options, pass_options()); });
}

LinkResult build(const std::string& source, const std::string& options, bool line_tables, bool* invalid_options) {
  if (invalid_options != nullptr) *invalid_options = false;
  return guarded<LinkResult>([&] { return pipeline::build(source, options, line_tables, invalid_options, pass_options()); });
}

LinkResult describe(const Bytes& program) {
  return guarded<LinkResult>([&] { return pipeline::describe(program); });
}

GenerateResult generate_here(const Bytes& program, const std::string& kernel, const Specialization& specialization) {
  passes::PassOptions options = pass_options();
  options.required_only = specialization.required_only || specialization.counted;
  options.count_lanes = specialization.traced;
  passes::PassControl control(options);
  return pipeline::generate(program, kernel, specialization, control);
}

GenerateResult generate(const Bytes& program, const std::string& kernel, const Specialization& specialization) {
  return guarded<GenerateResult>([&] { return generate_here(program, kernel, specialization); });
}

GenerateResult generate_ahead(const Bytes& program, const std::string& kernel, const Specialization& specialization) {
  return guarded<GenerateResult>([&] {
    // Of this thread alone, which ends with the work. Two fifths of what a launch's worker gets beside it: with less, code that a launch comes to
    // wait for is late.
    constexpr int kNicer = 4;
    setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + kNicer);
    return generate_here(program, kernel, specialization);
  });
}

std::string make_identity() {
  return "weft-compiler api " + std::to_string(kApiVersion) + " abi " + std::to_string(abi::kAbiVersion) +
         " llvm " LLVM_VERSION_STRING " builtins " + std::to_string(linker::library_hash()) + " cpu " +
         target::host_cpu();
}

}  // namespace
}  // namespace weft::compiler

extern "C" __attribute__((visibility("default"))) const weft::compiler::Api* weft_compiler_api(
    std::uint32_t version, const weft::compiler::Options& options, bool& refuses_options, std::string& error) {
  using namespace weft::compiler;
  refuses_options = false;
  if (version != kApiVersion) {
    error = "it is of another version";
    return nullptr;
  }
  static std::mutex mutex;
  static const Api* made = nullptr;
  static std::string identity;
  const std::lock_guard lock(mutex);
  if (made != nullptr) return made;
  refuses_options = true;
  auto disable = passes::pass_names(options.disable, /*required_too=*/false);
  if (!disable) {
    error = "WEFT_DISABLE: " + llvm::toString(disable.takeError());
    return nullptr;
  }
  if (llvm::Error refused = target::choose_cpu(options.cpu, /*must_run_here=*/true)) {
    error = "WEFT_CPU: " + llvm::toString(std::move(refused));
    return nullptr;
  }
  refuses_options = false;
  pass_options().disable = std::move(*disable);
  pass_options().remarks = options.remarks;
  identity = make_identity();
  static const Api api = {kApiVersion, identity.c_str(), compile, translate, link, build, describe, generate, generate_ahead};
  return made = &api;
}
