// The lines of the record (docs/weftprof.md) that there are many of: written straight into text, as a launch may take less time than
// building an object of what is to be said of it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "device/counters/launch_report.h"

namespace weft::runtime {

/// A JSON object, a member at a time, in one line. Names of members are ours: nothing in them needs an escape.
class LineText {
 public:
  LineText& number(const char* name, std::uint64_t value);
  LineText& numbers(const char* name, std::span<const std::uint64_t> values);
  /// Of ours, too.
  LineText& word(const char* name, std::string_view value);
  /// Any bytes; what is no UTF-8 is replaced.
  LineText& text(const char* name, const std::string& value);
  LineText& truth(const char* name, bool value);
  /// A value that is JSON.
  LineText& json(const char* name, std::string_view value);

  /// What is in it, without an end.
  std::string_view so_far() const { return text_; }
  /// "{...}"; nothing may follow.
  std::string object() { return std::move(text_ += text_.empty() ? "{}" : "}"); }
  /// The same and the end of the line.
  std::string line() { return object() += '\n'; }

 private:
  void name(const char* name);
  std::string text_;
};

/// Adds a line that is a list of numbers.
void add_list(std::string& text, std::span<const std::uint64_t> numbers);

/// What a launch's sums are of, without its number.
LineText shape_text(std::uint64_t kernel, const device::counters::LaunchReport& report);

}  // namespace weft::runtime
