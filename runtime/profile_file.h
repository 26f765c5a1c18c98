// One file of reports of launches, whole after each write.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "device/counters/launch_report.h"
#include "runtime/mapped_end.h"

namespace weft::runtime {

/// What a file holds: a start, a text for each launch, counted from 0, and an end.
struct ProfileFormat {
  std::string start, end;
  std::function<std::string(const device::counters::LaunchReport& report, std::uint64_t number)> text;
};

class ProfileFile {
 public:
  /// "%p" in the name becomes the process's number. Opens the file and empties it; says on stderr why it cannot. `only_own`: a
  /// name without "%p" is another process's, so nothing is opened. `variable` asked for it.
  ProfileFile(const char* variable, const std::string& name, ProfileFormat format, bool only_own);
  ProfileFile(ProfileFile&& other) noexcept;
  ProfileFile& operator=(ProfileFile&&) = delete;
  ~ProfileFile();

  bool is_open() const { return file_ >= 0; }

  /// Written soon, or `at_once`. Throws std::bad_alloc.
  void append(const device::counters::LaunchReport& report, bool at_once);
  /// In the file at once, as it is, for a format without an end. Nothing may have been appended otherwise. Throws std::bad_alloc.
  void append_text(std::string_view text);
  /// Cuts off the empty lines that `append_text` keeps behind the text.
  void finish() noexcept;
  void flush() noexcept;

 private:
  std::string name_;
  ProfileFormat format_;
  int file_ = -1;
  std::uint64_t launches_ = 0;
  std::string text_;          ///< not yet written
  std::uint64_t written_ = 0; ///< bytes; what closes the file stands behind them
  std::uint64_t flushed_ns_ = 0;
  std::unique_ptr<MappedEnd> end_;  ///< for append_text
  bool is_mapped_ = true;           ///< unless that failed
};

}  // namespace weft::runtime
