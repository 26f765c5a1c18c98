// Program binaries: what stands behind the container's checksum and identity, which are made right here; whole, or the bitcode alone.
#include <cstdlib>
#include <cstring>

#include "compiler/serialize.h"
#include "fuzz/built.h"
#include "fuzz/inputs.h"
#include "runtime/build.h"
#include "runtime/compiler_loader.h"
#include "runtime/executable.h"
#include "runtime/hash.h"
#include "runtime/program_binary.h"

using namespace weft;

namespace {

/// The container of `rest` that Weft would take for its own.
compiler::Bytes sealed(const compiler::Bytes& rest) {
  compiler::Writer all;
  all.append(runtime::compiler_identity().data(), sizeof(runtime::Hash));
  all.append(rest.data(), rest.size());
  const compiler::Bytes text = all.take();
  const runtime::Hash checksum = runtime::Hasher().field(text).finish();
  // The magic is a good binary's.
  const compiler::Bytes empty = runtime::encode({});
  compiler::Writer out;
  out.append(empty.data(), 8);
  out.append(checksum.data(), checksum.size());
  out.append(text.data(), text.size());
  return out.take();
}

compiler::Bytes container(fuzz::Input kind, compiler::Bytes rest) {
  if (kind == fuzz::Input::kWhole) return sealed(rest);
  const cl_program_binary_type type =
      kind == fuzz::Input::kProgram ? CL_PROGRAM_BINARY_TYPE_EXECUTABLE : CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
  return runtime::encode({type, "", std::move(rest)});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return -1;
  const auto binary = runtime::decode(container(fuzz::kind_of(data[0]), {data + 1, data + size}));
  if (!binary) return -1;
  const bool is_program = binary->type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
  const runtime::BuildResult built = is_program ? runtime::describe(binary->bitcode) : runtime::link({&binary->bitcode}, "", false);
  if (!fuzz::is_sound(built)) return 0;
  const runtime::Executable executable(built.bitcode, built.kernels, built.memory);
  return 0;
}
