// What a launch costs that does nothing.
#include "bench/runner.h"

namespace weft::bench {
namespace {

using namespace conformance;
using Clock = std::chrono::steady_clock;

constexpr int kInARow = 1000;
constexpr int kRoundTrips = 50;
constexpr const char* kEmpty = "kernel void empty(global int* a) { if (a) a[get_global_id(0)] = 1; }";

struct Prepared {
  Program program;
  Kernel kernel;
  Queue queue;  ///< without profiling

  void launch() const {
    const std::size_t global = 32;
    check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &global, 0, nullptr, nullptr), "launch");
  }
};

Prepared prepare(const Session& session) {
  Prepared p{session.build(kEmpty), {}, session.queue(0)};
  p.kernel = session.kernel(p.program, "empty");
  check(clSetKernelArg(p.kernel, 0, sizeof(cl_mem), nullptr), "argument");
  p.launch();
  clFinish(p.queue);
  return p;
}

}  // namespace

std::vector<Row> run_launches(std::vector<Peer>& peers, int rounds, bool best) {
  const std::size_t n = peers.size();
  std::vector<Row> rows = {{"empty launch, back to back", 0, "us", std::vector<Times>(n)},
                           {"empty launch and finish", 0, "us", std::vector<Times>(n)}};
  std::vector<std::vector<double>> in_a_row(n);
  std::vector<std::vector<double>> round_trips(n);
  std::vector<Prepared> prepared(n);
  for (std::size_t i = 0; i < n; ++i)
    for (Row& row : rows) row.times[i].absent = !peers[i].session;
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < n; ++i) {
      if (rows[0].times[i].absent || !rows[0].times[i].problem.empty()) continue;
      try {
        Prepared& p = prepared[i];
        if (!p.kernel) p = prepare(*peers[i].session);
        auto start = Clock::now();
        for (int j = 0; j < kInARow; ++j) p.launch();
        clFinish(p.queue);
        in_a_row[i].push_back(ms_since(start) / kInARow);
        for (int j = 0; j < kRoundTrips; ++j) {
          start = Clock::now();
          p.launch();
          clFinish(p.queue);
          round_trips[i].push_back(ms_since(start));
        }
      } catch (const std::exception& error) {
        for (Row& row : rows) row.times[i].problem = error.what();
      }
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    rows[0].times[i].wall_ms = rows[0].times[i].kernel_ms = summary(in_a_row[i], best);
    rows[1].times[i].wall_ms = rows[1].times[i].kernel_ms = summary(round_trips[i], best);
  }
  return rows;
}

}  // namespace weft::bench
