// Entries of the cache with a checksum that is right: what builds and launches read of them, machine code and all. It is loaded, not run.
#include "compiler/serialize.h"
#include "device/code.h"
#include "fuzz/inputs.h"
#include "runtime/build.h"
#include "runtime/dependencies.h"
#include "runtime/executable.h"

using namespace weft;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return -1;
  const std::span<const std::uint8_t> rest(data + 1, size - 1);
  compiler::Reader in(rest);
  std::string error;
  switch (fuzz::kind_of(data[0])) {
    case fuzz::Input::kWhole: {
      const auto dependencies = in.value<runtime::Dependencies>();
      auto result = in.value<runtime::BuildResult>();
      if (!in.done()) return -1;
      runtime::are_unchanged(dependencies);
      const runtime::Executable executable(std::move(result.bitcode), std::move(result.kernels), result.memory);
      executable.find("k");
      break;
    }
    case fuzz::Input::kProgram: {
      const auto generated = in.value<compiler::GenerateResult>();
      if (!in.done()) return -1;
      device::Code::load(generated.object, generated.symbol, {}, &error);
      break;
    }
    case fuzz::Input::kObject:
      device::Code::load(rest, "k", {}, &error);
      break;
  }
  return 0;
}
