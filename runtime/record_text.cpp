#include "runtime/record_text.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <nlohmann/json.hpp>

#include "device/counters/counts_names.h"

namespace weft::runtime {

using device::counters::Counts;
using device::counters::LaunchReport;
using device::counters::LineAccess;

namespace {

void append(std::string& text, std::uint64_t value) {
  char digits[20];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

template <class Cost>
std::string cost_text(const Cost& cost) {
  LineText text;
  device::counters::for_each_sum_of_cost(cost, [&](const char* name, std::uint64_t value) {
    if (value) text.number(name, value);
  });
  return text.object();
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

/// From a multiple of 256 bytes: costs repeat after that at most, and where a buffer begins says nothing.
std::array<std::uint64_t, 32> relative_addresses(const LineAccess& access) {
  std::uint64_t base = UINT64_MAX;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (access.sample.mask >> lane & 1) base = std::min(base, access.sample.address[lane]);
  }
  base &= ~std::uint64_t{255};
  std::array<std::uint64_t, 32> addresses{};
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (access.sample.mask >> lane & 1) addresses[lane] = access.sample.address[lane] - base;
  }
  return addresses;
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

void add_times_line(std::string& text, std::uint64_t number, std::span<const std::uint64_t, 4> times_ns, std::uint64_t counts) {
  text += '[';
  append(text, number);
  for (const std::uint64_t time : times_ns) {
    text += ',';
    append(text, time);
  }
  if (counts) {
    text += ',';
    append(text, counts);
  }
  text += "]\n";
}

std::string like_line(std::uint64_t number, std::uint64_t base_number, std::span<const std::uint64_t> accesses, std::span<const std::uint64_t> base,
                      std::span<const std::uint64_t> sums) {
  std::string text = "[0";
  const auto add = [&](std::uint64_t value) {
    text += ',';
    append(text, value);
  };
  add(number);
  add(base_number);
  add(accesses.size());
  for (const std::uint64_t access : accesses) add(access);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (sums[i] == base[i]) continue;
    add(i);
    add(sums[i]);
  }
  return text += "]\n";
}

std::string sums_text(const Counts& counts) {
  std::string text = "[";
  device::counters::for_each_numbered_sum(counts, [&](unsigned place, std::uint64_t value) {
    if (value == 0) return;
    if (text.size() > 1) text += ',';
    append(text, place);
    text += ',';
    append(text, value);
  });
  return text += ']';
}

LineText access_text(const LineAccess& access) {
  LineText text;
  text.text("file", access.file).number("line", access.line).word("space", name_of(access.kind.space)).word("kind", name_of(access.kind.kind));
  text.number("width", access.kind.width).number("mask", access.sample.mask).numbers("addresses", relative_addresses(access));
  text.json("cost", cost_text(access.sample.cost));
  return text;
}

Hash access_hash(const LineAccess& access) {
  Hasher hasher;
  hasher.field(access.file).field(access.line).field(static_cast<std::uint64_t>(access.kind.space)).field(static_cast<std::uint64_t>(access.kind.kind));
  hasher.field(access.kind.width).field(access.sample.mask);
  const auto addresses = relative_addresses(access);
  hasher.bytes(addresses.data(), sizeof addresses);
  device::counters::for_each_sum_of_cost(access.sample.cost, [&](const char*, std::uint64_t value) { hasher.field(value); });
  return hasher.finish();
}

LineText counts_text(std::uint64_t kernel, const LaunchReport& report) {
  LineText resources;
  resources.number("group_items", report.resources.group_items).number("item_registers", report.resources.item_registers);
  resources.number("local_bytes", report.resources.local_bytes).number("argument_bytes", report.resources.argument_bytes);
  std::string lines = "[";
  for (const auto& line : report.counts.lines) {
    if (lines.size() > 1) lines += ',';
    lines += LineText().text("file", line.file).number("line", line.line).json("counts", sums_text(line.counts)).object();
  }
  LineText text;
  text.number("kernel", kernel).truth("traced", report.is_traced).json("resources", resources.object());
  text.json("total", sums_text(report.counts.total)).json("lines", lines += ']');
  return text;
}

Hasher counts_shape(std::uint64_t kernel, const LaunchReport& report) {
  Hasher hasher;
  hasher.field(kernel).field(std::uint64_t{report.is_traced});
  hasher.field(report.resources.group_items).field(report.resources.item_registers);
  hasher.field(report.resources.local_bytes).field(report.resources.argument_bytes);
  for (const auto& line : report.counts.lines) hasher.field(line.file).field(line.line);
  return hasher;
}

}  // namespace weft::runtime
