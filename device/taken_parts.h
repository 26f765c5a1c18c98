// Parts of a job that a worker has taken together and begins one by one, of which others may take the last.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

namespace weft::device {

class Job;

class TakenParts {
 public:
  /// Of jobs with more parts none are taken together.
  static constexpr std::uint64_t kMostParts = std::uint64_t{1} << 24;

  // The worker's own thread.

  void put(const Job& job, std::uint64_t first, std::uint64_t end) {
    job_.store(&job, std::memory_order_relaxed);
    ranges_.store(pack(first, end, ++puts_), std::memory_order_release);
  }
  /// The first that nobody has begun or taken.
  std::optional<std::uint64_t> begin() {
    std::uint64_t range = ranges_.load(std::memory_order_relaxed);
    while (first_of(range) < end_of(range))
      if (ranges_.compare_exchange_weak(range, range + 1, std::memory_order_relaxed)) return first_of(range);
    job_.store(nullptr, std::memory_order_relaxed);
    return std::nullopt;
  }

  // Others, one at a time, while the job is there.

  std::uint64_t left(const Job& job) const {
    const std::uint64_t range = ranges_.load(std::memory_order_acquire);
    return job_.load(std::memory_order_relaxed) == &job ? end_of(range) - first_of(range) : 0;
  }
  std::optional<std::uint64_t> take_last(const Job& job) {
    std::uint64_t range = ranges_.load(std::memory_order_acquire);
    // A range that is put again is another one by its last bits.
    while (job_.load(std::memory_order_relaxed) == &job && first_of(range) < end_of(range))
      if (ranges_.compare_exchange_weak(range, range - (std::uint64_t{1} << kBits), std::memory_order_acquire)) return end_of(range) - 1;
    return std::nullopt;
  }

 private:
  static constexpr unsigned kBits = 24;
  static constexpr std::uint64_t kMask = kMostParts - 1;
  static std::uint64_t pack(std::uint64_t first, std::uint64_t end, std::uint64_t puts) { return first | end << kBits | puts << 2 * kBits; }
  static std::uint64_t first_of(std::uint64_t range) { return range & kMask; }
  static std::uint64_t end_of(std::uint64_t range) { return range >> kBits & kMask; }

  std::atomic<const Job*> job_{nullptr};
  std::atomic<std::uint64_t> ranges_{0};  ///< the first, the one behind the last, and how often some were put, in its last bits
  std::uint64_t puts_ = 0;
};

}  // namespace weft::device
