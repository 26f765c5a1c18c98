// Entries of the cache with a checksum that is right: what builds and launches read of them, machine code and all. It is loaded, not run.
#include "compiler/serialize.h"
#include "device/code.h"
#include "runtime/build.h"
#include "runtime/dependencies.h"
#include "runtime/executable.h"

using namespace weft;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return -1;
  compiler::Reader in({data + 1, size - 1});
  if (data[0] % 2 == 0) {
    const auto dependencies = in.value<runtime::Dependencies>();
    auto result = in.value<runtime::BuildResult>();
    if (!in.done()) return -1;
    runtime::may_be_kept(dependencies);
    const runtime::Executable executable(std::move(result.bitcode), std::move(result.kernels));
    executable.find("k");
  } else {
    const auto generated = in.value<compiler::GenerateResult>();
    if (!in.done()) return -1;
    std::string error;
    device::Code::load(generated.object, generated.symbol, {}, &error);
  }
  return 0;
}
