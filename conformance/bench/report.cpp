#include "bench/report.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace weft::bench {
namespace {

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, value >= 1000 ? "%.0f" : "%.3g", value);
  return text;
}

std::string time(const Row& row, const Times& times) {
  if (times.absent) return "";
  if (!times.problem.empty()) return "failed";
  return row.unit == "us" ? number(1000 * times.kernel_ms) + " us" : number(times.kernel_ms);
}

/// How much shorter the first peer's time is.
std::string ratio(const Row& row, std::size_t peer, double Times::*which) {
  const Times& first = row.times[0];
  const Times& other = row.times[peer];
  if (first.absent || other.absent || !first.problem.empty() || !other.problem.empty() || first.*which <= 0) return "-";
  if (which == &Times::kernel_ms && other.ratio > 0) return number(other.ratio) + "x";
  return number(other.*which / first.*which) + "x";
}

/// Lines of cells, as an aligned table or as Markdown.
void print(const std::vector<std::vector<std::string>>& lines, bool markdown) {
  std::vector<std::size_t> widths(lines[0].size(), 0);
  const auto length = [](const std::string& text) {  // in characters, not bytes
    std::size_t n = 0;
    for (unsigned char c : text) n += (c & 0xc0) != 0x80;
    return n;
  };
  for (const auto& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], length(line[i]));
  for (std::size_t n = 0; n < lines.size(); ++n) {
    for (std::size_t i = 0; i < lines[n].size(); ++i) {
      const std::string pad(widths[i] - length(lines[n][i]), ' ');
      const std::string cell = i == 0 ? lines[n][i] + pad : pad + lines[n][i];
      std::printf(markdown ? "| %s " : "%s  ", cell.c_str());
    }
    std::printf(markdown ? "|\n" : "\n");
    if (markdown && n == 0) {
      for (std::size_t i = 0; i < lines[0].size(); ++i) std::printf(i == 0 ? "|---" : "|---:");
      std::printf("|\n");
    }
  }
}

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

}  // namespace

void print(const Report& report, bool markdown) {
  const auto& peers = report.peers;
  std::vector<std::vector<std::string>> lines(1);
  lines[0].push_back("kernel");
  for (const Peer& peer : peers) lines[0].push_back(peer.name + ", ms");
  for (std::size_t i = 1; i < peers.size(); ++i)
    lines[0].push_back(peers.size() == 2 ? "ratio" : "ratio to " + peers[i].name);
  if (peers.size() > 1) lines[0].push_back("wall ratio");
  lines[0].push_back(peers[0].name + " rate");
  for (const Row& row : report.rows) {
    std::vector<std::string> line = {row.name};
    for (const Times& times : row.times) line.push_back(time(row, times));
    for (std::size_t i = 1; i < peers.size(); ++i) line.push_back(ratio(row, i, &Times::kernel_ms));
    if (peers.size() > 1) line.push_back(ratio(row, 1, &Times::wall_ms));
    const double first_ms = row.times[0].kernel_ms;
    line.push_back(row.work > 0 && first_ms > 0 ? number(row.work / (1e-3 * first_ms)) + " " + row.unit
                                                : "-");
    lines.push_back(line);
  }
  print(lines, markdown);
  std::printf(
      "\nThis machine: %s GFLOP/s of float FMA, %s GB/s of memcpy (read and written), %d processors. "
      "%s of %d rounds in turn.\n",
      number(report.peaks.gflops).c_str(), number(report.peaks.copy_gbs).c_str(), report.peaks.processors,
      report.best ? "Shortest times" : "Medians", report.rounds);
}

void write_json(const Report& report, const std::string& path) {
  using Json = nlohmann::ordered_json;
  char date[16];
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
  Json peers = Json::array(), rows = Json::array();
  for (const Peer& peer : report.peers) peers.push_back(peer.name);
  for (const Row& row : report.rows) {
    Json all_times = Json::array();
    for (const Times& times : row.times) {
      if (times.absent)
        all_times.push_back(Json::object());
      else if (times.problem.empty())
        all_times.push_back({{"kernel_ms", times.kernel_ms}, {"wall_ms", times.wall_ms}, {"ratio", times.ratio}});
      else
        all_times.push_back({{"problem", times.problem.substr(0, 2000)}});
    }
    rows.push_back({{"name", row.name}, {"work", row.work}, {"unit", row.unit}, {"times", std::move(all_times)}});
  }
  const Json json = {{"date", date},
                     {"processor", processor()},
                     {"processors", report.peaks.processors},
                     {"peak_gflops", report.peaks.gflops},
                     {"peak_copy_gbs", report.peaks.copy_gbs},
                     {"rounds", report.rounds},
                     {"summary", report.best ? "best" : "median"},
                     {"peers", std::move(peers)},
                     {"rows", std::move(rows)}};
  std::ofstream out(path);
  // A problem is a platform's own text, which need not be UTF-8 (nor end with a whole character where it is cut).
  out << json.dump(2, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace) << "\n";
  if (!out.flush()) throw std::runtime_error("cannot write " + path);
}

}  // namespace weft::bench
