// The lines of the record (docs/weftprof.md) that there are many of: written straight into text, as a launch may take less time than
// building an object of what is to be said of it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "device/counters/launch_report.h"
#include "runtime/hash.h"

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

/// Adds the line of a command that ran: [its number, queued, submitted, started, ended], and the number of its counts if it has some.
void add_times_line(std::string& text, std::uint64_t number, std::span<const std::uint64_t, 4> times_ns, std::uint64_t counts);

/// Counts that are like others but for some sums: [0, their number, the others', how many accesses, the accesses, then each such sum's place
/// in `base` and value].
std::string like_line(std::uint64_t number, std::uint64_t base_number, std::span<const std::uint64_t> accesses, std::span<const std::uint64_t> base,
                      std::span<const std::uint64_t> sums);

/// Those that are not 0, as pairs of numbers: [place in names_of_sums, sum, ...].
std::string sums_text(const device::counters::Counts& counts);

/// Without its number.
LineText access_text(const device::counters::LineAccess& access);
/// Tells accesses apart as `access_text` does.
Hash access_hash(const device::counters::LineAccess& access);

/// Without its number and its accesses.
LineText counts_text(std::uint64_t kernel, const device::counters::LaunchReport& report);
/// What `counts_text` says of them beside the sums.
Hasher counts_shape(std::uint64_t kernel, const device::counters::LaunchReport& report);

}  // namespace weft::runtime
