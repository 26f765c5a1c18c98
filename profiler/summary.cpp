// The summary for the terminal: 80 columns.
#include <algorithm>
#include <cstdio>
#include <set>
#include <sstream>

#include "profiler/estimate.h"
#include "profiler/outputs.h"

namespace weft::profiler {
namespace {

constexpr std::size_t kColumns = 80;

std::string time_text(double ns) {
  char text[32];
  if (ns < 1e3) std::snprintf(text, sizeof text, "%.0f ns", ns);
  else if (ns < 1e6) std::snprintf(text, sizeof text, "%.1f us", ns / 1e3);
  else if (ns < 1e9) std::snprintf(text, sizeof text, "%.1f ms", ns / 1e6);
  else std::snprintf(text, sizeof text, "%.2f s", ns / 1e9);
  return text;
}

/// What a terminal shows of it, at most so many columns: names and sources may hold anything.
std::string shown(const std::string& text, std::size_t width) {
  std::string plain;
  for (const char letter : text) plain += letter >= ' ' && letter < 127 ? letter : letter == '\t' ? ' ' : '?';
  return plain.size() <= width ? plain : plain.substr(0, width - 2) + "..";
}

/// Words of a text in lines behind an indent.
void wrap(std::ostream& out, const std::string& text, std::size_t indent) {
  std::istringstream words(text);
  std::string line(indent, ' ');
  for (std::string word; words >> word;) {
    if (line.size() > indent && line.size() + 1 + word.size() > kColumns) {
      out << line << '\n';
      line.assign(indent, ' ');
    }
    if (line.size() > indent) line += ' ';
    line += word.substr(0, kColumns - indent);
  }
  if (line.size() > indent) out << line << '\n';
}

/// The program's own text of a line, without its indent. Of a line that does not fit (programs that are one line) what begins with the
/// kernel's name, if that is there.
std::string source_line(const Program& program, const std::string& file, std::uint32_t number, const std::string& kernel) {
  const std::string* const text = program.text_of(file);
  if (!text) return "";
  std::istringstream in(*text);
  std::string line;
  for (std::uint32_t i = 0; i < number; ++i) {
    if (!std::getline(in, line)) return "";
  }
  const std::size_t start = line.find_first_not_of(" \t");
  if (start == line.npos) return "";
  line = line.substr(start, line.find_last_not_of(" \t\r") + 1 - start);
  const std::size_t name = line.size() > kColumns ? line.find(' ' + kernel + '(') : line.npos;
  return name == line.npos ? line : ".." + line.substr(name);
}

std::string size_text(double bytes) {
  if (bytes < 1024) return spelled(bytes) + " bytes";
  return bytes < 1 << 20 ? spelled(bytes / 1024) + " KiB" : spelled(bytes / (1 << 20)) + " MiB";
}

std::string percent(double part, double whole) {
  char text[16];
  if (whole <= 0) return "-";
  std::snprintf(text, sizeof text, "%.0f %%", 100 * part / whole);
  return text;
}

void add_estimates(std::ostringstream& out, const Report& report) {
  bool any = false;
  std::size_t left = 12;
  for (std::size_t i = 0; i < report.uses.size(); ++i) {
    const KernelUse& use = report.uses[i];
    const auto estimated = estimate_of(report.run, use);
    if (!estimated || left-- == 0) continue;
    if (!any) out << "\nEstimated for a " << report.run.gpu->name << ", not measured:\n";
    any = true;
    char row[160];
    std::snprintf(row, sizeof row, "%-28s %9s by %-12s %8.3g GB/s asked for\n", shown(report.labels[i], 28).c_str(),
                  time_text(estimated->ns()).c_str(), spelled(estimated->bound()), estimated->bandwidth_gb_s);
    out << row;
  }
}

}  // namespace

std::string summary_text(const Report& report) {
  const Run& run = report.run;
  std::ostringstream out;
  char row[160];
  std::uint64_t kernel_ns = 0, transfers = 0, bytes = 0, launches = 0;
  for (const Command& command : run.commands) {
    const Request& request = run.request(command);
    if (request.is_kernel()) ++launches, kernel_ns += command.ran_ns();
    if (request.is_transfer()) ++transfers, bytes += request.bytes;
  }
  out << "Counted by the rules of compute capability " << run.capability.major << '.' << run.capability.minor << ": "
      << spelled(static_cast<double>(launches)) << (launches == 1 ? " launch" : " launches") << " of " << report.uses.size()
      << (report.uses.size() == 1 ? " kernel" : " kernels") << ",\n"
      << spelled(static_cast<double>(transfers)) << (transfers == 1 ? " transfer" : " transfers") << " of "
      << size_text(static_cast<double>(bytes));
  if (run.processes.size() > 1) out << ", " << run.processes.size() << " processes";
  out << ". Times are of this machine, counting included.\n";

  if (!report.uses.empty()) {
    // Efficiencies: fewest steps of those taken; lanes that did something.
    std::snprintf(row, sizeof row, "\n%-28s %8s %9s %6s  %6s %6s %6s\n", "kernel", "launches", "time", "", "global", "local", "lanes");
    out << row;
    std::size_t left = 12;
    for (std::size_t i = 0; i < report.uses.size(); ++i) {
      const KernelUse& use = report.uses[i];
      if (left-- == 0) {
        out << "... and " << report.uses.size() - 12 << " more\n";
        break;
      }
      const auto& c = use.total;
      const auto sum = [](const auto& a, const auto& b, auto field) { return static_cast<double>(a.*field + b.*field); };
      using Sums = device::counters::CostSums;
      std::snprintf(row, sizeof row, "%-28s %8zu %9s %6s  %6s %6s %6s\n", shown(report.labels[i], 28).c_str(), use.launches.size(),
                    time_text(static_cast<double>(use.time_ns)).c_str(), percent(static_cast<double>(use.time_ns), static_cast<double>(kernel_ns)).c_str(),
                    percent(sum(c.global_load, c.global_store, &Sums::fewest), sum(c.global_load, c.global_store, &Sums::transactions)).c_str(),
                    percent(sum(c.local_load, c.local_store, &Sums::fewest), sum(c.local_load, c.local_store, &Sums::passes)).c_str(),
                    percent(static_cast<double>(c.lane_predicated_on), 32.0 * static_cast<double>(c.warp_instructions())).c_str());
      out << row;
    }
    out << "global, local: the fewest steps of memory, of those taken; lanes: those active\n";
    add_estimates(out, report);
  }

  // The worst first; each kind of advice is explained once.
  std::set<AdviceId> explained;
  std::size_t said = 0;
  for (const Finding& finding : report.findings) {
    if (said == 10) {
      out << "\n... and " << report.findings.size() - said << " more in the report\n";
      break;
    }
    ++said;
    const Advice& what = advice(finding.id);
    static constexpr const char* kMarks[] = {"", "low", "medium", "high"};
    out << '\n';
    wrap(out, std::string(kMarks[what.severity]) + ": " + what.title + " (" + what.section + ")", 0);
    if (finding.use != kNone) {
      const Kernel& kernel = run.kernels[report.uses[finding.use].kernel];
      std::string place = "  " + shown(report.labels[finding.use], 50);
      if (finding.line) place += ", line " + std::to_string(finding.line);
      const std::string& file = finding.file;
      if (finding.line && !run.programs[kernel.program].has_source && !file.empty()) {
        place += " of " + (file.front() == '<' ? file.substr(1, file.size() - 2) : file.substr(file.rfind('/') + 1));
      }
      out << place << '\n';
      const Program& program = run.programs[kernel.program];
      const std::string line = finding.line ? source_line(program, finding.file, finding.line, kernel.name) : "";
      if (!line.empty()) out << "  | " << shown(line, kColumns - 4) << '\n';
    }
    if (!finding.detail.empty()) wrap(out, finding.detail, 2);
    if (explained.insert(finding.id).second) wrap(out, std::string("-> ") + what.text, 2);
  }
  if (report.findings.empty() && launches) out << "\nNothing that the guides advise against.\n";
  return out.str();
}

std::string comparison_text(const nlohmann::json& before, const nlohmann::json& after) {
  using nlohmann::json;
  std::ostringstream out;
  char row[200];
  const auto label_of = [](const json& kernel) { return kernel.value("label", kernel.at("name").get<std::string>()); };
  const auto find = [&](const json& report, const std::string& name) -> const json* {
    for (const json& kernel : report.at("kernels")) {
      if (label_of(kernel) == name) return &kernel;
    }
    return nullptr;
  };
  std::vector<std::string> names;
  for (const json* report : {&before, &after}) {
    for (const json& kernel : report->at("kernels")) {
      const std::string name = label_of(kernel);
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  if (before.at("capability") != after.at("capability")) {
    out << "Counted by different rules: compute capability " << before.at("capability").get<std::string>() << " and "
        << after.at("capability").get<std::string>() << ".\n";
  }
  const auto per_launch = [](const json& kernel, double value) { return value / std::max<double>(1, kernel.at("counted").get<double>()); };
  for (const std::string& name : names) {
    const json* const a = find(before, name);
    const json* const b = find(after, name);
    out << shown(name, kColumns - 20) << (!a ? "  (new)" : !b ? "  (gone)" : "") << '\n';
    const auto say = [&](const char* what, double old_value, double new_value) {
      if (old_value == 0 && new_value == 0) return;
      char change[32] = "";
      if (a && b && old_value > 0) {
        std::snprintf(change, sizeof change, old_value == new_value ? "the same" : "%.3gx", new_value / old_value);
      }
      std::snprintf(row, sizeof row, "  %-34s %14s %14s %12s\n", what, a ? spelled(old_value).c_str() : "-", b ? spelled(new_value).c_str() : "-", change);
      out << row;
    };
    const auto value_of = [](const json* kernel, auto value) { return kernel ? value(*kernel) : 0.0; };
    const auto both = [&](const char* what, auto value) { say(what, value_of(a, value), value_of(b, value)); };
    both("launches", [](const json& kernel) { return kernel.at("launches").get<double>(); });
    both("median time here, us", [](const json& kernel) { return kernel.at("times_ns").at("median").get<double>() / 1000; });
    static constexpr std::pair<const char*, const char*> kFigures[] = {{"loads", "global load transactions"}, {"stores", "global store transactions"},
        {"atomics", "global atomic transactions"}, {"local", "local memory steps"}, {"constant", "constant memory steps"}, {"private", "private memory transactions"},
        {"images", "image sectors"}};
    for (const auto& [key, what] : kFigures) {
      both(what, [&, key = key](const json& kernel) {
        const json figures = kernel.value("figures", json::object());
        return figures.contains(key) ? per_launch(kernel, figures.at(key).at(0).get<double>()) : 0.0;
      });
    }
    both("instructions (warps)", [&](const json& kernel) {
      const json figures = kernel.value("figures", json::object());
      return figures.contains("instructions") ? per_launch(kernel, figures.at("instructions").get<double>()) : 0.0;
    });
    both("wasted steps", [&](const json& kernel) {
      const json figures = kernel.value("figures", json::object());
      return figures.contains("waste") ? per_launch(kernel, figures.at("waste").get<double>()) : 0.0;
    });
  }
  out << "Counts are of a launch.\n";
  // Findings by what and where, but for the line's number, which moves.
  const auto places = [&](const json& report) {
    std::multiset<std::string> found;
    for (const json& finding : report.at("findings")) {
      const int kernel = finding.at("kernel");
      const std::string of = kernel < 0 ? "the run" : label_of(report.at("kernels").at(static_cast<std::size_t>(kernel)));
      found.insert(finding.at("title").get<std::string>() + " (" + of + ")");
    }
    return found;
  };
  const auto old_ones = places(before), new_ones = places(after);
  const auto list = [&](const char* title, const auto& of, const auto& without) {
    std::multiset<std::string> rest;
    std::set_difference(of.begin(), of.end(), without.begin(), without.end(), std::inserter(rest, rest.end()));
    if (rest.empty()) return;
    out << '\n' << title << '\n';
    for (const std::string& one : rest) wrap(out, "- " + shown(one, 200), 2);
  };
  list("Gone:", old_ones, new_ones);
  list("New:", new_ones, old_ones);
  return out.str();
}

}  // namespace weft::profiler
