#include "profiler/findings.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <set>
#include <tuple>

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

namespace {

/// Of one kernel's findings in its text: where many lines have the same fault, as in code that a program generates, the first stands for all.
std::vector<Finding> gathered(std::vector<Finding> of_source) {
  constexpr std::size_t kMany = 4;
  std::map<AdviceId, std::size_t> lines;
  for (const Finding& finding : of_source) ++lines[finding.id];
  std::vector<Finding> gathered;
  std::set<AdviceId> said;
  for (Finding& finding : of_source) {
    if (const std::size_t of_this = lines[finding.id]; of_this > kMany) {
      if (!said.insert(finding.id).second) continue;
      if (!finding.detail.empty()) finding.detail += ' ';
      finding.detail += spelled(static_cast<double>(of_this - 1));
      finding.detail += " more lines are alike.";
    }
    gathered.push_back(std::move(finding));
  }
  return gathered;
}

}  // namespace

std::vector<Finding> findings_of(const Run& run, const std::vector<KernelUse>& uses) {
  std::vector<Finding> found;
  SourceTexts texts;
  // What a text shows is said once, though several kernels run the line or a program is built more than once.
  std::set<std::tuple<AdviceId, std::size_t, std::uint32_t, std::string>> said;
  for (std::size_t i = 0; i < uses.size(); ++i) {
    find_by_counters(run, uses[i], i, texts, found);
    std::vector<Finding> of_source;
    find_in_source(run, uses[i], i, texts, of_source);
    for (Finding& finding : gathered(std::move(of_source))) {
      const std::string* const text = run.programs[run.kernels[uses[i].kernel].program].text_of(finding.file);
      if (said.emplace(finding.id, std::hash<std::string>()(text ? *text : ""), finding.line, finding.detail).second) found.push_back(std::move(finding));
    }
  }
  find_in_run(run, uses, found);
  std::uint64_t time_ns = 0;
  for (const KernelUse& use : uses) time_ns += use.time_ns;
  const auto matters_little = [&](const Finding& finding) { return finding.use != kNone && 100 * uses[finding.use].time_ns < time_ns; };
  std::stable_sort(found.begin(), found.end(), [&](const Finding& a, const Finding& b) {
    if (matters_little(a) != matters_little(b)) return matters_little(b);
    const int left = advice(a.id).severity, right = advice(b.id).severity;
    return left != right ? left > right : a.steps > b.steps;
  });
  return found;
}

}  // namespace weft::profiler
