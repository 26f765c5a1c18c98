#include "runtime/program_binary.h"

#include <cstring>

#include "runtime/compiler_loader.h"
#include "runtime/hash.h"
#include "compiler/serialize.h"

namespace weft::runtime {
namespace {

using compiler::Reader;
using compiler::Writer;

/// The container: magic, checksum of the rest, the compiler's identity, and the ProgramBinary.
constexpr std::uint8_t kMagic[8] = {'W', 'e', 'f', 't', 'P', 'r', 'g', '3'};
constexpr std::size_t kRestAt = sizeof kMagic + sizeof(Hash);
constexpr std::size_t kBinaryAt = kRestAt + sizeof(Hash);

bool is_known(cl_program_binary_type type) {
  return type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT || type == CL_PROGRAM_BINARY_TYPE_LIBRARY ||
         type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
}

}  // namespace

compiler::Bytes encode(const ProgramBinary& binary) {
  Writer rest;
  rest.append(compiler_identity().data(), sizeof(Hash));
  rest.value(binary);
  const compiler::Bytes data = rest.take();
  const Hash checksum = Hasher().field(data).finish();
  Writer out;
  out.append(kMagic, sizeof kMagic);
  out.append(checksum.data(), checksum.size());
  out.append(data.data(), data.size());
  return out.take();
}

std::optional<ProgramBinary> decode(std::span<const std::uint8_t> data) {
  if (data.size() < kBinaryAt || std::memcmp(data.data(), kMagic, sizeof kMagic) != 0) return std::nullopt;
  const auto rest = data.subspan(kRestAt);
  const Hash checksum = Hasher().field(rest).finish();
  if (std::memcmp(data.data() + sizeof kMagic, checksum.data(), checksum.size()) != 0) return std::nullopt;

  if (std::memcmp(rest.data(), compiler_identity().data(), sizeof(Hash)) != 0) return std::nullopt;
  Reader in(data.subspan(kBinaryAt));
  auto binary = in.value<ProgramBinary>();
  if (!in.done() || !is_known(binary.type)) return std::nullopt;
  return binary;
}

}  // namespace weft::runtime
