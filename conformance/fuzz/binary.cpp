// Program binaries: the input is what stands behind the container's checksum and identity, which are made right here.
#include <cstdlib>
#include <cstring>

#include "compiler/serialize.h"
#include "runtime/build.h"
#include "runtime/compiler_loader.h"
#include "runtime/executable.h"
#include "runtime/hash.h"
#include "runtime/program_binary.h"

using namespace weft;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  compiler::Writer rest;
  rest.append(runtime::compiler_identity().data(), sizeof(runtime::Hash));
  rest.append(data, size);
  const compiler::Bytes text = rest.take();
  const runtime::Hash checksum = runtime::Hasher().field(text).finish();
  // The magic is a good binary's.
  const compiler::Bytes empty = runtime::encode({});
  compiler::Writer out;
  out.append(empty.data(), 8);
  out.append(checksum.data(), checksum.size());
  out.append(text.data(), text.size());
  const auto binary = runtime::decode(out.take());
  if (!binary) return -1;
  const bool is_program = binary->type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
  const runtime::BuildResult built = is_program ? runtime::describe(binary->bitcode) : runtime::link({&binary->bitcode}, "", false);
  if (!built.ok) {
    if (built.log.empty()) std::abort();  // a failure says why
    return 0;
  }
  for (const compiler::KernelInfo& kernel : built.kernels) {
    std::uint64_t end = 0;
    for (const compiler::KernelArg& argument : kernel.args) {
      if (argument.offset < end) std::abort();
      end = std::uint64_t{argument.offset} + argument.size;
    }
    if (end > kernel.argument_bytes) std::abort();
  }
  const runtime::Executable executable(built.bitcode, built.kernels);
  return 0;
}
