#include "runtime/program_binary.h"

#include <cstring>

#include "runtime/compiler_loader.h"
#include "runtime/hash.h"
#include "runtime/serialize.h"

namespace weft::runtime {
namespace {

/// The container: magic, checksum of the rest, then the rest as `encode` writes it.
constexpr std::uint8_t kMagic[8] = {'W', 'e', 'f', 't', 'P', 'r', 'g', '2'};
constexpr std::size_t kRestAt = sizeof kMagic + sizeof(Hash);

bool is_known(cl_program_binary_type type) {
  return type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT || type == CL_PROGRAM_BINARY_TYPE_LIBRARY ||
         type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
}

}  // namespace

compiler::Bytes encode(const ProgramBinary& binary) {
  Writer rest;
  rest.bytes(compiler_identity());
  rest.number(binary.type);
  rest.text(binary.options);
  write(rest, binary.kernels);
  rest.bytes(binary.bitcode);
  const compiler::Bytes data = rest.take();
  const Hash checksum = Hasher().field(data).finish();
  Writer out;
  out.append(kMagic, sizeof kMagic);
  out.append(checksum.data(), checksum.size());
  out.append(data.data(), data.size());
  return out.take();
}

std::optional<ProgramBinary> decode(std::span<const std::uint8_t> data) {
  if (data.size() < kRestAt || std::memcmp(data.data(), kMagic, sizeof kMagic) != 0) return std::nullopt;
  const auto rest = data.subspan(kRestAt);
  const Hash checksum = Hasher().field(rest).finish();
  if (std::memcmp(data.data() + sizeof kMagic, checksum.data(), checksum.size()) != 0) return std::nullopt;

  Reader in(rest);
  const compiler::Bytes identity = in.bytes();
  const Hash& ours = compiler_identity();
  if (identity.size() != ours.size() || std::memcmp(identity.data(), ours.data(), ours.size()) != 0) {
    return std::nullopt;
  }
  ProgramBinary binary;
  binary.type = in.number<cl_program_binary_type>();
  binary.options = in.text();
  binary.kernels = read_kernels(in);
  binary.bitcode = in.bytes();
  if (!in.done() || !is_known(binary.type)) return std::nullopt;
  return binary;
}

}  // namespace weft::runtime
