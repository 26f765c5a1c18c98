// Measures the engine alone: latency of a job, and how near to ideal its sharing of work comes.
// Arguments: [--pin] [workers (default: processors)].
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
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
        [](Job&, std::uint64_t) {},
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

/// One part a worker; each waits until all have begun, so that no worker takes two.
struct WakeJob : Job {
  const std::uint64_t submitted = now_ns();
  std::atomic<std::uint64_t> first_began{0};
  std::atomic<std::uint64_t> last_began{0};
  std::atomic<std::uint64_t> begun{0};
  std::atomic<int> ended{0};

  explicit WakeJob(unsigned workers) {
    static constexpr JobKind kKind = {
        [](Job&, std::uint64_t) {},
        [](Job& job, Worker&, std::uint64_t, std::uint64_t count) {
          auto& self = static_cast<WakeJob&>(job);
          const std::uint64_t now = now_ns();
          std::uint64_t none = 0;
          self.first_began.compare_exchange_strong(none, now);
          for (std::uint64_t last = self.last_began;
               last < now && !self.last_began.compare_exchange_weak(last, now);) {
          }
          self.begun += count;
          while (self.begun < self.parts && now_ns() - now < 5'000'000) {
          }
        },
        [](Job& job, float) {
          auto& self = static_cast<WakeJob&>(job);
          self.ended.store(1);
          self.ended.notify_all();
        },
    };
    kind = &kKind;
    parts = workers;
  }
};

/// From the submission to the first and to the last of `workers` that begins, `pause` after the last job.
void measure_wake(Engine& engine, unsigned workers, std::chrono::microseconds pause) {
  std::vector<double> first;
  std::vector<double> last;
  const int times = pause > std::chrono::milliseconds(10) ? 30 : 200;
  for (int i = 0; i < times; ++i) {
    if (pause < std::chrono::milliseconds(1)) {  // a host program at work, not asleep
      spin(static_cast<std::uint64_t>(pause.count()) * 1000);
    } else {
      std::this_thread::sleep_for(pause);
    }
    WakeJob job(workers);
    engine.submit(job, Engine::Wake::kWorkers);
    job.ended.wait(0);
    first.push_back(static_cast<double>(job.first_began - job.submitted));
    last.push_back(static_cast<double>(job.last_began - job.submitted));
  }
  std::printf("%8lld us %22.1f %22.1f\n", static_cast<long long>(pause.count()), median(first) / 1000,
              median(last) / 1000);
}

}  // namespace

int main(int argc, char** argv) {
  bool pin = false;
  unsigned workers = std::thread::hardware_concurrency();
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--pin") == 0)
      pin = true;
    else
      workers = static_cast<unsigned>(std::atoi(argv[i]));
  }
  static Engine& engine = *new Engine(workers, pin);
  std::printf("%u workers%s\n", workers, pin ? ", pinned" : "");

  std::printf("%11s %22s %22s\n", "idle for", "first begins, us", "all have begun, us");
  for (const int pause : {5, 15, 50, 200, 1000, 5000, 50000})
    measure_wake(engine, workers, std::chrono::microseconds(pause));

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
