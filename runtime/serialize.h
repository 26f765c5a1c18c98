// Bytes of our own formats (cache entries, program binaries). Readers trust no length.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "compiler/compiler_api.h"

namespace weft::runtime {

using compiler::Bytes;

class Writer {
 public:
  template <class T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void number(T value) {
    append(&value, sizeof value);
  }
  void bytes(std::span<const std::uint8_t> data) {
    number<std::uint64_t>(data.size());
    append(data.data(), data.size());
  }
  void text(std::string_view data) {
    number<std::uint64_t>(data.size());
    append(data.data(), data.size());
  }
  void append(const void* data, std::size_t size) {
    const std::size_t at = out_.size();
    out_.resize(at + size);
    if (size) std::memcpy(out_.data() + at, data, size);
  }
  Bytes take() { return std::move(out_); }

 private:
  Bytes out_;
};

/// After a read past the end all reads give zeros and `ok` is false.
class Reader {
 public:
  explicit Reader(std::span<const std::uint8_t> data) : data_(data) {}

  template <class T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  T number() {
    T value{};
    if (const auto from = take(sizeof value); !from.empty()) std::memcpy(&value, from.data(), sizeof value);
    return value;
  }
  bool flag() { return number<std::uint8_t>() != 0; }
  Bytes bytes() {
    const auto from = take(number<std::uint64_t>());
    return Bytes(from.begin(), from.end());
  }
  std::string text() {
    const auto from = take(number<std::uint64_t>());
    return std::string(from.begin(), from.end());
  }
  /// A count of items that take at least `item_bytes` each.
  std::size_t count(std::size_t item_bytes) {
    const auto items = number<std::uint64_t>();
    if (items > data_.size() / item_bytes) ok_ = false;
    return ok_ ? static_cast<std::size_t>(items) : 0;
  }
  bool ok() const { return ok_; }
  /// Whether everything was read, and nothing more.
  bool done() const { return ok_ && data_.empty(); }

 private:
  std::span<const std::uint8_t> take(std::uint64_t size) {
    if (!ok_ || size > data_.size()) {
      ok_ = false;
      return {};
    }
    const auto taken = data_.first(static_cast<std::size_t>(size));
    data_ = data_.subspan(static_cast<std::size_t>(size));
    return taken;
  }

  std::span<const std::uint8_t> data_;
  bool ok_ = true;
};

void write(Writer& out, const std::vector<compiler::KernelInfo>& kernels);
std::vector<compiler::KernelInfo> read_kernels(Reader& in);

}  // namespace weft::runtime
