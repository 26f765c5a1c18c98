// Answers of clGetXInfo: size check, copy, size back (OpenCL 3.0 API, same words at each query).
#pragma once

#include <cstring>
#include <string_view>
#include <type_traits>
#include <vector>

#include "runtime/error.h"
#include "runtime/opencl.h"

namespace weft::runtime {

/// Where a query's answer goes. CL_INVALID_VALUE if `capacity` is too small and `value` is not null.
class InfoWriter {
 public:
  InfoWriter(std::size_t capacity, void* value, std::size_t* size_ret)
      : capacity_(capacity), value_(value), size_ret_(size_ret) {}

  void bytes(const void* data, std::size_t size) const {
    require(!value_ || capacity_ >= size, CL_INVALID_VALUE);
    if (value_ && size) std::memcpy(value_, data, size);
    if (size_ret_) *size_ret_ = size;
  }
  template <class T>
    requires std::is_trivially_copyable_v<T>
  void value(const T& answer) const {
    bytes(&answer, sizeof(T));
  }
  /// With its terminating NUL, so never of size 0.
  void string(std::string_view text) const {
    require(!value_ || capacity_ > text.size(), CL_INVALID_VALUE);
    if (value_) {
      std::memcpy(value_, text.data(), text.size());
      static_cast<char*>(value_)[text.size()] = '\0';
    }
    if (size_ret_) *size_ret_ = text.size() + 1;
  }
  template <class T>
  void array(const std::vector<T>& items) const {
    bytes(items.data(), items.size() * sizeof(T));
  }

  std::size_t capacity() const { return capacity_; }
  void* destination() const { return value_; }
  void report_size(std::size_t size) const {
    if (size_ret_) *size_ret_ = size;
  }

 private:
  std::size_t capacity_;
  void* value_;
  std::size_t* size_ret_;
};

}  // namespace weft::runtime
