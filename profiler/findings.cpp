#include "profiler/findings.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace weft::profiler {

const Advice& advice(AdviceId id) {
  static constexpr Advice kAll[] = {
#define WEFT_ADVICE(id, title, section, severity, text) {AdviceId::id, #id, title, section, severity, text},
#include "profiler/advice.def"
#undef WEFT_ADVICE
  };
  return kAll[static_cast<std::size_t>(id)];
}

std::string spelled(double value) {
  char digits[64];
  if (std::abs(value) < 100 && value != std::floor(value)) {
    std::snprintf(digits, sizeof digits, "%.1f", value);
    return digits;
  }
  std::snprintf(digits, sizeof digits, "%.0f", value);
  std::string text = digits;
  for (std::size_t i = text.size(); i > 3 + (value < 0 ? 1u : 0u); i -= 3) text.insert(i - 3, 1, ',');
  return text;
}

std::vector<Finding> findings_of(const Run& run, const std::vector<KernelUse>& uses) {
  std::vector<Finding> found;
  for (std::size_t i = 0; i < uses.size(); ++i) {
    find_by_counters(run, uses[i], i, found);
    find_in_source(run, uses[i], i, found);
  }
  find_in_run(run, uses, found);
  std::stable_sort(found.begin(), found.end(), [](const Finding& a, const Finding& b) {
    const int left = advice(a.id).severity, right = advice(b.id).severity;
    return left != right ? left > right : a.steps > b.steps;
  });
  return found;
}

}  // namespace weft::profiler
