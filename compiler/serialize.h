// Values as bytes: of cache entries, program binaries and the keys of both. Structures by all of their fields
// (compiler/fields.h), lists and texts with their length first. Readers trust no length.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "compiler/fields.h"

namespace weft::compiler {

template <class T>
concept Number = std::is_arithmetic_v<T> || std::is_enum_v<T>;

/// A text or a list of numbers of one byte: copied whole.
template <class T>
concept Text = std::same_as<T, std::string> || std::same_as<T, Bytes>;

template <class T>
concept Structure = requires(T& value) { fields(value); };

/// Calls `out(data, size)` for all of `value`, part by part.
template <class T, class Out>
void encode_value(const T& value, Out&& out) {
  if constexpr (Number<T>) {
    out(&value, sizeof value);
  } else if constexpr (std::is_array_v<T>) {
    for (const auto& element : value) encode_value(element, out);
  } else if constexpr (Structure<const T>) {
    std::apply([&](const auto&... field) { (encode_value(field, out), ...); }, fields(value));
  } else {
    encode_value(std::uint64_t{value.size()}, out);
    if constexpr (Text<T>) {
      out(value.data(), value.size());
    } else {
      for (const auto& element : value) encode_value(element, out);
    }
  }
}

/// The bytes that a T takes at least.
template <class T>
constexpr std::size_t least_bytes() {
  if constexpr (Number<T>) {
    return sizeof(T);
  } else if constexpr (std::is_array_v<T>) {
    return std::extent_v<T> * least_bytes<std::remove_extent_t<T>>();
  } else if constexpr (Structure<T>) {
    return []<class... Field>(std::type_identity<std::tuple<Field&...>>) {
      return (least_bytes<Field>() + ... + 0);
    }(std::type_identity<decltype(fields(std::declval<T&>()))>());
  } else {
    return sizeof(std::uint64_t);
  }
}

class Writer {
 public:
  template <class T>
  void value(const T& value) {
    encode_value(value, [this](const void* data, std::size_t size) { append(data, size); });
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
  T value() {
    T result{};
    read(result);
    return result;
  }
  template <class T>
  void read(T& value) {
    if constexpr (std::same_as<T, bool>) {
      value = this->value<std::uint8_t>() != 0;
    } else if constexpr (Number<T>) {
      const auto from = take(sizeof value);
      if (from.empty()) {
        value = T{};
      } else {
        std::memcpy(&value, from.data(), sizeof value);
      }
    } else if constexpr (std::is_array_v<T>) {
      for (auto& element : value) read(element);
    } else if constexpr (Structure<T>) {
      std::apply([this](auto&... field) { (read(field), ...); }, fields(value));
    } else if constexpr (Text<T>) {
      const auto from = take(this->value<std::uint64_t>());
      value.assign(from.begin(), from.end());
    } else {
      const auto count = this->value<std::uint64_t>();
      if (count > data_.size() / least_bytes<typename T::value_type>()) ok_ = false;
      value.resize(ok_ ? count : 0);
      for (auto& element : value) read(element);
    }
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

}  // namespace weft::compiler
