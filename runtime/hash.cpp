#include "runtime/hash.h"

#include <bit>
#include <cstring>

namespace weft::runtime {
namespace {

constexpr std::array<std::uint32_t, 64> kRounds = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t big_endian(const std::uint8_t* data) {
  return std::uint32_t{data[0]} << 24 | std::uint32_t{data[1]} << 16 | std::uint32_t{data[2]} << 8 | data[3];
}

}  // namespace

void Hasher::block(const std::uint8_t* data) {
  std::array<std::uint32_t, 64> w;
  for (int i = 0; i < 16; ++i) w[i] = big_endian(data + 4 * i);
  for (int i = 16; i < 64; ++i) {
    const std::uint32_t s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
    const std::uint32_t s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, h] = state_;
  for (int i = 0; i < 64; ++i) {
    const std::uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const std::uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + kRounds[i] + w[i];
    const std::uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const std::uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  const std::uint32_t sums[] = {a, b, c, d, e, f, g, h};
  for (int i = 0; i < 8; ++i) state_[i] += sums[i];
}

Hasher& Hasher::bytes(const void* data, std::size_t size) {
  const auto* in = static_cast<const std::uint8_t*>(data);
  const std::size_t held = size_ % 64;
  size_ += size;
  if (held) {
    const std::size_t missing = 64 - held;
    if (size < missing) {
      if (size) std::memcpy(buffer_.data() + held, in, size);
      return *this;
    }
    std::memcpy(buffer_.data() + held, in, missing);
    block(buffer_.data());
    in += missing;
    size -= missing;
  }
  for (; size >= 64; in += 64, size -= 64) block(in);
  if (size) std::memcpy(buffer_.data(), in, size);
  return *this;
}

Hasher& Hasher::field(std::uint64_t number) { return bytes(&number, sizeof number); }

Hasher& Hasher::field(std::string_view text) { return field(text.size()).bytes(text.data(), text.size()); }

Hasher& Hasher::field(std::span<const std::uint8_t> data) {
  return field(data.size()).bytes(data.data(), data.size());
}

Hash Hasher::finish() {
  const std::uint64_t bits = size_ * 8;
  static constexpr std::uint8_t kPadding[64] = {0x80};
  bytes(kPadding, 1 + (119 - size_ % 64) % 64);
  std::uint8_t length[8];
  for (int i = 0; i < 8; ++i) length[i] = static_cast<std::uint8_t>(bits >> (56 - 8 * i));
  bytes(length, 8);
  Hash hash;
  for (int i = 0; i < 32; ++i) hash[i] = static_cast<std::uint8_t>(state_[i / 4] >> (24 - 8 * (i % 4)));
  return hash;
}

std::string to_hex(const Hash& hash) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : hash) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

// XXH64 with seed 0, as LLVM's xxHash64 computes it for compiler::Dependency::content_hash.
std::uint64_t content_hash(std::string_view text) {
  constexpr std::uint64_t kP1 = 0x9E3779B185EBCA87, kP2 = 0xC2B2AE3D27D4EB4F, kP3 = 0x165667B19E3779F9,
                          kP4 = 0x85EBCA77C2B2AE63, kP5 = 0x27D4EB2F165667C5;
  const auto load64 = [](const char* from) {
    std::uint64_t value;
    std::memcpy(&value, from, 8);
    return value;
  };
  const auto round = [](std::uint64_t sum, std::uint64_t in) { return std::rotl(sum + in * kP2, 31) * kP1; };
  const char* in = text.data();
  const char* const end = in + text.size();
  std::uint64_t hash = kP5;
  if (text.size() >= 32) {
    std::array<std::uint64_t, 4> sums = {kP1 + kP2, kP2, 0, 0 - kP1};
    for (; end - in >= 32; in += 32) {
      for (int i = 0; i < 4; ++i) sums[i] = round(sums[i], load64(in + 8 * i));
    }
    hash = std::rotl(sums[0], 1) + std::rotl(sums[1], 7) + std::rotl(sums[2], 12) + std::rotl(sums[3], 18);
    for (const std::uint64_t sum : sums) hash = (hash ^ round(0, sum)) * kP1 + kP4;
  }
  hash += text.size();
  for (; end - in >= 8; in += 8) hash = std::rotl(hash ^ round(0, load64(in)), 27) * kP1 + kP4;
  if (end - in >= 4) {
    std::uint32_t word;
    std::memcpy(&word, in, 4);
    hash = std::rotl(hash ^ word * kP1, 23) * kP2 + kP3;
    in += 4;
  }
  for (; in < end; ++in) hash = std::rotl(hash ^ static_cast<std::uint8_t>(*in) * kP5, 11) * kP1;
  hash = (hash ^ hash >> 33) * kP2;
  hash = (hash ^ hash >> 29) * kP3;
  return hash ^ hash >> 32;
}

}  // namespace weft::runtime
