// printf of kernels (OpenCL C 3.0 §6.15.14).
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>

namespace weft::device {

/// Appends what printf(format, ...) prints to `out`. Arguments are packed as abi::Services::print says. A
/// conversion that the language does not know, or whose argument is missing, prints as it stands.
void format_print(std::string& out, const char* format, const std::byte* arguments, std::size_t size);

/// Collects what one launch prints. A call's text stays together; long output leaves in pieces.
class PrintSink {
 public:
  void print(const char* format, const void* arguments, std::size_t size) noexcept;
  /// Everything to stdout, and stdout flushed: before the launch's event completes.
  void flush() noexcept;

 private:
  std::mutex mutex_;
  std::string text_;
};

}  // namespace weft::device
