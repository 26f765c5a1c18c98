#include "runtime/profile_text.h"

#include <charconv>
#include <string_view>

#include <nlohmann/json.hpp>

#include "device/counters/counter_list.h"

namespace weft::runtime {

using device::counters::Counter;
using device::counters::Counts;
using device::counters::LaunchReport;
using device::counters::LineCounts;
using device::counters::Scope;

namespace {

template <class T>
void add_number(std::string& text, T value) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  text.append(digits, end);
}

void add_value(std::string& text, const Counter& counter, const Counts& counts, const LaunchReport& report) {
  if (counter.is_ratio()) {
    add_number(text, counter.ratio(counts, report));
  } else {
    add_number(text, counter.sum(counts, report));
  }
}

/// Whether there is something to say of a line; of a ratio, if it is one of anything.
bool is_worth_saying(const Counter& counter, const Counts& counts, const LaunchReport& report) {
  if (counter.scope != Scope::kLine) return false;
  return (counter.is_ratio() ? counter.divisor(counts, report) : counter.sum(counts, report)) != 0;
}

/// Names and files may hold what is no UTF-8.
std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void add_size(std::string& text, const char* separator, const std::array<std::uint64_t, 3>& size, std::uint32_t work_dim) {
  for (std::uint32_t d = 0; d < work_dim; ++d) {
    if (d != 0) text += separator;
    add_number(text, size[d]);
  }
}

void add_counters(std::string& text, const Counts& counts, const LaunchReport& report, bool of_line) {
  const char* separator = "";
  text += "\"counters\": {";
  for (const Counter& counter : device::counters::all_counters()) {
    if (!counter.is_known_of(report) || (of_line && !is_worth_saying(counter, counts, report))) continue;
    text += separator;
    text += '"';
    text += counter.name;
    text += "\": ";
    add_value(text, counter, counts, report);
    separator = ", ";
  }
  text += '}';
}

std::string csv_quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"') quoted += '"';
    quoted += letter;
  }
  return quoted + '"';
}

std::string json_text(const LaunchReport& report, std::uint64_t number) {
  std::string text = number == 0 ? "\n" : ",\n";
  text += "{\"kernel\": " + quoted(report.kernel) + ", \"global_size\": [";
  add_size(text, ", ", report.global_size, report.work_dim);
  text += "], \"local_size\": [";
  add_size(text, ", ", report.local_size, report.work_dim);
  text += "], ";
  add_counters(text, report.counts.total(), report, false);
  text += ", \"lines\": [";
  const char* separator = "\n ";
  for (const LineCounts& line : report.counts.lines()) {
    text += separator;
    text += "{\"file\": " + quoted(line.file) + ", \"line\": " + std::to_string(line.line) + ", ";
    add_counters(text, line.counts, report, true);
    text += '}';
    separator = ",\n ";
  }
  return text + "]}";
}

std::string csv_text(const LaunchReport& report, std::uint64_t number) {
  std::string launch = std::to_string(number) + ',' + csv_quoted(report.kernel) + ',';
  add_size(launch, "x", report.global_size, report.work_dim);
  launch += ',';
  add_size(launch, "x", report.local_size, report.work_dim);
  std::string text;
  const auto add_rows = [&](const std::string& place, const Counts& counts, bool of_line) {
    for (const Counter& counter : device::counters::all_counters()) {
      if (!counter.is_known_of(report) || (of_line && !is_worth_saying(counter, counts, report))) continue;
      text += launch + place + counter.name + ',' + spelled(counter.unit) + ',';
      add_value(text, counter, counts, report);
      text += '\n';
    }
  };
  add_rows(",,,", report.counts.total(), false);
  for (const LineCounts& line : report.counts.lines()) {
    std::string place = ",";
    place += csv_quoted(line.file) + ',' + std::to_string(line.line) + ',';
    add_rows(place, line.counts, true);
  }
  return text;
}

}  // namespace

ProfileFormat json_format() { return {"{\"launches\": [", "\n]}\n", json_text}; }

ProfileFormat csv_format() { return {"launch,kernel,global_size,local_size,file,line,counter,unit,value\n", "", csv_text}; }

}  // namespace weft::runtime
