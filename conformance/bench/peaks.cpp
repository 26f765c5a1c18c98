#include "bench/peaks.h"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

namespace weft::bench {
namespace {

using Clock = std::chrono::steady_clock;

int processors() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

double seconds(Clock::time_point from) { return std::chrono::duration<double>(Clock::now() - from).count(); }

/// Runs `work(thread)` on every processor at once; the seconds until the last has ended.
template <typename F>
double on_all(F work) {
  std::vector<std::thread> threads;
  const auto start = Clock::now();
  for (int i = 0; i < processors(); ++i) threads.emplace_back(work, i);
  for (auto& thread : threads) thread.join();
  return seconds(start);
}

// Twelve independent chains hide the latency of a fused multiply-add on all processors of today.
#define WEFT_FMA_LOOP(bytes)                                                      \
  typedef float V __attribute__((vector_size(bytes)));                            \
  V a[12];                                                                        \
  for (int i = 0; i < 12; ++i) a[i] = V{} + 0.5f + 0.01f * static_cast<float>(i); \
  const V m = V{} + 0.9999f;                                                      \
  const V c = V{} + 1e-4f;                                                        \
  for (long r = 0; r < rounds; ++r) {                                             \
    for (int i = 0; i < 12; ++i) a[i] = a[i] * m + c;                             \
  }                                                                               \
  V sum{};                                                                        \
  for (int i = 0; i < 12; ++i) sum += a[i];                                       \
  *sink = sum[0];                                                                 \
  return 2.0 * 12 * (bytes / 4) * static_cast<double>(rounds)

__attribute__((target("avx512f"), optimize("O3", "fp-contract=fast"))) double fma_512(long rounds,
                                                                                      volatile float* sink) {
  WEFT_FMA_LOOP(64);
}
__attribute__((target("avx2,fma"), optimize("O3", "fp-contract=fast"))) double fma_256(long rounds,
                                                                                       volatile float* sink) {
  WEFT_FMA_LOOP(32);
}
double fma_128(long rounds, volatile float* sink) { WEFT_FMA_LOOP(16); }

double fma(long rounds, volatile float* sink) {
  if (__builtin_cpu_supports("avx512f")) return fma_512(rounds, sink);
  if (__builtin_cpu_supports("fma")) return fma_256(rounds, sink);
  return fma_128(rounds, sink);
}

}  // namespace

Peaks measure_peaks() {
  Peaks peaks{};
  peaks.processors = processors();
  constexpr long kRounds = 6'000'000;
  for (int i = 0; i < 3; ++i) {
    std::vector<double> rates(static_cast<std::size_t>(processors()));
    on_all([&](int t) {
      volatile float sink = 0;
      const auto start = Clock::now();
      const double flops = fma(kRounds, &sink);
      rates[static_cast<std::size_t>(t)] = flops / seconds(start);
    });
    // Of each processor its own: work that is shared out as they come is not held up by the slowest.
    double total = 0;
    for (double rate : rates) total += rate;
    peaks.gflops = std::max(peaks.gflops, 1e-9 * total);
  }
  constexpr std::size_t kBytes = std::size_t{32} << 20;
  const auto threads = static_cast<std::size_t>(processors());
  const auto from = std::make_unique<char[]>(threads * kBytes);
  const auto to = std::make_unique<char[]>(threads * kBytes);
  for (int i = 0; i < 4; ++i) {
    const double time = on_all([&](int t) {
      std::memcpy(to.get() + static_cast<std::size_t>(t) * kBytes,
                  from.get() + static_cast<std::size_t>(t) * kBytes, kBytes);
    });
    peaks.copy_gbs = std::max(peaks.copy_gbs, 2e-9 * static_cast<double>(threads * kBytes) / time);
  }
  return peaks;
}

}  // namespace weft::bench
