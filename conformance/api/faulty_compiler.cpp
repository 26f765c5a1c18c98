// A compiler that fails where it optimizes, for libweft.so in place of its own (WEFT_COMPILER): that of WEFT_SOUND_COMPILER, but in each call for optimized
// code its process ends, or it goes on for ever (WEFT_FAULT: ends, endless).
#include <dlfcn.h>

#include <cstdlib>
#include <string>

#include "compiler/compiler_api.h"

namespace weft::compiler {
namespace {

const Api* sound = nullptr;

[[maybe_unused]] void ends() { std::abort(); }

[[maybe_unused]] void endless() {
  for (volatile bool goes_on = true; goes_on;) {
  }
}

GenerateResult generate(const Bytes& program, const std::string& kernel, const Specialization& specialization) {
  if (!specialization.required_only) WEFT_FAULT();
  return sound->generate(program, kernel, specialization);
}

GenerateResult generate_ahead(const Bytes& program, const std::string& kernel, const Specialization& specialization) {
  if (!specialization.required_only) WEFT_FAULT();
  return sound->generate_ahead(program, kernel, specialization);
}

}  // namespace
}  // namespace weft::compiler

extern "C" __attribute__((visibility("default"))) const weft::compiler::Api* weft_compiler_api(std::uint32_t version, const weft::compiler::Options& options,
                                                                                                bool& refuses_options, std::string& error) {
  using namespace weft::compiler;
  void* library = dlopen(WEFT_SOUND_COMPILER, RTLD_NOW | RTLD_LOCAL);
  const auto get = library ? reinterpret_cast<GetApi>(dlsym(library, "weft_compiler_api")) : nullptr;
  if (!get) {
    error = "no sound compiler";
    return nullptr;
  }
  sound = get(version, options, refuses_options, error);
  if (!sound) return nullptr;
  static Api api = *sound;
  api.generate = generate;
  api.generate_ahead = generate_ahead;
  return &api;
}
