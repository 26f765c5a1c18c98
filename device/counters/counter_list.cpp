#include "device/counters/counter_list.h"

#include <cctype>

namespace weft::device::counters {

namespace {

#define WEFT_FORMULA(value) [](const Counts& c, const LaunchReport& r) -> std::uint64_t { return (void)c, (void)r, value; }
#define WEFT_SUM(name, unit, scope, first, last, value, description) \
  {name, Unit::unit, Scope::scope, false, first, last, description, #value, WEFT_FORMULA(value), nullptr, 0, 0},
#define WEFT_TRACED(name, unit, first, last, value, description) \
  {name, Unit::unit, Scope::kLine, true, first, last, description, #value, WEFT_FORMULA(value), nullptr, 0, 0},
#define WEFT_TRACED_RATIO(name, unit, first, last, dividend, over, factor, if_empty, description)                        \
  {name, Unit::unit, Scope::kLine, true, first, last, description, #factor " * (" #dividend ") / (" #over ")",           \
   WEFT_FORMULA(dividend), WEFT_FORMULA(over), factor, if_empty},
#define WEFT_PERCENT(name, scope, first, last, part, whole, description)                                                 \
  {name, Unit::kPercent, Scope::scope, false, first, last, description, "100 * (" #part ") / (" #whole ")", WEFT_FORMULA(part), \
   WEFT_FORMULA(whole), 100, 100},
#define WEFT_RATIO(name, unit, scope, first, last, dividend, over, description)                                          \
  {name, Unit::unit, Scope::scope, false, first, last, description, "(" #dividend ") / (" #over ")", WEFT_FORMULA(dividend),    \
   WEFT_FORMULA(over), 1, 0},

constexpr Counter kCounters[] = {
#include "device/counters/counter_list.def"
};

std::string spelled(const Capability& capability) {
  return std::to_string(capability.major) + "." + std::to_string(capability.minor);
}

/// Without "c." and "r.".
std::string for_people(std::string_view formula) {
  std::string text;
  for (std::size_t i = 0; i < formula.size(); ++i) {
    const bool starts = i == 0 || !(std::isalnum(static_cast<unsigned char>(formula[i - 1])) || formula[i - 1] == '_');
    if (starts && (formula.substr(i).starts_with("c.") || formula.substr(i).starts_with("r."))) {
      ++i;
      continue;
    }
    text += formula[i];
  }
  return text;
}

}  // namespace

std::span<const Counter> all_counters() { return kCounters; }

std::vector<const Counter*> counters_of(Capability capability) {
  std::vector<const Counter*> list;
  for (const Counter& counter : kCounters) {
    if (counter.has(capability)) list.push_back(&counter);
  }
  return list;
}

const char* spelled(Unit unit) {
  switch (unit) {
    case Unit::kBytes:
      return "bytes";
    case Unit::kPercent:
      return "%";
    case Unit::kEvents:
      break;
  }
  return "events";
}

std::string describe_counters() {
  std::string text;
  Capability first{0, 0}, last{0, 0};
  bool began = false;
  for (const Counter& counter : kCounters) {
    if (!began || counter.first != first || counter.last != last) {
      const bool one = counter.first == counter.last;
      text += (began ? "\n## " : "## ") + spelled(counter.first) + (one ? "" : " to " + spelled(counter.last)) +
              "\n\n| counter | unit | of lines | meaning | computed as |\n|---|---|---|---|---|\n";
      first = counter.first, last = counter.last, began = true;
    }
    text += std::string("| `") + counter.name + "` | " + spelled(counter.unit) + " | " +
            (counter.is_traced ? "yes, traced" : counter.scope == Scope::kLine ? "yes" : "no") + " | " + counter.description + " | `" +
            for_people(counter.formula) + "` |\n";
  }
  return text;
}

}  // namespace weft::device::counters
