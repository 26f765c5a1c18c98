// One file of reports of launches, whole after each write.
#pragma once

#include <cstdint>
#include <string>

#include "device/counters/launch_report.h"

namespace weft::runtime {

class ProfileFile {
 public:
  /// The name's ending says the form: .json or .csv; "%p" in it becomes the process's number. Opens the file and empties it;
  /// says on stderr why it cannot. `only_own`: a name without "%p" is another process's, so nothing is opened.
  ProfileFile(const std::string& name, bool only_own);
  ProfileFile(ProfileFile&& other) noexcept;
  ProfileFile& operator=(ProfileFile&&) = delete;
  ~ProfileFile();

  bool is_open() const { return file_ >= 0; }

  /// Written soon, or `at_once`. Throws std::bad_alloc.
  void append(const device::counters::LaunchReport& report, bool at_once);
  void flush() noexcept;

 private:
  enum class Form { kJson, kCsv };

  std::string name_;
  Form form_ = Form::kJson;
  int file_ = -1;
  std::uint64_t launches_ = 0;
  std::string text_;          ///< not yet written
  std::uint64_t written_ = 0; ///< bytes; what closes the file stands behind them
  std::uint64_t flushed_ns_ = 0;
};

}  // namespace weft::runtime
