// XXH3 of 128 bits: cache keys and checksums, which tell apart what chance could confuse. It is no defence against one who
// seeks two texts of one hash: what the cache's folder holds is trusted for its owner and mode.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "compiler/serialize.h"

namespace weft::runtime {

/// In the canonical order of bytes, so that its digits are those of `xxhsum -H2`.
using Hash = std::array<std::uint8_t, 16>;

class Hasher {
 public:
  /// Throws std::bad_alloc.
  Hasher();

  Hasher& bytes(const void* data, std::size_t size);
  /// Length first, so that no two sequences of fields collide.
  Hasher& field(std::string_view text);
  Hasher& field(std::span<const std::uint8_t> data);
  Hasher& field(std::uint64_t number);
  /// All fields of a structure.
  template <class T>
    requires compiler::Structure<const T>
  Hasher& field(const T& value) {
    compiler::encode_value(value, [this](const void* data, std::size_t size) { bytes(data, size); });
    return *this;
  }
  /// The hash of all so far.
  Hash finish() const;

 private:
  struct State;  ///< xxHash's, whose header stays out of this one
  struct Free {
    void operator()(State* state) const noexcept;
  };
  std::unique_ptr<State, Free> state_;
};

/// Of so many bytes.
Hash hash_of(const void* data, std::size_t size) noexcept;

/// In lower-case hexadecimal digits.
std::string to_hex(const Hash& hash);

/// What compiler::Dependency::content_hash says of a file's text: XXH3 of 64 bits.
std::uint64_t content_hash(std::string_view text);

/// For std::unordered_map, of keys that are equal if all their bytes are.
struct HashOfBytes {
  template <class T>
  std::size_t operator()(const T& key) const noexcept {
    static_assert(std::has_unique_object_representations_v<T>);
    return content_hash({reinterpret_cast<const char*>(&key), sizeof key});
  }
};

}  // namespace weft::runtime
