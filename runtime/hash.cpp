#include "runtime/hash.h"

// All of it in this file: no library to link or to load.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstring>
#include <new>

namespace weft::runtime {

struct Hasher::State : XXH3_state_t {};

void Hasher::Free::operator()(State* state) const noexcept { delete state; }

Hasher::Hasher() : state_(new State) { XXH3_128bits_reset(state_.get()); }

Hasher& Hasher::bytes(const void* data, std::size_t size) {
  if (size) XXH3_128bits_update(state_.get(), data, size);
  return *this;
}

Hasher& Hasher::field(std::uint64_t number) { return bytes(&number, sizeof number); }

Hasher& Hasher::field(std::string_view text) { return field(text.size()).bytes(text.data(), text.size()); }

Hasher& Hasher::field(std::span<const std::uint8_t> data) {
  return field(data.size()).bytes(data.data(), data.size());
}

namespace {

Hash canonical_hash(XXH128_hash_t digest) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, digest);
  Hash hash;
  static_assert(sizeof canonical.digest == sizeof hash);
  std::memcpy(hash.data(), canonical.digest, sizeof hash);
  return hash;
}

}  // namespace

Hash Hasher::finish() const { return canonical_hash(XXH3_128bits_digest(state_.get())); }

Hash hash_of(const void* data, std::size_t size) noexcept { return canonical_hash(XXH3_128bits(data, size)); }

std::string to_hex(const Hash& hash) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : hash) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::uint64_t content_hash(std::string_view text) { return XXH3_64bits(text.data(), text.size()); }

}  // namespace weft::runtime
