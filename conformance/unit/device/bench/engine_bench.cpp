// Measures the engine alone: latency of a job, and how near to ideal its sharing of work comes.
// Arguments: workers (default: processors).
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "device/engine.h"

using namespace weft::device;

namespace {

void spin(std::uint64_t ns) {
  for (const std::uint64_t until = now_ns() + ns; now_ns() < until;) {
  }
}

/// Parts of `ns` each; those in the last tenth cost `tail` times as much.
struct SpinJob : Job {
  double ns;
  double tail;
  std::atomic<int> ended{0};
  float measured = 0;

  SpinJob(std::uint64_t count, double part, double tail_factor, float estimate)
      : ns(part), tail(tail_factor) {
    static constexpr JobKind kKind = {
        [](Job&) {},
        [](Job& job, Worker&, std::uint64_t first, std::uint64_t count) {
          auto& self = static_cast<SpinJob&>(job);
          const std::uint64_t border = self.parts - self.parts / 10;
          const std::uint64_t last = first + count;
          const double late = last > border ? static_cast<double>(last - std::max(first, border)) : 0;
          const double early = static_cast<double>(count) - late;
          if (self.ns > 0) spin(static_cast<std::uint64_t>((early + late * self.tail) * self.ns));
        },
        [](Job& job, float part_ns) {
          auto& self = static_cast<SpinJob&>(job);
          self.measured = part_ns;
          self.ended.store(1);
          self.ended.notify_all();
        },
    };
    kind = &kKind;
    parts = count;
    part_ns = estimate;
  }
  double total_ns() const {
    const double late = static_cast<double>(parts / 10);
    return (static_cast<double>(parts) - late + late * tail) * ns;
  }
};

enum class Mode { kHelp, kSleep };

double once(Engine& engine, SpinJob& job, Mode mode) {
  const std::uint64_t began = now_ns();
  engine.submit(job, mode == Mode::kHelp ? Engine::Wake::kCaller : Engine::Wake::kWorkers);
  if (mode == Mode::kHelp) engine.help_until(nullptr, [&job] { return job.ended != 0; });
  job.ended.wait(0);
  return static_cast<double>(now_ns() - began);
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  const unsigned workers =
      argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : std::thread::hardware_concurrency();
  static Engine& engine = *new Engine(workers);
  std::printf("%u workers\n", workers);

  for (const bool pause : {false, true}) {
    for (const Mode mode : {Mode::kHelp, Mode::kSleep}) {
      std::vector<double> times;
      for (int i = 0; i < (pause ? 200 : 5000); ++i) {
        if (pause) std::this_thread::sleep_for(std::chrono::milliseconds(2));
        SpinJob job(1, 0, 1, 10);
        times.push_back(once(engine, job, mode));
      }
      std::printf("empty job, %-12s %-18s %8.2f us\n", pause ? "workers cold" : "workers hot",
                  mode == Mode::kHelp ? "run by the waiter" : "run by a worker", median(times) / 1000);
    }
  }

  struct Case {
    std::uint64_t parts;
    double ns, tail;
  };
  std::printf("%-36s %12s %12s %10s\n", "parts x time (last tenth x)", "ideal us", "median us", "loss %");
  for (const Case& c :
       {Case{1'000'000, 10, 1}, Case{100'000, 100, 1}, Case{10'000, 1000, 1}, Case{1'000, 10'000, 1},
        Case{256, 100'000, 1}, Case{1'000, 100, 1}, Case{10'000, 100, 1}, Case{100, 1000, 1},
        Case{64, 10'000, 1}, Case{1'000'000, 10, 10}, Case{10'000, 1000, 10}, Case{1'000, 10'000, 10}}) {
    std::vector<double> times;
    float estimate = 0;
    double total = 0;
    for (int i = 0; i < 25; ++i) {
      SpinJob job(c.parts, c.ns, c.tail, estimate);
      total = job.total_ns();
      times.push_back(once(engine, job, Mode::kHelp));
      estimate = job.measured;
    }
    const double ideal = total / workers, got = median(times);
    std::printf("%9llu x %6.0f ns (x %2.0f)             %12.1f %12.1f %10.1f\n",
                static_cast<unsigned long long>(c.parts), c.ns, c.tail, ideal / 1000, got / 1000,
                100 * (got / ideal - 1));
  }
}
