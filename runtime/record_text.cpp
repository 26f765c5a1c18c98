#include "runtime/record_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include <nlohmann/json.hpp>


namespace weft::runtime {

using device::counters::LaunchReport;
using device::counters::SumsLayout;

namespace {

void append(std::string& text, std::uint64_t value) {
  char digits[20];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

const char* name_of(abi::CountedSpace space) {
  switch (space) {
    case abi::CountedSpace::kGlobal: return "global";
    case abi::CountedSpace::kConstant: return "constant";
    case abi::CountedSpace::kLocal: return "local";
    case abi::CountedSpace::kPrivate: return "private";
    case abi::CountedSpace::kImage: break;
  }
  return "image";
}

const char* name_of(abi::CountedKind kind) {
  switch (kind) {
    case abi::CountedKind::kLoad: return "load";
    case abi::CountedKind::kStore: return "store";
    case abi::CountedKind::kAtomic: return "atomic";
    case abi::CountedKind::kReduction: break;
  }
  return "reduction";
}

template <class Places>
LineText& add_places(LineText& text, const char* name, const Places& places) {
  return text.numbers(name, std::vector<std::uint64_t>(places.begin(), places.end()));
}

}  // namespace

void LineText::name(const char* name) {
  text_ += text_.empty() ? "{\"" : ",\"";
  text_ += name;
  text_ += "\":";
}

LineText& LineText::number(const char* name, std::uint64_t value) {
  this->name(name);
  append(text_, value);
  return *this;
}

LineText& LineText::numbers(const char* name, std::span<const std::uint64_t> values) {
  this->name(name);
  text_ += '[';
  for (const std::uint64_t value : values) {
    if (text_.back() != '[') text_ += ',';
    append(text_, value);
  }
  text_ += ']';
  return *this;
}

LineText& LineText::word(const char* name, std::string_view value) {
  this->name(name);
  ((text_ += '"') += value) += '"';
  return *this;
}

LineText& LineText::text(const char* name, const std::string& value) {
  return json(name, nlohmann::json(value).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

LineText& LineText::truth(const char* name, bool value) { return json(name, value ? "true" : "false"); }

LineText& LineText::json(const char* name, std::string_view value) {
  this->name(name);
  text_ += value;
  return *this;
}

void add_list(std::string& text, std::span<const std::uint64_t> numbers) {
  constexpr std::size_t kMost = 21;  // digits, and a comma
  const std::size_t before = text.size();
  text.resize(before + kMost * numbers.size() + 3);
  char* at = text.data() + before;
  *at++ = '[';
  for (const std::uint64_t number : numbers) {
    at = std::to_chars(at, at + kMost, number).ptr;
    *at++ = ',';
  }
  at[-1] = ']';
  *at++ = '\n';
  text.resize(static_cast<std::size_t>(at - text.data()));
}

LineText shape_text(std::uint64_t kernel, const LaunchReport& report) {
  LineText resources;
  resources.number("group_items", report.resources.group_items).number("item_registers", report.resources.item_registers);
  resources.number("local_bytes", report.resources.local_bytes).number("argument_bytes", report.resources.argument_bytes);
  const SumsLayout& layout = *report.counts.layout;
  const std::span places(layout.places);
  std::string lines = "[";
  for (const SumsLayout::Line& line : layout.lines) {
    if (lines.size() > 1) lines += ',';
    LineText one;
    one.text("file", line.file).number("line", line.line);
    lines += add_places(one, "sums", places.subspan(line.first, line.num_sums)).object();
  }
  std::string sites = "[";
  for (const SumsLayout::Site& site : layout.sites) {
    if (sites.size() > 1) sites += ',';
    LineText one;
    one.number("line", site.line).word("space", name_of(site.kind.space)).word("kind", name_of(site.kind.kind)).number("width", site.kind.width);
    sites += one.object();
  }
  LineText text;
  text.number("kernel", kernel).truth("traced", report.is_traced).json("resources", resources.object());
  add_places(text, "total", places.first(layout.of_launch)).json("lines", lines += ']').json("sites", sites += ']');
  return text;
}

}  // namespace weft::runtime
