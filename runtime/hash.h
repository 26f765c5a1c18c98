// SHA-256 (FIPS 180-4): cache keys and checksums. Keys name files that other processes trust, so no weak
// hash.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace weft::runtime {

using Hash = std::array<std::uint8_t, 32>;

class Hasher {
 public:
  Hasher& bytes(const void* data, std::size_t size);
  /// Length first, so that no two sequences of fields collide.
  Hasher& field(std::string_view text);
  Hasher& field(std::span<const std::uint8_t> data);
  Hasher& field(std::uint64_t number);
  /// The digest; the hasher is spent.
  Hash finish();

 private:
  void block(const std::uint8_t* data);

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::uint8_t, 64> buffer_;
  std::uint64_t size_ = 0;
};

/// In lower-case hexadecimal digits.
std::string to_hex(const Hash& hash);

/// What compiler::Dependency::content_hash says of a file's text.
std::uint64_t content_hash(std::string_view text);

}  // namespace weft::runtime
