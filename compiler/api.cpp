// The one symbol that libweft-compiler.so exports.
#include "compiler/codegen/builtin_library.h"
#include "compiler/codegen/deep_thread.h"
#include "compiler/codegen/generate.h"
#include "compiler/codegen/link.h"
#include "compiler/codegen/target.h"
#include "compiler/compiler_api.h"
#include "compiler/frontend/compile.h"
#include "device/kernel_abi.h"
#include "llvm/Config/llvm-config.h"

namespace weft::compiler {
namespace {

/// Runs `work`, which returns a Result, on a deep thread; what it could not finish is a failed Result.
template <typename Result, typename Work>
Result guarded(Work work) noexcept {
  Result result;
  try {
    std::string error;
    if (!codegen::run_on_deep_thread([&] { result = work(); }, error)) {
      result = Result();
      result.log = error;
    }
  } catch (...) {
    result = Result();
  }
  return result;
}

CompileResult compile(const std::string& source, const std::vector<Header>& headers,
                      const std::string& options, bool* invalid_options) {
  if (invalid_options != nullptr) *invalid_options = false;
  return guarded<CompileResult>([&] { return frontend::compile(source, headers, options, invalid_options); });
}

LinkResult link(const std::vector<const Bytes*>& objects, const std::string& options, bool create_library,
                bool* invalid_options) {
  if (invalid_options != nullptr) *invalid_options = false;
  return guarded<LinkResult>(
      [&] { return codegen::link(objects, options, create_library, invalid_options); });
}

GenerateResult generate(const Bytes& program, const std::string& kernel,
                        const Specialization& specialization) {
  return guarded<GenerateResult>([&] {
    simt::PassControl control(simt::library_options());
    return codegen::generate(program, kernel, specialization, control);
  });
}

std::string make_identity() {
  return "weft-compiler api " + std::to_string(kApiVersion) + " abi " + std::to_string(abi::kAbiVersion) +
         " llvm " LLVM_VERSION_STRING " builtins " + std::to_string(codegen::library_hash()) + " cpu " +
         codegen::host_cpu();
}

}  // namespace
}  // namespace weft::compiler

extern "C" __attribute__((visibility("default"))) const weft::compiler::Api* weft_compiler_api(
    std::uint32_t version) {
  using namespace weft::compiler;
  if (version != kApiVersion) return nullptr;
  static const std::string identity = make_identity();
  static const Api api = {kApiVersion, identity.c_str(), compile, link, generate};
  return &api;
}
